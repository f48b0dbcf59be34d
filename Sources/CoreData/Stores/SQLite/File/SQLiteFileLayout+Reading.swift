import Foundation
import GRDB

extension SQLiteFileLayout {
    /// Reads the layout of an open file.
    ///
    /// - Throws: `NSFileReadCorruptFileError` where `Z_PRIMARYKEY` makes no sense.
    init(_ database: Database) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        entities = []
        while let row = try rows.next() {
            guard let number = Int64.fromDatabaseValue(row[0]), number > 0, number < 1 << 20,
                let name = String.fromDatabaseValue(row[1])
            else {
                throw SQLiteStoreError.error(.fileReadCorrupt, "Z_PRIMARYKEY has a row without number or name")
            }
            entities.append(Entity(number: number, name: name))
        }
        columns = [:]
        let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        for table in tables {
            let names = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
            columns[table] = Set(names)
        }
    }
}
