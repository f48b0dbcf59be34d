import CoreDataSQL
import Foundation

/// A fragment with bindings as the server takes it: with numbered parameters, and their values in binary form.
struct PostgreSQLStatement {
    let sql: String
    let parameters: PostgreSQLParameters

    init(_ statement: SQLFragment) {
        sql = Self.numbered(statement.text)
        var parameters = PostgreSQLParameters()
        for binding in statement.bindings {
            switch binding {
            case .null: parameters.appendNull(.text)
            case .int(let value): parameters.append(value)
            case .double(let value): parameters.append(value)
            case .text(let value): parameters.append(value)
            case .blob(let value): parameters.append(value)
            }
        }
        self.parameters = parameters
    }

    /// The text with `$1`, `$2` … for its question marks, but for those inside quotes.
    static func numbered(_ sql: String) -> String {
        guard sql.utf8.contains(UInt8(ascii: "?")) else { return sql }
        var result: [UInt8] = []
        result.reserveCapacity(sql.utf8.count + 16)
        var number = 0
        var quote: UInt8?
        for byte in sql.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                // A quote that is doubled ends one part in quotes and begins the next.
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            } else if byte == UInt8(ascii: "?"), quote == nil {
                number += 1
                result += Array("$\(number)".utf8)
                continue
            }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
