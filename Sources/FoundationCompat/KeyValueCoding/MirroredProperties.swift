import Foundation

/// The stored properties of Swift values and objects that know nothing of key-value coding.
package enum MirroredProperties {
    /// - Parameter base: the class whose own properties, and those that it inherits, aren't looked at; nil for none.
    package static func value(of object: Any, forKey key: String, below base: AnyClass? = nil) throws -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror, base == nil || current.subjectType as? AnyClass != base {
            for child in current.children {
                if child.label == key {
                    return boxed(child.value)
                }
                // `lazy var name` is stored under this label.
                if let label = child.label, label.hasPrefix("$__lazy_storage_$_"), label.hasSuffix("_" + key) {
                    return boxed(child.value)
                }
            }
            mirror = current.superclassMirror
        }
        throw UndefinedKeyError(object, key: key)
    }

    /// Numbers as `NSNumber`, enumerations by their raw value, everything else as it is.
    private static func boxed(_ value: Any) -> Any? {
        guard let value = Optional.flattened(value) else { return nil }
        if let number = NumericValue(swiftValue: value) {
            return value is Bool ? NSNumber(value: value as! Bool) : number.number
        }
        return value
    }
}
