import Foundation

extension NSExpression {
    /// A value that an expression has for every object.
    struct Constant {
        let value: Any?

        /// What its elements are looked up by, if it is a collection of values that all have a key.
        var keys: Set<ValueIdentity.Key>? {
            guard case .collection(let collection) = EvaluatedValue(value), let elements = Elements(collection)
            else { return nil }
            var keys: Set<ValueIdentity.Key> = []
            for element in elements.values {
                guard !(element is NSExpression), let key = ValueIdentity.key(element) else { return nil }
                if case .other = key, let object = element as? any PredicateComparableObject,
                    object.predicateIdentityMayChange
                {
                    return nil
                }
                keys.insert(key)
            }
            return keys
        }
    }

    /// The value, if it doesn't depend on the evaluated object or on variables.
    var constantForAllObjects: Constant? {
        switch form {
        case .constant(let value):
            if let elements = (value as? [Any]), elements.contains(where: { $0 is NSExpression }) { return nil }
            return Constant(value: value)
        case .aggregate(let expressions):
            var values: [Any] = []
            for expression in expressions {
                guard let value = expression.constantInAggregate else { return nil }
                values.append(value)
            }
            return Constant(value: values)
        default:
            return nil
        }
    }

    /// The value as an element of an array, `NSNull` for a missing one; nil for what is no constant.
    var constantInAggregate: Any? {
        guard let constant = constantForAllObjects else { return nil }
        return constant.value ?? NSNull()
    }
}
