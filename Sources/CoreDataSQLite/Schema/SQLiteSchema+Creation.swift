@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// The statements that make a store, in the order in which Apple's framework runs them.
extension SQLiteSchema {
    /// Entity tables, each followed by its join tables; indexes; triggers; system tables; history.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for an index that SQLite can't keep.
    package func creationStatements(historyTracking: Bool) throws -> [SQLFragment] {
        var statements: [SQLFragment] = []
        for table in tables {
            statements.append(table.createStatement)
            statements += joinTables(of: table).map(\.createStatement)
        }
        for table in tables { statements += try indexStatements(for: table) }
        for table in tables {
            for member in members(of: table) {
                statements += try rTrees(of: member).flatMap(\.statements)
                statements += try SQLiteDerivationTriggers.statements(of: member, in: self)
            }
        }
        statements += [SQLiteSystemTables.primaryKey, SQLiteSystemTables.metadata, SQLiteSystemTables.modelCache]
        if historyTracking { statements += historyStatements }
        return statements
    }

    /// The rows of `Z_PRIMARYKEY` in a new store, before any object is saved.
    func primaryKeyRows(historyTracking: Bool) -> [(number: Int64, name: String, superNumber: Int64)] {
        let own = entities.compactMap { $0 }.sorted { $0.number < $1.number }.map { entity in
            let parent = entity.layout.superlayout.map { number(forEntityIndex: $0.index) } ?? 0
            return (number: entity.number, name: entity.name, superNumber: parent)
        }
        guard historyTracking else { return own }
        return own + SQLiteSystemTables.historyEntities.map { (number: $0.number, name: $0.name, superNumber: 0) }
    }
}
