import Foundation

/// The value transformers by name.
enum ValueTransformerRegistry {
    private static let lock = NSLock()
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var transformers: [NSValueTransformerName: ValueTransformer] = [
        .negateBooleanTransformerName: NegateBooleanTransformer(),
        .isNilTransformerName: IsNilTransformer(),
        .isNotNilTransformerName: IsNotNilTransformer(),
        .keyedUnarchiveFromDataTransformerName: KeyedUnarchiveFromDataTransformer(),
        .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
    ]

    static var names: [NSValueTransformerName] {
        lock.withLock { Array(transformers.keys) }
    }

    static func set(_ transformer: ValueTransformer?, for name: NSValueTransformerName) {
        lock.withLock { transformers[name] = transformer }
    }

    static func transformer(for name: NSValueTransformerName) -> ValueTransformer? {
        if let known = lock.withLock({ transformers[name] ?? transformers[name.asConstant] }) { return known }
        guard let type = NSClassFromString(name.rawValue) as? ValueTransformer.Type else { return nil }
        let made = type.madePlainly(())
        return lock.withLock {
            // Another thread may have been faster.
            let transformer = transformers[name] ?? made
            transformers[name] = transformer
            return transformer
        }
    }
}

/// The opposite of a Boolean.
final class NegateBooleanTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: !(NumericValue(value)?.isTrue ?? false))
    }
}

/// Whether a value is missing.
final class IsNilTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override class func allowsReverseTransformation() -> Bool { false }

    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: EvaluatedValue(value).isNull)
    }
}

/// Whether a value is there.
final class IsNotNilTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override class func allowsReverseTransformation() -> Bool { false }

    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: !EvaluatedValue(value).isNull)
    }
}
