import Foundation

extension PredicateExpressions.Equal: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        if let chain = try conversion.chain(lhs, is: rhs) ?? conversion.chain(rhs, is: lhs) { return chain }
        if let cast = try conversion.cast(lhs, isMissing: true, rhs) { return cast }
        return try conversion.comparison(lhs, .equalTo, rhs)
    }
}

extension PredicateExpressions.NotEqual: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        if let cast = try conversion.cast(lhs, isMissing: false, rhs) { return cast }
        return try conversion.comparison(lhs, .notEqualTo, rhs)
    }
}

extension PredicateExpressions.Comparison: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        switch op {
        case .lessThan: return try conversion.comparison(lhs, .lessThan, rhs)
        case .lessThanOrEqual: return try conversion.comparison(lhs, .lessThanOrEqualTo, rhs)
        case .greaterThan: return try conversion.comparison(lhs, .greaterThan, rhs)
        case .greaterThanOrEqual: return try conversion.comparison(lhs, .greaterThanOrEqualTo, rhs)
        @unknown default: throw ClassicConversion.Unsupported(description: "NSPredicate has no operator \(op)")
        }
    }
}

extension PredicateExpressions.Conjunction: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .predicate(
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                try conversion.predicate(lhs), try conversion.predicate(rhs),
            ]))
    }
}

extension PredicateExpressions.Disjunction: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .predicate(
            NSCompoundPredicate(orPredicateWithSubpredicates: [
                try conversion.predicate(lhs), try conversion.predicate(rhs),
            ]))
    }
}

extension PredicateExpressions.Negation: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .predicate(NSCompoundPredicate(notPredicateWithSubpredicate: try conversion.predicate(wrapped)))
    }
}

extension PredicateExpressions.SequenceContains: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        if let range = ClassicConversion.range(sequence) {
            return .predicate(try conversion.contains(range, try conversion.expression(element)))
        }
        return try conversion.comparison(element, .in, sequence)
    }
}

extension PredicateExpressions.CollectionContainsCollection: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        try conversion.comparison(base, .contains, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        try conversion.comparison(base, .beginsWith, prefix)
    }
}

extension PredicateExpressions.SequenceContainsWhere: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        let matching = try conversion.subquery(sequence, variable.key, test)
        return conversion.isFilled(matching, true)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        let failing = try conversion.subquery(sequence, variable.key, test, negated: true)
        return conversion.isFilled(failing, false)
    }
}
