@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// Derives a schema from a model: a table for each entity without superentity, which holds the rows of all below it; a table for
/// each many-to-many relationship.
struct PostgreSQLSchemaBuilder {
    let model: ModelLayout
    private(set) var tables: [PostgreSQLTable] = []
    private(set) var joins: [SQLJoin] = []
    private(set) var joinEnds: [String: (source: String, destination: String)] = [:]

    private let numbers: [Int16?]
    /// The table of each root, as its place in ``tables``.
    private var tableIndex: [Int: Int] = [:]
    private var tableNames = PostgreSQLNames()
    private var columnNames: [Int: PostgreSQLNames] = [:]
    private var columns: [[Int: PostgreSQLColumn]]
    private var toManys: [[Int: SQLToMany]]
    private var constraints: [[PostgreSQLConstraint]]

    /// - Parameter known: the numbers that a store has for its entities, by name; nil for a new store.
    /// - Throws: an error that names the entity or property that the store can't hold.
    init(_ model: ModelLayout, configuration: String?, numbers known: [String: Int16]?) throws {
        self.model = model
        try model.checkInheritedNames()
        let members = try Self.members(of: configuration, in: model)
        numbers = try model.entities.map { layout in
            guard members[layout.index] else { return nil }
            guard let known else { return Int16(layout.index + 1) }
            if let number = known[layout.name] { return number }
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError, "The store has no table for the entity \(layout.name).")
        }
        columns = Array(repeating: [:], count: model.entities.count)
        toManys = Array(repeating: [:], count: model.entities.count)
        constraints = Array(repeating: [], count: model.entities.count)
        let own = [PostgreSQLName.store, PostgreSQLName.entities, PostgreSQLName.keys] + PostgreSQLHistoryTables.names
        for name in own { _ = tableNames.take(name) }
        try build()
    }

    func finished() -> [PostgreSQLEntity?] {
        model.entities.map { layout in
            numbers[layout.index].map { number in
                PostgreSQLEntity(
                    layout, table: tables[tableIndex[layout.rootIndex]!].name, number: number,
                    columns: columns[layout.index], toManys: toManys[layout.index],
                    constraints: constraints[layout.index])
            }
        }
    }

    /// Whether each entity belongs to a configuration; the superentities of a member do too, as they lie in one table.
    private static func members(of configuration: String?, in model: ModelLayout) throws -> [Bool] {
        guard let configuration, configuration != "PF_DEFAULT_CONFIGURATION_NAME" else {
            return Array(repeating: true, count: model.entities.count)
        }
        guard let listed = model.model.storedEntities(forConfigurationName: configuration) else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "The model has no configuration named \(configuration).")
        }
        var members = [Bool](repeating: false, count: model.entities.count)
        for entity in listed {
            for layout in sequence(first: model.layout(of: entity), next: { $0?.superlayout }).compactMap({ $0 }) {
                members[layout.index] = true
            }
        }
        return members
    }

    private var stored: [EntityLayout] { model.entities.filter { numbers[$0.index] != nil } }

    private mutating func build() throws {
        for layout in stored where layout.superlayout == nil {
            tableIndex[layout.index] = tables.count
            let name = tableNames.take(PostgreSQLName.ofModel(layout.name))
            tables.append(PostgreSQLTable(name: name, rootIndex: layout.index))
            var names = PostgreSQLNames()
            for own in [PostgreSQLName.key, PostgreSQLName.entity, PostgreSQLName.version] { _ = names.take(own) }
            columnNames[layout.index] = names
        }
        for layout in stored {
            if let parent = layout.superlayout { columns[layout.index] = columns[parent.index] }
            for property in layout.ownProperties { try addColumns(of: property, prefix: "", to: layout) }
        }
        for layout in stored {
            // The other end of a relationship of a superentity may have given this one its side already.
            if let parent = layout.superlayout { toManys[layout.index].merge(toManys[parent.index]) { own, _ in own } }
            for property in layout.ownProperties where property.kind == .toMany && property.isPersistent {
                addToMany(property, of: layout)
            }
        }
        // A subentity may be laid out before the other end of a relationship of its superentity.
        for layout in stored {
            if let parent = layout.superlayout { toManys[layout.index].merge(toManys[parent.index]) { own, _ in own } }
            constraints[layout.index] = constraints(of: layout)
        }
    }

    // MARK: Columns

    private mutating func takeColumnName(_ name: String, of layout: EntityLayout) -> String {
        columnNames[layout.rootIndex]!.take(PostgreSQLName.ofModel(name), of: layout.name)
    }

    private mutating func addColumns(of property: PropertyLayout, prefix: String, to layout: EntityLayout) throws {
        if property.isTransient { return }
        if let problem = PostgreSQLColumn.problem(with: property) {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "A PostgreSQL store can't hold \(layout.name).\(prefix)\(property.name): \(problem).")
        }
        if !property.elements.isEmpty {
            for element in property.elements {
                try addColumns(of: element, prefix: "\(prefix)\(property.name).", to: layout)
            }
            return
        }
        guard property.rowSlot >= 0, let type = PostgreSQLColumn.type(of: property.kind) else { return }
        if property.kind == .toOne, property.destination.map({ numbers[$0.index] == nil }) ?? true { return }
        let name = takeColumnName(prefix + property.name, of: layout)
        var entityColumn: String?
        if let destination = property.destination, destination.lastDescendantIndex > destination.index {
            entityColumn = takeColumnName("\(property.name).entity", of: layout)
        }
        let column = PostgreSQLColumn(name: name, type: type, property: property, entityColumn: entityColumn)
        columns[layout.index][property.rowSlot] = column
        tables[tableIndex[layout.rootIndex]!].columns.append(column)
    }

    private mutating func addLinkColumn(_ name: String, isKey: Bool, to layout: EntityLayout, of owner: EntityLayout)
        -> String
    {
        let name = columnNames[layout.rootIndex]!.take(PostgreSQLName.ofModel(name), of: owner.name)
        tables[tableIndex[layout.rootIndex]!].linkColumns.append(PostgreSQLTable.LinkColumn(name: name, isKey: isKey))
        return name
    }

    // MARK: To-many relationships

    private mutating func addToMany(_ property: PropertyLayout, of layout: EntityLayout) {
        guard let destination = property.destination, numbers[destination.index] != nil,
            toManys[layout.index][property.index] == nil
        else { return }
        let table = tables[tableIndex[destination.rootIndex]!].name
        guard let inverse = property.inverse else {
            let column = addLinkColumn("\(layout.name).\(property.name)", isKey: true, to: destination, of: layout)
            let order =
                property.isOrdered
                ? addLinkColumn("\(layout.name).\(property.name).order", isKey: false, to: destination, of: layout)
                : nil
            toManys[layout.index][property.index] = .foreignKey(
                SQLForeignKey(table: table, column: column, orderColumn: order, isOneWay: true))
            return
        }
        if inverse.kind == .toMany { return addJoin(property, of: layout, inverse) }
        guard let column = columns[destination.index][inverse.rowSlot]?.name else { return }
        let order =
            property.isOrdered ? addLinkColumn("\(inverse.name).order", isKey: false, to: destination, of: layout) : nil
        toManys[layout.index][property.index] = .foreignKey(
            SQLForeignKey(table: table, column: column, orderColumn: order, isOneWay: false))
    }

    /// The pairs of a many-to-many relationship, in a table that is named after one of its sides.
    private mutating func addJoin(_ property: PropertyLayout, of layout: EntityLayout, _ inverse: PropertyLayout) {
        let other = inverse.owner.declarer(of: inverse)
        let isReflexive = other === layout && inverse.index == property.index
        let table = tableNames.take(PostgreSQLName.ofModel("\(layout.name).\(property.name)"))
        var names = PostgreSQLNames()
        let source = names.take(PostgreSQLName.ofModel(isReflexive || other === layout ? inverse.name : layout.name))
        let destination = names.take(PostgreSQLName.ofModel(other === layout ? property.name : other.name), of: "to")
        let order = property.isOrdered ? names.take(PostgreSQLName.fitting("\(destination).order")) : nil
        let inverseOrder =
            inverse.isOrdered && !isReflexive ? names.take(PostgreSQLName.fitting("\(source).order")) : nil
        let join = SQLJoin(
            table: table, sourceColumn: source, destinationColumn: destination, orderColumn: order,
            inverseOrderColumn: isReflexive ? order : inverseOrder, isReflexive: isReflexive)
        joins.append(join)
        joinEnds[table] = (
            tables[tableIndex[layout.rootIndex]!].name, tables[tableIndex[other.rootIndex]!].name
        )
        toManys[layout.index][property.index] = .join(join)
        if !isReflexive { toManys[other.index][inverse.index] = .join(join.inverse) }
    }

    // MARK: Constraints

    private func constraints(of layout: EntityLayout) -> [PostgreSQLConstraint] {
        var result: [PostgreSQLConstraint] = []
        for owner in sequence(first: layout, next: \.superlayout) {
            for names in owner.entity.uniquenessConstraintNames
            where !result.contains(where: { $0.properties == names }) {
                let properties = names.compactMap { layout.property(named: $0) }
                let columns = properties.compactMap { self.columns[layout.index][$0.rowSlot]?.name }
                guard !names.isEmpty, columns.count == names.count else { continue }
                let table = tables[tableIndex[layout.rootIndex]!].name
                result.append(
                    PostgreSQLConstraint(
                        name: PostgreSQLName.fitting("\(table).\(columns.joined(separator: ",")).unique"), table: table,
                        properties: names, slots: properties.map(\.rowSlot), columns: columns))
            }
        }
        return result
    }
}
