@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// Which entities, properties and relationships of a store become which of a new schema.
typealias PostgreSQLMigrationMap = SQLMigrationMap<PostgreSQLSchema>

extension PostgreSQLSchema: SQLMigratedSchema {
    func orderColumn(beside toOne: PropertyLayout, of entity: PostgreSQLEntity) -> String? {
        guard let inverse = toOne.inverse, inverse.kind == .toMany, inverse.isOrdered,
            let destination = toOne.destination,
            case .foreignKey(let key)? = entities[destination.index]?.toMany(inverse)
        else { return nil }
        return key.orderColumn
    }
}

extension PostgreSQLEntity: SQLMigratedEntity {
    func keyColumn(ofToOne property: PropertyLayout) -> String? { columns[property.rowSlot]?.name }

    func entityColumn(ofToOne property: PropertyLayout) -> String? { columns[property.rowSlot]?.entityColumn }

    func toMany(_ property: PropertyLayout) -> SQLToMany? { toManys[property.index] }
}

extension PostgreSQLMigrationMap {
    /// The numbers of a new model's entities: those that they have in the store, and others for new ones.
    ///
    /// - Parameter present: the numbers in the store, by name.
    static func numbers(from old: NSManagedObjectModel, to new: NSManagedObjectModel, present: [String: Int16]) throws
        -> [String: Int16]
    {
        var numbers: [String: Int16] = [:]
        var last = present.values.max() ?? 0
        for (before, after) in ModelPairing(from: old, to: new).entities {
            guard let name = after.name else { continue }
            if let known = before?.name.flatMap({ present[$0] }) {
                numbers[name] = known
                continue
            }
            guard last < Int16.max else { throw MigrationError.make("The store has no numbers left for entities.") }
            last += 1
            numbers[name] = last
        }
        return numbers
    }

    /// The columns in which rows of an entity of the store may have values.
    func usedColumns(of entity: PostgreSQLEntity) -> Set<String> {
        var names = Set(entity.ordered.flatMap { [$0.name, $0.entityColumn].compactMap { $0 } })
        // Columns of links and orders are used by whatever lies in the table.
        for table in old.tables where table.name == entity.table { names.formUnion(table.linkColumns.map(\.name)) }
        return names
    }
}
