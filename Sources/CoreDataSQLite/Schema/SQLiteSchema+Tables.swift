@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// What belongs to a table: entities, join tables, and the columns of properties.
extension SQLiteSchema {
    /// The entities whose rows lie in a table, in the order of their numbers.
    package func members(of table: SQLiteTable) -> [SQLiteEntity] {
        let root = model.entities[table.rootIndex]
        return (root.index...root.lastDescendantIndex).compactMap { entities[$0] }.sorted { $0.number < $1.number }
    }

    /// The join tables that are created after a table.
    package func joinTables(of table: SQLiteTable) -> [SQLiteJoinTable] {
        let root = model.entities[table.rootIndex]
        return joinTables.filter { model.entities[$0.namingEntityIndex].isKind(of: root) }
    }

    /// The column of a stored property, of `self` or of `entity`.
    package func column(named name: String, of entity: SQLiteEntity) -> String? {
        switch name {
        case "self": return SQLiteName.key.rawValue
        case "entity": return SQLiteName.entity.rawValue
        default: return entity.layout.property(named: name).flatMap { entity.column(of: $0) }?.name
        }
    }
}
