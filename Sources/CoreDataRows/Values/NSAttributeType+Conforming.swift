import Foundation
import ManagedObjectModel

extension NSAttributeType {
    /// A number in the type that an expression description declares for its result.
    package func conforming(_ number: NSNumber) -> Any {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            let isWhole = Int64(exactly: number.doubleValue.rounded(.towardZero)) != nil
            return isWhole ? NSNumber(value: number.int64Value) : number
        case .doubleAttributeType: return NSNumber(value: number.doubleValue)
        case .floatAttributeType: return NSNumber(value: number.floatValue)
        case .booleanAttributeType: return NSNumber(value: number.boolValue)
        case .decimalAttributeType: return NSDecimalNumber(decimal: DecimalStorage.decimal(of: number))
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: number.doubleValue)
        default: return number
        }
    }
}
