import Foundation
import GRDB

extension SQLiteFileLayout {
    /// Reads the layout of an open file.
    ///
    /// - Throws: `NSFileReadCorruptFileError` where `Z_PRIMARYKEY` makes no sense.
    package init(_ database: Database) throws {
        entities = try Self.entities(database)
        virtualTables = try Set(
            database.values(
                String.self, "SELECT sql FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'"))
        columns = [:]
        // Virtual tables may need modules that this SQLite lacks, and no entity lies in one.
        let names = try database.cursor(
            """
            SELECT m.name, c.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
            WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'
            """)
        while let row = try names.next() {
            let (table, column): (String, String) = (row[0], row[1])
            columns[table, default: []].insert(column)
        }
    }

    /// The entities that the file numbers.
    ///
    /// - Throws: as ``init(_:)``.
    static func entities(_ database: Database) throws -> [Entity] {
        let rows = try database.cursor("SELECT \(.entity), \(.entityName) FROM \(.entityTable) ORDER BY \(.entity)")
        var entities: [Entity] = []
        while let row = try rows.next() {
            guard let number = Int64.fromDatabaseValue(row[0]), number > 0, number < 1 << 20,
                let name = String.fromDatabaseValue(row[1])
            else {
                throw SQLiteStoreError.error(
                    .fileReadCorrupt, "\(SQLiteName.entityTable.rawValue) has a row without number or name")
            }
            entities.append(Entity(number: number, name: name))
        }
        return entities
    }
}
