import Foundation

/// Turns values into other values, and maybe back. (Apple: ValueTransformer.)
///
/// The registry may be used from any thread; a transformer is as safe as its subclass makes it.
open class ValueTransformer: NSObject, ValueTransformerFactory {
    /// Makes a transformer.
    public override init() {
        super.init()
    }

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

    // MARK: Registry

    /// Makes a transformer known by a name; nil takes the name back.
    open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        ValueTransformerRegistry.set(transformer, for: name)
    }

    /// The names that are known, in no order.
    open class func valueTransformerNames() -> [NSValueTransformerName] {
        ValueTransformerRegistry.names
    }
}

/// Gives `ValueTransformer` an initialiser that answers a registered object; see `PredicateFactory`.
public protocol ValueTransformerFactory {}

extension ValueTransformerFactory where Self: ValueTransformer {
    /// The transformer that is registered under a name; failing that, a new one of the class with that name, which
    /// is registered then. A class is found by its full name, `Module.Class`.
    public init?(forName name: NSValueTransformerName) {
        guard let transformer = ValueTransformerRegistry.transformer(for: name) as? Self else { return nil }
        self = transformer
    }
}
