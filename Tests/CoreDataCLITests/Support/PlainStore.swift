import Foundation
import GRDB

/// What a store's file holds, read with SQL alone: no code of the package takes part.
struct PlainStore {
    struct Table {
        let rowsByKey: [Int64: [String: DatabaseValue]]
    }

    let uuid: String
    /// The entities' numbers, without those of history.
    let numbers: [Int]
    /// By an entity's number, the rows of just this entity.
    let rows: [Int: Int]
    /// By an entity's number, the table in which it has rows.
    let tables: [Int: Table]
    let hasModel: Bool

    init(_ database: Database) throws {
        uuid = try String.fetchOne(database, sql: "SELECT Z_UUID FROM Z_METADATA") ?? ""
        numbers = try Int.fetchAll(database, sql: "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT")
        let names = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        hasModel = names.contains("Z_MODELCACHE")
        var rows: [Int: Int] = [:]
        var tables: [Int: Table] = [:]
        for name in names where name.hasPrefix("Z") {
            let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('\(name)')")
            guard Set(["Z_PK", "Z_ENT", "Z_OPT"]).isSubset(of: columns) else { continue }
            let all = try Row.fetchAll(database, sql: "SELECT * FROM \"\(name)\"")
            let byKey = all.map { row in
                let values = zip(row.columnNames, row.databaseValues)
                return (row["Z_PK"] as Int64, Dictionary(values, uniquingKeysWith: { first, _ in first }))
            }
            let table = Table(rowsByKey: Dictionary(byKey, uniquingKeysWith: { first, _ in first }))
            for row in all {
                let number: Int = row["Z_ENT"]
                rows[number, default: 0] += 1
                tables[number] = table
            }
        }
        self.rows = rows
        self.tables = tables
    }

    /// Whether a value of the tool's JSON is what the column holds, in the form that the column's content takes.
    static func agree(_ value: Any, _ stored: DatabaseValue) -> Bool {
        switch stored.storage {
        case .null:
            return value is NSNull || (value as? [Any])?.isEmpty == true
        case .int64(let integer):
            // A whole number of this size needs all its digits; a double would drop the last ones.
            return (value as? NSNumber)?.int64Value == integer || agree(value, Double(integer))
        case .double(let number):
            return agree(value, number)
        case .string(let text):
            return value as? String == text
        case .blob(let data):
            // Only a value in a file of its own, where the file isn't there, has bytes that can't be printed.
            guard let text = value as? String else { return data.first == 2 && data.count == 38 }
            let uuid = data.count == 16 ? data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } : nil
            // Where large values may lie in files, the first byte says where this one is.
            let forms = [uuid?.uuidString, data.base64EncodedString(), data.dropFirst().base64EncodedString()]
            return forms.contains(text)
        }
    }

    private static func agree(_ value: Any, _ number: Double) -> Bool {
        if let same = (value as? NSNumber)?.doubleValue { return abs(same - number) <= abs(number) * 1e-15 }
        guard let text = value as? String else { return false }
        if let key = text.split(separator: "/p").last, text.hasPrefix("x-coredata:") { return Double(key) == number }
        if let decimal = Double(text) { return decimal == number }
        // Foundation's formatter reads no dates before the Gregorian calendar, and none beyond the year 9999.
        guard (-13e9...252e9).contains(number) else { return text.contains("T") }
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let date = formatter.date(from: text.replacing(/\.(\d{3})\d*Z/) { ".\($0.output.1)Z" })
        return date.map { abs($0.timeIntervalSinceReferenceDate - number) < 0.0011 } ?? false
    }
}
