import Foundation

/// What a class adopts whose objects can be told by a predicate: managed objects, by their entity.
package protocol EntityTestable {
    /// The condition that the value of an expression is an object of this class; nil where that can't be told.
    static func condition(that subject: NSExpression) -> NSPredicate?
}

extension ClassicConversion {
    /// The condition that a value is of a class.
    ///
    /// - Parameter word: how the program asks for it.
    fileprivate func condition(that subject: NSExpression, _ word: String, _ type: Any.Type) throws -> NSPredicate {
        guard let told = type as? any EntityTestable.Type, let condition = told.condition(that: subject) else {
            throw Unsupported(
                description: "\"\(word) \(type)\" has no form: only the class of an entity in a loaded model has one")
        }
        return condition
    }
}

extension PredicateExpressions.TypeCheck: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        if Input.Output.self == Desired.self { return .predicate(NSPredicate(value: true)) }
        return .predicate(try conversion.condition(that: conversion.expression(input), "is", Desired.self))
    }
}

/// `$0 as? Novel`, which has a value where the object is of the class.
protocol OptionalCast {
    /// The condition that it is, and the object; nil where it always is.
    func parts(_ conversion: inout ClassicConversion) throws -> (condition: NSPredicate, subject: NSExpression)?
}

extension PredicateExpressions.ConditionalCast: ClassicConvertible, OptionalCast {
    func parts(_ conversion: inout ClassicConversion) throws -> (condition: NSPredicate, subject: NSExpression)? {
        if Input.Output.self == Desired.self { return nil }
        let subject = try conversion.expression(input)
        return (try conversion.condition(that: subject, "as?", Desired.self), subject)
    }

    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        guard let (condition, subject) = try parts(&conversion) else {
            return .expression(try conversion.expression(input))
        }
        return .expression(conversion.value(subject, where: condition))
    }
}

// The keys of the other type are simply followed: the program says that every object is of the class.
extension PredicateExpressions.ForceCast: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .expression(try conversion.expression(input))
    }
}

extension PredicateExpressions.CollectionIndexSubscript: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        try conversion.function(.index, wrapped, index)
    }
}

extension PredicateExpressions.DictionaryKeySubscript: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        try conversion.function(.index, wrapped, key)
    }
}

extension PredicateExpressions.StringContainsRegex: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        // A part that can't be evaluated without an object isn't constant, which is thrown.
        guard let pattern = try? regex.evaluate(PredicateBindings()) as? PredicateExpressions.PredicateRegex else {
            throw ClassicConversion.Unsupported(description: "A regular expression that isn't constant has no form")
        }
        // MATCHES is about the whole string; (?s) lets the dots stand for line breaks, and ends with the group.
        let whole = NSExpression(forConstantValue: "(?s:.*)(?:\(pattern.stringRepresentation))(?s:.*)")
        return .predicate(conversion.compare(try conversion.expression(subject), .matches, whole))
    }
}
