import Foundation

/// A chain such as `$0.owner?.name.contains("a")`: what is said of a value, where there is one.
private protocol OptionalChain {
    func chain(_ conversion: inout ClassicConversion) throws -> (wrapped: NSExpression, content: FormatNode.Content)
}

extension PredicateExpressions.OptionalFlatMap: ClassicConvertible, OptionalChain {
    fileprivate func chain(
        _ conversion: inout ClassicConversion
    ) throws -> (wrapped: NSExpression, content: FormatNode.Content) {
        let value = try conversion.expression(wrapped)
        try conversion.bind(variable.key, to: wrapped)
        return (value, try conversion.content(transform))
    }

    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        switch try chain(&conversion) {
        // A key path through a missing value is missing, as the chain is.
        case (_, .expression(let expression)): return .expression(expression)
        case (let wrapped, .predicate(let predicate)):
            return .expression(
                NSExpression(
                    forConditional: conversion.isThere(wrapped), trueExpression: conversion.flag(predicate),
                    falseExpression: NSExpression(forConstantValue: nil)))
        }
    }
}

extension PredicateExpressions.NilCoalesce: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        if let chain = lhs as? any OptionalChain, let otherwise = ClassicConversion.constant(rhs) as? Bool,
            case (let wrapped, .predicate(let predicate)) = try chain.chain(&conversion)
        {
            let isThere = conversion.isThere(wrapped)
            return .predicate(
                otherwise
                    ? NSCompoundPredicate(orPredicateWithSubpredicates: [
                        NSCompoundPredicate(notPredicateWithSubpredicate: isThere), predicate,
                    ]) : NSCompoundPredicate(andPredicateWithSubpredicates: [isThere, predicate]))
        }
        let value = try conversion.expression(lhs)
        return .expression(
            NSExpression(
                forConditional: conversion.isThere(value), trueExpression: value,
                falseExpression: try conversion.expression(rhs)))
    }
}

extension ClassicConversion {
    fileprivate func isThere(_ value: NSExpression) -> NSPredicate {
        compare(value, .notEqualTo, NSExpression(forConstantValue: nil))
    }

    /// `chain == true` and `chain == false`, as conditions that SQL can use an index for; nil for anything else.
    mutating func chain(_ part: Any, is other: some PredicateExpression) throws -> FormatNode.Content? {
        guard let chain = part as? any OptionalChain,
            let wanted = Optional.flattened(Self.constant(other)) as? Bool,
            case (let wrapped, .predicate(let predicate)) = try chain.chain(&self)
        else { return nil }
        return .predicate(
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                isThere(wrapped), wanted ? predicate : NSCompoundPredicate(notPredicateWithSubpredicate: predicate),
            ]))
    }

    /// The first or last element of a collection.
    func element(_ place: ExpressionForm.Symbol, of collection: NSExpression) -> FormatNode.Content {
        let form = ExpressionForm.function(
            operand: nil, name: BuiltInFunction.index.rawValue,
            arguments: [collection, NSExpression(form: .symbol(place))]
        )
        return .expression(NSExpression(form: form))
    }
}
