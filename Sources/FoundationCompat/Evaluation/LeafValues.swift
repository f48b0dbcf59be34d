import Foundation

/// The values that a path over to-many keys leads to, as `ANY` and `ALL` see them.
enum LeafValues {
    /// Calls the body for each value, missing ones included, until it says true. Answers whether it did.
    ///
    /// - Parameter ofElement: whether the object is one of a collection that the path has led to.
    static func visit(
        _ object: Any?, at path: ParsedKeyPath, from start: Int, ofElement: Bool = false,
        _ scope: inout EvaluationScope,
        _ body: (Any?, inout EvaluationScope) throws -> Bool
    ) throws -> Bool {
        var current = object
        for index in start..<path.keys.count {
            let key = path.keys[index]
            guard let value = current, !isNull(value) else { return try body(nil, &scope) }
            if key.utf8.first == UInt8(ascii: "@") {
                let rest = try KeyValueAccess.value(of: value, at: path, from: index, scope.strictness)
                return try visit(rest, &scope, body)
            }
            if case .collection(let collection) = EvaluatedValue(value), let elements = Elements(collection),
                elements.kind != .dictionary
            {
                for element in elements.values
                where try visit(element, at: path, from: index, ofElement: true, &scope, body) {
                    return true
                }
                return false
            }
            current = try KeyValueAccess.value(of: value, forKey: key, scope.strictness)
        }
        // What elements have at the path's end may be collections that are values, such as a list of words.
        if ofElement, let current, isPlain(EvaluatedValue(current)) { return try body(current, &scope) }
        return try visit(current, &scope, body)
    }

    /// Whether a value has no objects in it, so that it is no destination of a relationship.
    private static func isPlain(_ value: EvaluatedValue) -> Bool {
        switch value {
        case .object: return false
        case .collection(let collection):
            guard let elements = Elements(collection) else { return false }
            // Relationships are sets: a list without elements is an empty value.
            if elements.values.isEmpty { return elements.kind == .array }
            return elements.values.allSatisfy { isPlain(EvaluatedValue($0)) }
        default: return true
        }
    }

    /// Calls the body for each element of nested collections, or for the value where it is none.
    static func visit(
        _ value: Any?, _ scope: inout EvaluationScope, _ body: (Any?, inout EvaluationScope) throws -> Bool
    ) throws -> Bool {
        guard case .collection(let collection) = EvaluatedValue(value), let elements = Elements(collection) else {
            return try body(value, &scope)
        }
        for element in elements.values where try visit(element, &scope, body) {
            return true
        }
        return false
    }
}
