import Foundation

/// Turns values into other values, and maybe back. (Apple: ValueTransformer.)
///
/// The registry may be used from any thread; a transformer is as safe as its subclass makes it.
open class ValueTransformer: NSObject {
    /// The class of what `transformedValue(_:)` answers.
    open class func transformedValueClass() -> AnyClass {
        NSObject.self
    }

    /// Whether `reverseTransformedValue(_:)` may be called.
    open class func allowsReverseTransformation() -> Bool {
        true
    }

    /// The transformed value; the base class answers the value itself.
    open func transformedValue(_ value: Any?) -> Any? {
        value
    }

    /// The value that `transformedValue(_:)` makes the given one of; the base class calls that.
    ///
    /// Stops the program where the class doesn't allow it, as Apple's raises.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
        guard type(of: self).allowsReverseTransformation() else {
            fatalError("\(type(of: self)) doesn't allow reverse transformation")
        }
        return transformedValue(value)
    }
}
