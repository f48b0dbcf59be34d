@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// Derives a schema, entity by entity in the order of their numbers, as Apple's framework does.
struct SQLiteSchemaBuilder {
    let model: ModelLayout
    private let file: SQLiteFileLayout?
    /// By place in ``ModelLayout/entities``; nil outside the configuration.
    private(set) var numbers: [Int64?]

    private(set) var entities: [SQLiteEntity?] = []
    private(set) var tables: [SQLiteTable] = []
    private(set) var joinTables: [SQLiteJoinTable] = []

    private var columnsBySlot: [[SQLiteColumn?]]
    private var toManys: [[SQLToMany?]]
    private var allocators: [String: SQLiteNameAllocator] = [:]
    /// The columns of each entity by group, and those of relationships, which follow the integer group.
    private var ownColumns: [[[SQLiteColumn]]]
    private var ownRelationshipColumns: [[SQLiteColumn]]
    private var ownKeyColumns: [[String]]

    init(model: ModelLayout, configuration: String?) throws {
        try model.checkInheritedNames()
        let members = try Self.members(of: configuration, in: model)
        var next: Int64 = 0
        let numbers = members.map { isMember -> Int64? in
            guard isMember else { return nil }
            next += 1
            return next
        }
        self.init(model: model, numbers: numbers, file: nil)
    }

    init(model: ModelLayout, configuration: String?, file: SQLiteFileLayout) throws {
        try model.checkInheritedNames()
        let members = try Self.members(of: configuration, in: model)
        let layouts = model.entities.filter { members[$0.index] }
        let found = try file.numbers(of: layouts.map(\.name))
        var numbers = [Int64?](repeating: nil, count: model.entities.count)
        for (layout, number) in zip(layouts, found) { numbers[layout.index] = number }
        self.init(model: model, numbers: numbers, file: file)
    }

    private init(model: ModelLayout, numbers: [Int64?], file: SQLiteFileLayout?) {
        self.model = model
        self.numbers = numbers
        self.file = file
        let count = model.entities.count
        columnsBySlot = model.entities.map { Array(repeating: nil, count: $0.rowSlotCount) }
        toManys = model.entities.map { Array(repeating: nil, count: $0.properties.count) }
        let noColumns = [[SQLiteColumn]](repeating: [], count: SQLiteColumnGroup.allCases.count)
        ownColumns = Array(repeating: noColumns, count: count)
        ownRelationshipColumns = Array(repeating: [], count: count)
        ownKeyColumns = Array(repeating: [], count: count)
    }

    /// Whether each entity belongs to a configuration; sub- and superentities of a member do too, as they lie in one table.
    private static func members(of configuration: String?, in model: ModelLayout) throws -> [Bool] {
        guard let configuration, configuration != "PF_DEFAULT_CONFIGURATION_NAME" else {
            return Array(repeating: true, count: model.entities.count)
        }
        guard let listed = model.model.storedEntities(forConfigurationName: configuration) else {
            throw SQLiteStoreError.schema("the model has no configuration named \(configuration)")
        }
        var members = [Bool](repeating: false, count: model.entities.count)
        for entity in listed {
            var layout = model.layout(of: entity)
            while let member = layout {
                members[member.index] = true
                layout = member.superlayout
            }
        }
        return members
    }

    var highestNumber: Int64 { numbers.lazy.compactMap { $0 }.max() ?? 0 }

    /// The entities of the store in the order of their numbers.
    private var layouts: [EntityLayout] {
        model.entities.filter { numbers[$0.index] != nil }
            .sorted { (numbers[$0.index] ?? 0) < (numbers[$1.index] ?? 0) }
    }

    mutating func build() {
        let layouts = layouts
        let oneWays = Dictionary(grouping: oneWayToManys(of: layouts)) { $0.destination?.index ?? -1 }
        for layout in layouts {
            inherit(layout)
            addAttributes(of: layout)
            addRelationships(of: layout)
            for relationship in oneWays[layout.index] ?? [] { addOneWay(relationship, to: layout) }
        }
        for layout in layouts { addInverseToManys(of: layout) }
        var joins = SQLiteJoinTableBuilder(layouts: layouts, numbers: numbers, file: file)
        joins.build()
        joinTables = joins.tables
        for join in joins.sides { toManys[join.owner][join.property] = .join(join.side) }
        finish(layouts)
    }
}

// MARK: Columns

extension SQLiteSchemaBuilder {
    private func table(of layout: EntityLayout) -> String {
        SQLiteNaming.table(ofRoot: layout.root.name)
    }

    private mutating func allocate(_ name: String, in layout: EntityLayout) -> String {
        allocators[table(of: layout), default: SQLiteNameAllocator()].allocate(name)
    }

    private mutating func inherit(_ layout: EntityLayout) {
        guard let parent = layout.superlayout else { return }
        columnsBySlot[layout.index].replaceSubrange(..<parent.rowSlotCount, with: columnsBySlot[parent.index])
    }

    private mutating func addAttributes(of layout: EntityLayout) {
        for property in layout.ownProperties where property.kind != .toOne && property.isPersistent {
            addAttribute(property, of: layout)
        }
    }

    /// A composite attribute has no column; its elements take part in the order in which they are declared
    /// (seen in the MetaCocktails stores).
    private mutating func addAttribute(_ property: PropertyLayout, of layout: EntityLayout) {
        for element in property.elements { addAttribute(element, of: layout) }
        guard let (group, type) = SQLiteColumnGroup.column(for: property.kind) else { return }
        let column = SQLiteColumn(allocate(SQLiteNaming.column(of: property.name), in: layout), type)
        columnsBySlot[layout.index][property.rowSlot] = column
        ownColumns[layout.index][group.rawValue].append(column)
    }

