@_spi(Engine) import CoreDataRows
import Foundation

/// A value of a predicate in the form in which it is bound, with the type that it has by itself.
package struct SQLConstant {
    package let binding: SQLBinding
    /// Nil for nil, which is of every type.
    package let type: SQLValueType?

    /// Nil where no column can hold such a value.
    package init?(_ value: Any?) {
        guard let value, !(value is NSNull) else {
            self.init(.null, nil)
            return
        }
        switch value {
        case let value as NSNumber: self.init(value)
        case let value as Decimal: self.init(value)
        case let value as String: self.init(.text(value), .string)
        case let value as Date: self.init(.double(value.timeIntervalSinceReferenceDate), .date)
        case let value as UUID: self.init(.blob(withUnsafeBytes(of: value.uuid) { Data($0) }), .uuid)
        case let value as URL: self.init(.text(value.absoluteString), .uri)
        case let value as Data: self.init(.blob(value), .data)
        case let value as any BinaryInteger: self.init(integer: value)
        case let value as any BinaryFloatingPoint: self.init(.double(Double(value)), .real)
        case let value as Bool: self.init(.int(value ? 1 : 0), .bool)
        case let value as NSObject: self.init(reference: value)
        default: return nil
        }
    }

    private init(_ binding: SQLBinding, _ type: SQLValueType?) {
        self.binding = binding
        self.type = type
    }

    private init(integer value: some BinaryInteger) {
        self.init(Int64(exactly: value).map { .int($0) } ?? .double(Double(value)), .integer)
    }

    private init(_ number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self.init(decimal.decimalValue)
            return
        }
        switch String(cString: number.objCType) {
        case "f", "d": self.init(.double(number.doubleValue), .real)
        case "B": self.init(.int(number.boolValue ? 1 : 0), .bool)
        case "Q": self.init(integer: number.uint64Value)
        default: self.init(.int(number.int64Value), .integer)
        }
    }

    /// Decimals lie in columns of `NUMERIC` affinity: integers exactly, others as the nearest double.
    private init(_ decimal: Decimal) {
        self.init(DecimalStorage.binding(for: decimal), .decimal)
    }

    /// The Objective-C classes of the values above.
    private init?(reference value: NSObject) {
        switch value {
        case let value as NSString: self.init(.text(String(describing: value)), .string)
        case let value as NSDate: self.init(.double(value.timeIntervalSinceReferenceDate), .date)
        case let value as NSUUID: self.init(UUID(uuidString: value.uuidString))
        case let value as NSURL: self.init(.text(value.absoluteString), .uri)
        case let value as NSData: self.init(.blob(Data(referencing: value)), .data)
        default: return nil
        }
    }
}
