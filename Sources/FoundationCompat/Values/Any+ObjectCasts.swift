import Foundation

/// The value as an instance of a class, if it is one.
///
/// A plain cast of a Swift value to a class bridges it first: a string becomes an object just to see that it isn't
/// the one looked for, and a set of decimals asks for hashes that never end in Foundation on Linux.
@inline(__always)
func instance<Class: AnyObject>(_ value: Any?, of type: Class.Type) -> Class? {
    value.flatMap { instance($0) } as? Class
}

/// The value as the instance of a class that it is; nil where it is a value of another kind of type.
///
/// `as AnyObject` does the same, after it has looked at what a value may be bridged to: some 2,500 instructions.
package func instance(_ value: Any) -> AnyObject? {
    func opened<Value>(_ value: Value) -> AnyObject? {
        // Safe: either is one reference.
        Value.self is AnyClass || Value.self == AnyObject.self ? unsafeBitCast(value, to: AnyObject.self) : nil
    }
    if let instance = _openExistential(value, do: opened) { return instance }
    // It may be one behind a protocol.
    return type(of: value) is AnyClass ? value as AnyObject : nil
}

/// Whether a value is `NSNull`, which stands for a missing one in collections.
@inline(__always)
func isNull(_ value: Any?) -> Bool {
    guard let value else { return false }
    return type(of: value) == NSNull.self
}

/// What is in an `AnyHashable`, or the value: Apple's platforms hand on what is in it where a value becomes an object's.
package func withoutAnyHashable(_ value: Any) -> Any {
    type(of: value) == AnyHashable.self ? (value as! AnyHashable).base : value
}

/// The same of an array's elements, too.
func withoutAnyHashables(_ value: Any) -> Any {
    let value = withoutAnyHashable(value)
    guard let elements = value as? [Any], elements.contains(where: { type(of: $0) == AnyHashable.self }) else {
        return value
    }
    return elements.map(withoutAnyHashable)
}
