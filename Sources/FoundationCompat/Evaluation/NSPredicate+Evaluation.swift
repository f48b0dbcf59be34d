import Foundation

extension NSPredicate {
    /// Whether the object meets the condition, or why that can't be told.
    ///
    /// For predicates that come from outside the program: an unknown key, a missing variable or a pattern that is
    /// none throws here, where `evaluate(with:substitutionVariables:)` stops the program. (Our addition.)
    public func checkedEvaluate(with object: Any?, substitutionVariables bindings: [String: Any]? = nil) throws -> Bool
    {
        var scope = EvaluationScope(bindings: bindings, strictness: .throwing)
        return try isTrue(for: object, &scope)
    }

    /// Whether the object meets the condition, as `evaluate(with:)` says it, or why that can't be told.
    package func answer(for object: Any?) throws -> Bool {
        var scope = EvaluationScope(bindings: nil)
        return try isTrue(for: object, &scope)
    }

    /// Whether the object meets the condition; subclasses from outside this module are asked.
    package func isTrue(for object: Any?, _ scope: inout EvaluationScope) throws -> Bool {
        let type = type(of: self)
        if type == NSComparisonPredicate.self {
            return try unsafeDowncast(self, to: NSComparisonPredicate.self).compare(object, &scope)
        }
        if type == NSCompoundPredicate.self {
            return try unsafeDowncast(self, to: NSCompoundPredicate.self).combine(object, &scope)
        }
        return evaluate(with: object, substitutionVariables: scope.bindings)
    }
}

extension NSCompoundPredicate {
    func combine(_ object: Any?, _ scope: inout EvaluationScope) throws -> Bool {
        switch storedType {
        case .and:
            for predicate in storedSubpredicates where try !predicate.isTrue(for: object, &scope) {
                return false
            }
            return true
        case .or:
            for predicate in storedSubpredicates where try predicate.isTrue(for: object, &scope) {
                return true
            }
            return false
        case .not:
            return try !storedSubpredicates[0].isTrue(for: object, &scope)
        }
    }
}
