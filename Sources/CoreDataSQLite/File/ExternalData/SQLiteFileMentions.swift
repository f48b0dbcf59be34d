import CoreDataSQL
import Foundation
import GRDB

/// Looks for the names of files with external values anywhere in a database, whether or not a model has the table: in tombstones
/// of the history, in tables of another program, inside of a longer text or archive.
struct SQLiteFileMentions {
    /// The names to look for, which are UUIDs in capital letters.
    let candidates: Set<String>
    let database: Database

    /// The tables of Apple's for mirroring to iCloud (seen in stores of apps that do) begin so.
    private static let mirroringPrefix = "ANSCK"
    private static let length = 36

    /// - Parameter exact: tables, such as those of a model's entities, of which only values count that consist of a
    ///   name alone.
    /// - Returns: for each candidate that a table names, the table; nil where there are tables whose contents aren't
    ///   known, such as those of mirroring to iCloud.
    func find(exactlyIn exact: Set<String> = []) throws -> [String: String]? {
        var found: [String: String] = [:]
        let tables = try database.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        for row in tables {
            let name: String = row[0]
            if name.hasPrefix(Self.mirroringPrefix) { return nil }
            // What a virtual table holds lies in plain ones.
            guard let sql = String.fromDatabaseValue(row[1]), !sql.uppercased().hasPrefix("CREATE VIRTUAL") else {
                continue
            }
            // As a row of ours names a file, with a tag before and a zero behind, or its name alone. The length in
            // characters ends at a NUL, and is known without reading the value's pages.
            func condition(_ column: SQLFragment) -> SQLFragment {
                exact.contains(name)
                    ? "length(\(column)) BETWEEN \(.number(Self.length)) AND 38"
                    : "length(CAST(\(column) AS BLOB)) >= \(.number(Self.length))"
            }
            let columns = try database.rows("SELECT name FROM pragma_table_info(\(bind: .text(name)))")
            for row in columns {
                let column = SQLFragment.name(row[0])
                let values = try database.cursor(
                    "SELECT CAST(\(column) AS BLOB) FROM \(.name(name)) "
                        + "WHERE typeof(\(column)) IN ('blob', 'text') AND \(condition(column))")
                while let value = try values.next() {
                    guard let bytes = Data.fromDatabaseValue(value[0]) else { continue }
                    // Without zeros, texts of two bytes for a letter look like others.
                    for file in bytes.filter({ $0 != 0 }).withUnsafeBytes(names) { found[file] = name }
                }
            }
        }
        return found
    }

    /// The candidates whose names stand somewhere in the bytes, in letters of either case.
    private func names(in bytes: UnsafeRawBufferPointer) -> [String] {
        var names: [String] = []
        let hyphen = UInt8(ascii: "-")
        var place = 8
        while place + Self.length - 8 <= bytes.count {
            guard bytes[place] == hyphen, bytes[place + 5] == hyphen, bytes[place + 10] == hyphen,
                bytes[place + 15] == hyphen
            else {
                place += 1
                continue
            }
            let name = String(decoding: bytes[place - 8..<place - 8 + Self.length], as: UTF8.self).uppercased()
            if candidates.contains(name) { names.append(name) }
            place += 1
        }
        return names
    }
}
