import Foundation
import FoundationCompat
import ManagedObjectModel

extension FieldValue {
    /// Takes a value as clients give it. Nil when it isn't of the property's type.
    package init?(_ value: Any?, kind: PropertyKind) {
        guard let value, type(of: value) != NSNull.self else {
            self = .null
            return
        }
        switch kind {
        case .int16, .int32, .int64:
            if let integer = Self.plainInteger(value) {
                self = .int(Self.truncated(integer, to: kind))
                return
            }
            guard let number = value as? NSNumber ?? (value as? any BinaryInteger).map(NSNumber.init(integer:)) else {
                return nil
            }
            self = .int(Self.truncated(number.int64Value, to: kind))
        case .bool:
            guard let number = value as? NSNumber else { return nil }
            self = .int(number.boolValue ? 1 : 0)
        case .double:
            if let real = Self.plainReal(value) {
                self = .double(real)
                return
            }
            guard let number = value as? NSNumber else { return nil }
            self = .double(number.doubleValue)
        case .float:
            guard let number = value as? NSNumber else { return nil }
            self = .double(Double(number.floatValue))
        case .date:
            guard let date = value as? Date else { return nil }
            self = .double(date.timeIntervalSinceReferenceDate)
        case .decimal:
            if let decimal = value as? Decimal {
                self = .decimal(decimal)
            } else if let number = value as? NSNumber {
                self = .decimal(DecimalStorage.plainDecimal(of: number))
            } else {
                return nil
            }
        case .string:
            guard let string = value as? String else { return nil }
            self = .string(string)
        case .uri:
            guard let url = value as? URL else { return nil }
            self = .object(BoxedValue(url))
        case .uuid:
            guard let uuid = value as? UUID else { return nil }
            self = .uuid(uuid)
        case .data:
            guard let data = value as? Data else { return nil }
            self = .data(data)
        case .objectID:
            guard value is any ObjectIdentifying else { return nil }
            self = .object(BoxedValue(value))
        case .transformable, .undefined, .composite, .fetched, .toOne, .toMany:
            self = .object(BoxedValue(withoutAnyHashable(value)))
        }
    }

    /// An integer of the usual types, without the detour by way of an object that a cast to `NSNumber` takes, and without a cast, which
    /// costs hundreds of instructions.
    private static func plainInteger(_ value: Any) -> Int64? {
        func opened<Value>(_ value: Value) -> Int64? {
            // Safe: the types are the same.
            if Value.self == Int.self || Value.self == Int64.self { return unsafeBitCast(value, to: Int64.self) }
            if Value.self == Int32.self { return Int64(unsafeBitCast(value, to: Int32.self)) }
            if Value.self == Int16.self { return Int64(unsafeBitCast(value, to: Int16.self)) }
            return nil
        }
        return _openExistential(value, do: opened) ?? plainNumber(value)?.int64Value
    }

    /// The same of a number with digits behind the point.
    private static func plainReal(_ value: Any) -> Double? {
        func opened<Value>(_ value: Value) -> Double? {
            // Safe: the types are the same.
            if Value.self == Double.self { return unsafeBitCast(value, to: Double.self) }
            if Value.self == Float.self { return Double(unsafeBitCast(value, to: Float.self)) }
            return nil
        }
        return _openExistential(value, do: opened) ?? plainNumber(value)?.doubleValue
    }

    private static func plainNumber(_ value: Any) -> NSNumber? {
        guard let object = instance(value), type(of: object) == NSNumber.self else { return nil }
        // Safe: it is of that class.
        return unsafeDowncast(object, to: NSNumber.self)
    }

    /// What an integer attribute of that kind has room for.
    @inlinable
    @_spi(Engine) public static func truncated(_ value: Int64, to kind: PropertyKind) -> Int64 {
        switch kind {
        case .int16: Int64(Int16(truncatingIfNeeded: value))
        case .int32: Int64(Int32(truncatingIfNeeded: value))
        default: value
        }
    }

    /// The value as clients get it: numbers as `NSNumber`, so that a cast to any of Swift's number types works.
    package func anyValue(of property: PropertyLayout) -> Any? {
        switch self {
        case .null: return nil
        case .int(let value):
            switch property.kind {
            case .bool: return value != 0 ? SmallNumbers.yes : SmallNumbers.no
            case .int16: return SmallNumbers.int16.number(value) ?? NSNumber(value: Int16(truncatingIfNeeded: value))
            case .int32: return SmallNumbers.int32.number(value) ?? NSNumber(value: Int32(truncatingIfNeeded: value))
            default: return SmallNumbers.int64.number(value) ?? NSNumber(value: value)
            }
        case .double(let value):
            switch property.kind {
            case .date: return Date(timeIntervalSinceReferenceDate: value)
            case .float: return NSNumber(value: Float(value))
            default: return NSNumber(value: value)
            }
        case .string(let value): return value
        case .data(let value): return value
        case .uuid(let value): return value
        case .decimal(let value): return NSDecimalNumber(decimal: value)
        case .reference: return nil
        case .destination(let object): return object
        case .object(let box): return box.value
        }
    }
}

extension NSNumber {
    fileprivate convenience init(integer: any BinaryInteger) {
        self.init(value: Int64(truncatingIfNeeded: integer))
    }
}

extension FieldValue: Equatable {
    /// Equality as change tracking and conflict detection mean it: strings are the same only if their scalars are, as NSString's
    /// are, however a character is composed.
    public static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.data(let left), .data(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.reference(let left), .reference(let right)): left == right
        case (.destination(let left), .destination(let right)): left === right
        case (.object(let left), .object(let right)): areEqual(left.value, right.value)
        default: false
        }
    }

    private static func areEqual(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? AnyHashable, let right = right as? AnyHashable {
            return left == right && ValueIdentity.key(left.base) == ValueIdentity.key(right.base)
        }
        return (left as AnyObject) === (right as AnyObject)
    }
}
