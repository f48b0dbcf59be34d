import Foundation

/// The literal `nil`, of whatever type.
private protocol NilPart {}
extension PredicateExpressions.NilLiteral: NilPart {}

/// What is said of a value, where there is one.
private struct ChainParts {
    let isThere: NSPredicate
    /// Whether the value is there by its class, and not because a key path leads to it.
    let isCast: Bool
    let content: FormatNode.Content
}

/// A chain such as `$0.owner?.name.contains("a")`.
private protocol OptionalChain {
    func chain(_ conversion: inout ClassicConversion) throws -> ChainParts
}

extension PredicateExpressions.OptionalFlatMap: ClassicConvertible, OptionalChain {
    fileprivate func chain(_ conversion: inout ClassicConversion) throws -> ChainParts {
        if let cast = wrapped as? any OptionalCast, let (condition, subject) = try cast.parts(&conversion) {
            conversion.bind(variable.key, to: subject)
            return ChainParts(isThere: condition, isCast: true, content: try conversion.content(transform))
        }
        let value = try conversion.expression(wrapped)
        conversion.bind(variable.key, to: value)
        return ChainParts(
            isThere: conversion.isThere(value), isCast: false, content: try conversion.content(transform))
    }

    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        let chain = try chain(&conversion)
        let value: NSExpression
        switch chain.content {
        case .expression(let expression):
            // A key path through a missing value is missing, as the chain is.
            if !chain.isCast { return .expression(expression) }
            value = expression
        case .predicate(let predicate): value = conversion.flag(predicate)
        }
        return .expression(conversion.value(value, where: chain.isThere))
    }
}

extension PredicateExpressions.NilCoalesce: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        if let chain = lhs as? any OptionalChain, let otherwise = ClassicConversion.constant(rhs) as? Bool,
            case let parts = try chain.chain(&conversion), case .predicate(let predicate) = parts.content
        {
            let isThere = parts.isThere
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

    /// A value under a condition, and nil otherwise.
    func value(_ value: NSExpression, where condition: NSPredicate) -> NSExpression {
        NSExpression(
            forConditional: condition, trueExpression: value, falseExpression: NSExpression(forConstantValue: nil))
    }

    /// `$0 as? Novel == nil` and `!= nil`, as conditions on the class; nil for anything else.
    mutating func cast(_ part: Any, isMissing: Bool, _ other: Any) throws -> FormatNode.Content? {
        guard let cast = part as? any OptionalCast, other is any NilPart, let parts = try cast.parts(&self) else {
            return nil
        }
        return .predicate(
            isMissing ? NSCompoundPredicate(notPredicateWithSubpredicate: parts.condition) : parts.condition)
    }

    /// `chain == true` and `chain == false`, as conditions that SQL can use an index for; nil for anything else.
    mutating func chain(_ part: Any, is other: some PredicateExpression) throws -> FormatNode.Content? {
        guard let chain = part as? any OptionalChain,
            let wanted = Optional.flattened(Self.constant(other)) as? Bool,
            case let parts = try chain.chain(&self), case .predicate(let predicate) = parts.content
        else { return nil }
        return .predicate(
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                parts.isThere, wanted ? predicate : NSCompoundPredicate(notPredicateWithSubpredicate: predicate),
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