    private mutating func addRelationships(of layout: EntityLayout) {
        var orderColumns: [SQLiteColumn] = []
        for property in layout.ownProperties where property.kind == .toOne && property.rowSlot >= 0 {
            let name = allocate(SQLiteNaming.column(of: property.name), in: layout)
            addKeyColumn(name, to: layout)
            columnsBySlot[layout.index][property.rowSlot] = SQLiteColumn(name, .integer)
            if let destination = property.destination, let number = numbers[destination.index],
                destination.lastDescendantIndex > destination.index
            {
                let plain = SQLiteNaming.entityColumn(of: property.name, destination: number)
                let column = SQLiteColumn(allocate(plain, in: layout), .integer)
                columnsBySlot[layout.index][property.rowSlot + 1] = column
                ownRelationshipColumns[layout.index].append(column)
            }
            if let inverse = property.inverse, inverse.kind == .toMany, inverse.isOrdered {
                orderColumns.append(SQLiteColumn(SQLiteNaming.orderColumn(beside: name), .integer))
            }
        }
        ownRelationshipColumns[layout.index] += orderColumns
    }

    private mutating func addKeyColumn(_ name: String, to layout: EntityLayout) {
        ownRelationshipColumns[layout.index].append(SQLiteColumn(name, .integer))
        ownKeyColumns[layout.index].append(name)
    }

    private func oneWayToManys(of layouts: [EntityLayout]) -> [PropertyLayout] {
        layouts.flatMap { layout in
            layout.ownProperties.filter { $0.kind == .toMany && $0.inverse == nil && $0.isPersistent }
        }
    }

    private mutating func addOneWay(_ property: PropertyLayout, to destination: EntityLayout) {
        let source = property.owner
        guard let number = numbers[source.index] else { return }
        let column = allocate(SQLiteNaming.oneWayColumn(of: property.name, source: number), in: destination)
        addKeyColumn(column, to: destination)
        var orderColumn: String?
        if property.isOrdered {
            let name = SQLiteNaming.orderColumn(beside: column)
            ownRelationshipColumns[destination.index].append(SQLiteColumn(name, .integer))
            orderColumn = name
        }
        toManys[source.index][property.index] = .foreignKey(
            SQLForeignKey(
                table: table(of: destination), column: column, entityColumn: nil, orderColumn: orderColumn,
                isOneWay: true))
    }

    private mutating func addInverseToManys(of layout: EntityLayout) {
        for property in layout.ownProperties where property.kind == .toMany && property.isPersistent {
            guard let inverse = property.inverse, inverse.kind == .toOne, let destination = property.destination,
                inverse.rowSlot >= 0, let column = columnsBySlot[destination.index][inverse.rowSlot]
            else { continue }
            toManys[layout.index][property.index] = .foreignKey(
                SQLForeignKey(
                    table: table(of: destination), column: column.name,
                    entityColumn: columnsBySlot[destination.index][inverse.rowSlot + 1]?.name,
                    orderColumn: property.isOrdered ? SQLiteNaming.orderColumn(beside: column.name) : nil,
                    isOneWay: false))
        }
    }

    private mutating func finish(_ layouts: [EntityLayout]) {
        entities = model.entities.map { _ in nil }
        for layout in layouts {
            if let parent = layout.superlayout {
                for place in parent.properties.indices {
                    toManys[layout.index][place] = toManys[parent.index][place]
                }
            }
            entities[layout.index] = SQLiteEntity(
                layout: layout, number: numbers[layout.index] ?? 0, table: table(of: layout),
                columns: columnsBySlot[layout.index], toManys: toManys[layout.index])
        }
        for root in layouts where root.superlayout == nil {
            let members = layouts.filter { $0.root === root }.map(\.index)
            var columns = members.flatMap { ownColumns[$0][0] + ownRelationshipColumns[$0] }
            for group in SQLiteColumnGroup.allCases.dropFirst() {
                columns += members.flatMap { ownColumns[$0][group.rawValue] }
            }
            tables.append(
                SQLiteTable(
                    name: table(of: root), rootIndex: root.index, columns: columns,
                    indexedKeyColumns: members.flatMap { ownKeyColumns[$0] }))
        }
    }
}

/// The groups in which Apple lays the columns of a `CREATE TABLE`, in their order.
///
/// Seen in every fixture whose tables weren't altered by a migration.
enum SQLiteColumnGroup: Int, CaseIterable, Sendable {
    case integer
    case real
    case decimal
    case string
    case uri
    case uuid
    case transformable
    case binary

    /// The group and declared type of a stored attribute or to-one; nil for what has no column of its own.
    static func column(for kind: PropertyKind) -> (group: SQLiteColumnGroup, type: SQLiteDeclaredType)? {
        switch kind {
        case .int16, .int32, .int64, .bool, .toOne: (.integer, .integer)
        case .date: (.real, .timestamp)
        case .double, .float: (.real, .float)
        case .decimal: (.decimal, .decimal)
        case .string: (.string, .varchar)
        // No store with an object ID attribute was seen; its text is a URI, so it is laid out as one.
        case .uri, .objectID: (.uri, .varchar)
        case .uuid: (.uuid, .blob)
        case .transformable: (.transformable, .blob)
        case .data: (.binary, .blob)
        case .composite, .undefined, .toMany, .fetched: nil
        }
    }
}
