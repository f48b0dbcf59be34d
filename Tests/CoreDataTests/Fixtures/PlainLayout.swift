import CoreData
import Foundation

/// Where a model's properties lie in a file, worked out from the model's descriptions and the file's system tables alone:
/// a second writing of the rules in the format page, to hold the first against.
struct PlainLayout {
    struct Entity {
        var name: String
        var number: Int64
        var table: String
        /// By property; for the elements of composites by `composite.element`.
        var columns: [String: String]
    }

    /// How the keys of a to-many's members are found.
    enum Members {
        /// `SELECT destination, source FROM table`, and the column of the order.
        case pairs(table: String, source: String, destination: String, order: String?)
        /// The same in both directions.
        case reflexive(table: String, first: String, second: String)
    }

    let entities: [String: Entity]
    let nameByNumber: [Int64: String]
    private let columnsByTable: [String: Set<String>]
    private let orderedColumns: [String: [String]]

    init(model: NSManagedObjectModel, database: PlainDatabase) throws {
        var orderedColumns: [String: [String]] = [:]
        for table in try database.tables() { orderedColumns[table] = try database.columns(of: table) }
        self.orderedColumns = orderedColumns
        columnsByTable = orderedColumns.mapValues { Set($0) }
        let numbers = try Self.numbers(of: model, in: database)
        nameByNumber = Dictionary(numbers.map { ($1, $0) }) { first, _ in first }
        var entities: [String: Entity] = [:]
        var allocators: [String: [String: Int]] = [:]
        for entity in model.entities.sorted(by: { numbers[$0.name!]! < numbers[$1.name!]! }) {
            let table = "Z" + Self.root(of: entity).name!.uppercased()
            var columns = entity.superentity.flatMap { entities[$0.name!]?.columns } ?? [:]
            for (property, base) in Self.ownColumns(of: entity) {
                let count = allocators[table, default: [:]][base, default: 0]
                allocators[table, default: [:]][base] = count + 1
                columns[property] = count == 0 ? base : "\(base)\(count)"
            }
            entities[entity.name!] = Entity(
                name: entity.name!, number: numbers[entity.name!]!, table: table, columns: columns)
        }
        self.entities = entities
    }

    /// By name; a migration that renames leaves the old name in its place.
    private static func numbers(of model: NSManagedObjectModel, in database: PlainDatabase) throws -> [String: Int64] {
        let rows = try database.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT")
        var numbers: [String: Int64] = [:]
        for row in rows where model.entitiesByName[row[1].string!] != nil { numbers[row[1].string!] = row[0].integer }
        var free = rows.compactMap { numbers[$0[1].string!] == nil ? $0[0].integer : nil }
        for name in model.entitiesByName.keys.sorted() where numbers[name] == nil {
            guard !free.isEmpty else { throw PlainDatabase.Failure(description: "no number for \(name)") }
            numbers[name] = free.removeFirst()
        }
        return numbers
    }

    static func root(of entity: NSEntityDescription) -> NSEntityDescription {
        var root = entity
        while let above = root.superentity { root = above }
        return root
    }

    /// Whether the entity declares the property itself.
    private static func isOwn(_ property: NSPropertyDescription, of entity: NSEntityDescription) -> Bool {
        entity.superentity?.propertiesByName[property.name] == nil
    }

    /// The names that an entity's own properties ask for, in the order in which they get them: attributes before
    /// relationships, by name.
    private static func ownColumns(of entity: NSEntityDescription) -> [(property: String, base: String)] {
        let own = entity.properties.filter { isOwn($0, of: entity) && !$0.isTransient }.sorted { $0.name < $1.name }
        var result: [(String, String)] = []
        for case let attribute as NSAttributeDescription in own {
            result += leaves(of: attribute, path: attribute.name)
        }
        for case let relationship as NSRelationshipDescription in own where !relationship.isToMany {
            result.append((relationship.name, "Z" + relationship.name.uppercased()))
        }
        return result
    }

    private static func leaves(of attribute: NSAttributeDescription, path: String) -> [(String, String)] {
        if let composite = attribute as? NSCompositeAttributeDescription {
            return composite.elements.flatMap { leaves(of: $0, path: path + "." + $0.name) }
        }
        return attribute.attributeType == .undefinedAttributeType ? [] : [(path, "Z" + attribute.name.uppercased())]
    }

    /// The entity that declares a relationship which another one may have inherited.
    private static func declaring(_ relationship: NSRelationshipDescription, in entity: NSEntityDescription)
        -> NSEntityDescription
    {
        var found = entity
        while let above = found.superentity, above.propertiesByName[relationship.name] != nil { found = above }
        return found
    }

    func members(of relationship: NSRelationshipDescription, in entity: NSEntityDescription) throws -> Members {
        let owner = Self.declaring(relationship, in: entity)
        let number = entities[owner.name!]!.number
        let destination = relationship.destinationEntity!
        guard let inverse = relationship.inverseRelationship else {
            let table = entities[destination.name!]!.table
            let column = "Z\(number)\(relationship.name.uppercased())"
            try require(column, in: table)
            return .pairs(table: table, source: column, destination: "Z_PK", order: order(beside: column, in: table))
        }
        guard inverse.isToMany else {
            let far = entities[destination.name!]!
            guard let column = far.columns[inverse.name] else {
                throw PlainDatabase.Failure(description: "no column for \(destination.name!).\(inverse.name)")
            }
            let order = relationship.isOrdered ? order(beside: column, in: far.table) : nil
            return .pairs(table: far.table, source: column, destination: "Z_PK", order: order)
        }
        let farOwner = Self.declaring(inverse, in: destination)
        let farNumber = entities[farOwner.name!]!.number
        let (mine, theirs) = (
            "Z_\(number)\(relationship.name.uppercased())", "Z_\(farNumber)\(inverse.name.uppercased())"
        )
        if owner === farOwner, relationship.name == inverse.name {
            let columns = orderedColumns[mine] ?? []
            guard columns.contains("REFLEXIVE") else { throw PlainDatabase.Failure(description: "no table \(mine)") }
            return .reflexive(table: mine, first: columns[0], second: "REFLEXIVE")
        }
        // A join table's first column has the keys of the entity after which the table is named.
        for (table, source, target) in [(mine, 0, 1), (theirs, 1, 0)] {
            guard let columns = orderedColumns[table] else { continue }
            let order = relationship.isOrdered ? order(beside: columns[target], in: table) : nil
            return .pairs(table: table, source: columns[source], destination: columns[target], order: order)
        }
        throw PlainDatabase.Failure(description: "no join table \(mine) or \(theirs)")
    }

    private func order(beside column: String, in table: String) -> String? {
        let name = "Z_FOK_" + column.dropFirst(column.hasPrefix("Z_") ? 2 : 1)
        return columnsByTable[table]?.contains(name) == true ? name : nil
    }

    private func require(_ column: String, in table: String) throws {
        guard columnsByTable[table]?.contains(column) == true else {
            throw PlainDatabase.Failure(description: "no column \(column) in \(table)")
        }
    }
}
