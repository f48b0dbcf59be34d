/// An optional of any kind, for looking into an `Any` that holds one.
package protocol OptionalValue {
    var erased: Any? { get }
}

extension Optional: OptionalValue {
    package var erased: Any? { map { $0 as Any } }
}

extension Optional where Wrapped == Any {
    /// The value without the optionals that it is wrapped in: an `Any` may hold an `Optional.none`.
    package static func flattened(_ value: Any?) -> Any? {
        guard let value else { return nil }
        guard let nested = value as? any OptionalValue else { return value }
        return flattened(nested.erased)
    }
}
