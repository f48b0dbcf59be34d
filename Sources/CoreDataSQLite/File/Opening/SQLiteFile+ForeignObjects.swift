import CoreDataSQL
import Foundation
import GRDB

/// What a hostile or foreign file may have, and a store may not.
extension SQLiteFile {
    /// - Throws: `NSFileReadCorruptFileError` where the file is a database, but no store, or one with objects that run code which
    ///   Core Data's stores have no use for.
    func requireStore() throws {
        try read { try Self.requireStore($0, at: url) }
    }

    /// The same of a connection that is being opened.
    static func requireStore(_ database: Database, at url: URL) throws {
        let entries = try database.cursor("SELECT name, type, rootpage, sql FROM sqlite_master")
        var missing = Set(SQLiteName.texts(.metadataTable, .entityTable))
        var stranger: String?
        while let entry = try entries.next() {
            let name: String = entry[0]
            if entry[1] == "table" { missing.remove(name) }
            if stranger == nil, isStranger(name, type: entry[1], rootPage: entry[2], sql: entry[3] ?? "") {
                stranger = name
            }
        }
        if let name = stranger {
            throw SQLiteStoreError.error(
                .fileReadCorrupt,
                "it has \(name), which is a view with the name of Core Data's tables, a virtual table other than a spatial index, or "
                    + "calls functions of the framework's: no Core Data store has one", url: url)
        }
        if let name = missing.min() {
            throw SQLiteStoreError.error(
                .fileReadCorrupt, "it is a SQLite database, but not a Core Data store: it has no table \(name)",
                url: url)
        }
    }

    /// Whether an object of the schema could run other code than SQLite's for tables, or stands where a table should.
    private static func isStranger(_ name: String, type: String, rootPage: Int64?, sql: String) -> Bool {
        if namesOwnFunction(sql) { return true }
        if type == "view" { return name.uppercased().hasPrefix("Z") }
        // A virtual table has no page of its own.
        return type == "table" && rootPage == 0 && !isSpatialIndex(name, sql: sql)
    }

    /// SQLite keeps the statement as it was written, so the name has to stand in it without quotes, in which words may be.
    private static func isSpatialIndex(_ name: String, sql: String) -> Bool {
        let name = name.uppercased()
        let words = sql.uppercased().split(whereSeparator: { " \t\n\r(".contains($0) }).prefix(6)
        return name.hasPrefix(SQLiteName.locationIndexPrefix) && !name.contains { "\"'`[]".contains($0) }
            && words.elementsEqual(["CREATE", "VIRTUAL", "TABLE", name[...], "USING", "RTREE"])
    }

    /// Whether a text has the name of one of the framework's functions in it, as whatever calls one has.
    private static func namesOwnFunction(_ sql: String) -> Bool {
        var sql = sql
        return sql.withUTF8 { bytes in
            var start = 0
            for end in 0...bytes.count where end == bytes.count || !SQLIdentifier.isPlain(bytes[end]) {
                if functionNameLengths.contains(end - start),
                    functionNames.contains(String(decoding: bytes[start..<end], as: UTF8.self).uppercased())
                {
                    return true
                }
                start = end + 1
            }
            return false
        }
    }

    private static let functionNames = Set(SQLiteQueryFunctions.names)
    private static let functionNameLengths = Set(functionNames.map(\.utf8.count))
}
