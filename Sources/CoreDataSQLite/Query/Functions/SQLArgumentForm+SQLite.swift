@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import GRDB

extension SQLArgumentForm {
    /// The value as evaluation in memory would have it.
    package func value(_ argument: DatabaseValue) -> Any? {
        switch (self, argument.storage) {
        case (.null, _), (_, .null): return nil
        case (.decimal, .int64(let value)): return NSDecimalNumber(decimal: Decimal(value))
        case (.decimal, .double(let value)): return DecimalStorage.decimal(value).map(NSDecimalNumber.init(decimal:))
        case (.date, .int64(let value)): return Date(timeIntervalSinceReferenceDate: Double(value))
        case (.date, .double(let value)): return Date(timeIntervalSinceReferenceDate: value)
        case (_, .int64(let value)): return NSNumber(value: value)
        case (_, .double(let value)): return NSNumber(value: value)
        case (_, .string(let value)): return value
        case (_, .blob): return nil
        }
    }
}
