@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// What persistent history keeps of deleted objects, and the tables that it is in.
extension SQLiteSchema {
    /// The names, sorted, of the attributes that history keeps when an object of the entity is deleted.
    func tombstoneProperties(of entity: SQLiteEntity) -> [PropertyLayout] {
        entity.layout.properties.filter { $0.attribute?.preservesValueInHistoryOnDeletion ?? false }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Those whose values are really kept, in the order of their columns: values in files of their own aren't.
    func keptProperties(of entity: SQLiteEntity) -> [PropertyLayout] {
        tombstoneProperties(of: entity).filter { !($0.attribute?.allowsExternalBinaryDataStorage ?? false) }
    }

    /// The statements that make the tables of persistent history.
    var historyStatements: [SQLFragment] { SQLiteSystemTables.history(tombstones: tombstoneCount) }

    private var tombstoneCount: Int {
        entities.compactMap { $0.map { tombstoneProperties(of: $0).count } }.max() ?? 0
    }
}
