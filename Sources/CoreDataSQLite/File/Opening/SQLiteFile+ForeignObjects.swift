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
        let entries = try database.cursor("SELECT name, type, sql FROM sqlite_master")
        var missing = Set(SQLiteName.texts(.metadataTable, .entityTable))
        var stranger: String?
        while let entry = try entries.next() {
            let name: String = entry[0]
            if entry[1] == "table" { missing.remove(name) }
            if stranger == nil, isStranger(name, sql: entry[2] ?? "") {
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
    ///
    /// SQLite makes an object of the statement alone, whatever type, name and page the schema says beside it.
    private static func isStranger(_ name: String, sql: String) -> Bool {
        if namesOwnFunction(sql) { return true }
        // Nearly all are, and an opening looks at each.
        if ["CREATE TABLE ", "CREATE INDEX ", "CREATE TRIGGER ", "CREATE UNIQUE "].contains(where: sql.hasPrefix) {
            return false
        }
        let words = leadingWords(sql)
        if words.dropFirst().first == "VIRTUAL" { return !isSpatialIndex(name, words) }
        guard words.dropFirst().first(where: { !["TEMP", "TEMPORARY"].contains($0) }) == "VIEW" else { return false }
        return ([name.uppercased()] + words.prefix { $0 != "AS" }).contains { word in
            word.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0.hasPrefix("Z") }
        }
    }

    /// The name has to stand in the statement without quotes, in which words may be.
    private static func isSpatialIndex(_ name: String, _ words: [String]) -> Bool {
        let name = name.uppercased()
        return name.hasPrefix(SQLiteName.locationIndexPrefix) && !name.contains { "\"'`[]".contains($0) }
            && words.prefix(6).elementsEqual(["CREATE", "VIRTUAL", "TABLE", name, "USING", "RTREE"])
    }

    /// What a statement begins with, without comments, in capital letters.
    private static func leadingWords(_ sql: String) -> [String] {
        var (words, word): ([String], String) = ([], "")
        var rest = Substring(sql.uppercased())
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        while words.count < 12, let next = rest.first {
            if let mark = ["/*", "--"].first(where: rest.hasPrefix) {
                end()
                let last = rest.dropFirst(2).firstRange(of: mark == "--" ? "\n" : "*/")
                rest = last.map { rest[$0.upperBound...] } ?? ""
                continue
            }
            if next.isWhitespace || next == "(" { end() } else { word.append(next) }
            rest.removeFirst()
        }
        end()
        return words
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
