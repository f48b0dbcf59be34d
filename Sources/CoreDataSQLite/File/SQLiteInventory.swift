@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB
import ManagedObjectModel

/// Counts what is in a store's file, without a change to it.
package enum SQLiteInventory {

    /// - Parameter model: the store's model, which knows the present name of an entity that a migration renamed;
    ///   without it, entities have the names that stand in the file.
    /// - Throws: an error in `NSCocoaErrorDomain` that names the file and the cause.
    package static func read(_ url: URL, model: NSManagedObjectModel?) throws -> StoreInventory {
        let file = try SQLiteFile.openForReading(url)
        // It was only read.
        defer { try? file.close() }
        return try file.read { database in
            let layout = try SQLiteFileLayout(database)
            let superentities = try parents(database)
            let names = try names(in: layout, model: model)
            let rows = try rowsByEntity(database, layout)
            let entities = layout.entities.filter { $0.number < SQLiteFileLayout.firstInternalNumber }.map { entity in
                StoreInventory.Entity(
                    name: names[entity.number] ?? entity.name, number: entity.number,
                    superentity: superentities[entity.number].flatMap { names[$0] }, rows: rows[entity.number] ?? 0)
            }
            return StoreInventory(
                entities: entities, otherTables: otherTables(database, layout), hasHistory: layout.hasHistory)
        }
    }

    private static func parents(_ database: Database) throws -> [Int64: Int64] {
        let rows = try database.rows(
            "SELECT \(.entity), \(.superentity) FROM \(.entityTable) WHERE \(.superentity) > 0")
        let pairs = rows.compactMap { row -> (Int64, Int64)? in
            guard let entity = Int64.fromDatabaseValue(row[0]), let parent = Int64.fromDatabaseValue(row[1]) else {
                return nil
            }
            return (entity, parent)
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func names(in layout: SQLiteFileLayout, model: NSManagedObjectModel?) throws -> [Int64: String] {
        let inFile = Dictionary(layout.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        guard let model else { return inFile }
        let modelNames = ModelLayout.of(model).entities.map(\.name)
        // A model of only some of the file's entities doesn't number them; the file's names have to do then.
        guard let numbers = try? layout.numbers(of: modelNames) else { return inFile }
        return inFile.merging(zip(numbers, modelNames)) { _, present in present }
    }

    /// Which table an entity's rows are in follows from names that a migration may have changed, so every table of
    /// objects is asked which entities it has.
    private static func rowsByEntity(_ database: Database, _ layout: SQLiteFileLayout) throws -> [Int64: Int] {
        var rows: [Int64: Int] = [:]
        for table in objectTables(layout) {
            let counts = try database.cursor("SELECT \(.entity), COUNT(*) FROM \(.name(table)) GROUP BY \(.entity)")
            while let row = try counts.next() {
                guard let number = Int64.fromDatabaseValue(row[0]) else { continue }
                rows[number, default: 0] += row[1]
            }
        }
        return rows
    }

    private static func objectTables(_ layout: SQLiteFileLayout) -> [String] {
        let fixed = Set(SQLiteName.rowColumns)
        return layout.columns.filter { $0.key.hasPrefix("Z") && fixed.isSubset(of: $0.value) }.map(\.key)
    }

    private static func otherTables(_ database: Database, _ layout: SQLiteFileLayout) -> [StoreInventory.Table] {
        let left = Set(layout.columns.keys).subtracting(objectTables(layout)).subtracting(SQLiteName.systemTables)
        return left.filter { !$0.hasPrefix("sqlite_") }.sorted().map { name in
            let query: SQLFragment = "SELECT COUNT(*) FROM \(.name(name))"
            // A table that can't be counted, such as one of a module that isn't there, is listed without a number.
            return StoreInventory.Table(name: name, rows: try? database.value(Int.self, query))
        }
    }
}
