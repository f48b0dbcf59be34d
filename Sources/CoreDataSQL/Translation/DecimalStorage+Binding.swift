@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

extension DecimalStorage {
    package static func binding(for decimal: Decimal) -> SQLBinding {
        if decimal.isNaN { return .text(notANumber) }
        if let integer = integer(decimal) { return .int(integer) }
        return .double(NumericValue.nearestDouble(decimal))
    }
}
