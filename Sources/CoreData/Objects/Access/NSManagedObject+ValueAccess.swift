@_spi(Engine) import CoreDataRows
import Foundation

// What generated accessors call for the types that have accessors of their own beside numbers and strings.
extension NSManagedObject {
    /// A date attribute; nil when it has no value.
    @_spi(GeneratedCode) public final func dateValue(for key: ManagedPropertyKey) -> Date? {
        doubleValue(for: key).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    /// Sets a date attribute.
    @_spi(GeneratedCode) public final func setDateValue(_ value: Date?, for key: ManagedPropertyKey) {
        let property = stored(key)
        guard property.kind == .date, property.holdsDoubles else { return setValue(value, of: property) }
        change(property, to: value.map { .double($0.timeIntervalSinceReferenceDate) } ?? .null)
    }

    /// A binary data attribute; nil when it has no value.
    @_spi(GeneratedCode) public final func dataValue(for key: ManagedPropertyKey) -> Data? {
        value(for: key, as: Data.self)
    }

    /// Sets a binary data attribute.
    @_spi(GeneratedCode) public final func setDataValue(_ value: Data?, for key: ManagedPropertyKey) {
        setAnyValue(value, for: key)
    }

    /// A UUID attribute; nil when it has no value.
    @_spi(GeneratedCode) public final func uuidValue(for key: ManagedPropertyKey) -> UUID? {
        value(for: key, as: UUID.self)
    }

    /// Sets a UUID attribute.
    @_spi(GeneratedCode) public final func setUUIDValue(_ value: UUID?, for key: ManagedPropertyKey) {
        setAnyValue(value, for: key)
    }

    /// A URI attribute; nil when it has no value.
    @_spi(GeneratedCode) public final func urlValue(for key: ManagedPropertyKey) -> URL? {
        value(for: key, as: URL.self)
    }

    /// Sets a URI attribute.
    @_spi(GeneratedCode) public final func setURLValue(_ value: URL?, for key: ManagedPropertyKey) {
        setAnyValue(value, for: key)
    }

    /// A decimal attribute; nil when it has no value.
    @_spi(GeneratedCode) public final func decimalValue(for key: ManagedPropertyKey) -> Decimal? {
        value(for: key, as: NSDecimalNumber.self)?.decimalValue
    }

    /// Sets a decimal attribute.
    @_spi(GeneratedCode) public final func setDecimalValue(_ value: Decimal?, for key: ManagedPropertyKey) {
        setAnyValue(value.map { NSDecimalNumber(decimal: $0) }, for: key)
    }
}
