@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import GRDB

extension SQLTextForm {
    /// The text of a column's value.
    package func text(_ value: DatabaseValue) -> String? {
        switch (self, value.storage) {
        case (.decimal, .double(let value)):
            return DecimalStorage.decimal(value).flatMap { Self.text(of: NSDecimalNumber(decimal: $0)) }
        case (.uuid, .blob(let data)):
            guard data.count == 16 else { return nil }
            return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
        case (_, .int64(let value)): return Self.text(of: NSNumber(value: value))
        case (_, .double(let value)): return Self.text(of: NSNumber(value: value))
        case (_, .string(let value)): return value
        case (_, .null), (_, .blob): return nil
        }
    }
}
