import Foundation
import GRDB

/// What a hostile or foreign file may have, and a store may not.
extension SQLiteFile {
    /// - Throws: `NSFileReadCorruptFileError` where the file is a database, but no store, or one with objects that run code which
    ///   Core Data's stores have no use for.
    func requireStore() throws {
        let (names, strangers) = try read { database in
            let entries = try database.rows("SELECT name, type, rootpage, sql FROM sqlite_master")
            let tables = entries.filter { $0["type"] == "table" }
            return (
                Set(tables.map { $0["name"] as String }), entries.filter(Self.isStranger).map { $0["name"] as String }
            )
        }
        if let name = strangers.first {
            throw SQLiteStoreError.error(
                .fileReadCorrupt,
                "it has \(name), which is a view with the name of Core Data's tables, a virtual table other than a spatial index, or "
                    + "calls functions of the framework's: no Core Data store has one", url: url)
        }
        for name in ["Z_METADATA", "Z_PRIMARYKEY"] where !names.contains(name) {
            throw SQLiteStoreError.error(
                .fileReadCorrupt, "it is a SQLite database, but not a Core Data store: it has no table \(name)",
                url: url)
        }
    }

    /// Whether an object of the schema could run other code than SQLite's for tables, or stands where a table should.
    private static func isStranger(_ entry: Row) -> Bool {
        let name = (entry["name"] as String).uppercased()
        let sql = (entry["sql"] as String? ?? "").uppercased()
        // Whatever calls a function has its name in its text.
        if SQLiteQueryFunctions.names.contains(where: sql.contains) { return true }
        if entry["type"] == "view" { return name.hasPrefix("Z") }
        // A virtual table has no page of its own.
        guard entry["type"] == "table", entry["rootpage"] as Int64? == 0 else { return false }
        let words = sql.split(whereSeparator: { " \t\n\r(".contains($0) })
        return !(name.hasPrefix("Z_RT_") && words.count > 5 && words[4] == "USING" && words[5] == "RTREE")
    }
}
