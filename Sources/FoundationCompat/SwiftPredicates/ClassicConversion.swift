import Foundation

/// Turns what `#Predicate` makes into predicates and expressions.
struct ClassicConversion {
    /// What has no classic form.
    struct Unsupported: LocalizedError, CustomStringConvertible {
        let description: String

        var errorDescription: String? { description }
    }

    /// What the variables of closures stand for.
    private(set) var variables: [PredicateExpressions.VariableID: NSExpression]
    private var iterators = 0

    init(input: PredicateExpressions.VariableID) {
        variables = [input: NSExpression.expressionForEvaluatedObject()]
    }

    mutating func content(_ part: Any) throws -> FormatNode.Content {
        do {
            guard let convertible = part as? any ClassicConvertible else {
                throw Unsupported(description: "NSPredicate has no form for \(type(of: part))")
            }
            return try convertible.classic(&self)
        } catch {
            // What doesn't depend on the object has a value now.
            guard let part = part as? any PredicateExpression, let value = Self.constant(part) else { throw error }
            return .expression(NSExpression(forConstantValue: value))
        }
    }

    /// The value of a part that is the same for every object, where predicates know values of its type.
    static func constant(_ part: some PredicateExpression) -> Any? {
        // A part that can't be evaluated without an object isn't constant; the caller throws what the part itself can't be.
        guard let value = try? part.evaluate(PredicateBindings()) else { return nil }
        if let result = value as? ComparisonResult { return NSNumber(value: result.rawValue) }
        if case .object(let object) = EvaluatedValue(value), !(object is URL), !(type(of: object) is AnyClass) {
            return nil
        }
        return value
    }

    /// The part as a condition; a Boolean value is one that is true.
    mutating func predicate(_ part: Any) throws -> NSPredicate {
        switch try content(part) {
        case .predicate(let predicate): return predicate
        case .expression(let expression):
            if case .constant(let value) = expression.form, let number = NumericValue(value) {
                return NSPredicate(value: number.isTrue)
            }
            return compare(expression, .equalTo, NSExpression(forConstantValue: NSNumber(value: true)))
        }
    }

    /// The part as a value; a condition is a Boolean.
    mutating func expression(_ part: Any) throws -> NSExpression {
        switch try content(part) {
        case .expression(let expression): return expression
        case .predicate(let predicate):
            return flag(predicate)
        }
    }

    /// A condition as a Boolean value.
    func flag(_ predicate: NSPredicate) -> NSExpression {
        NSExpression(
            forConditional: predicate, trueExpression: NSExpression(forConstantValue: NSNumber(value: true)),
            falseExpression: NSExpression(forConstantValue: NSNumber(value: false)))
    }

    func compare(
        _ left: NSExpression, _ type: NSComparisonPredicate.Operator, _ right: NSExpression,
        _ options: NSComparisonPredicate.Options = []
    ) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: .direct, type: type, options: options)
    }

    /// A comparison of two parts.
    mutating func comparison(
        _ left: Any, _ type: NSComparisonPredicate.Operator, _ right: Any
    ) throws -> FormatNode.Content {
        .predicate(compare(try expression(left), type, try expression(right)))
    }

    /// A function of parts.
    mutating func function(_ function: BuiltInFunction, _ parts: Any...) throws -> FormatNode.Content {
        var arguments: [NSExpression] = []
        for part in parts {
            arguments.append(try expression(part))
        }
        return .expression(NSExpression(form: .function(operand: nil, name: function.rawValue, arguments: arguments)))
    }

    /// The elements of a collection for which a test holds, maybe negated.
    mutating func subquery(
        _ collection: Any, _ variable: PredicateExpressions.VariableID, _ test: Any, negated: Bool = false
    ) throws -> NSExpression {
        let collection = try expression(collection)
        iterators += 1
        let name = "x\(iterators)"
        variables[variable] = NSExpression(forVariable: name)
        let condition = try predicate(test)
        return NSExpression(
            forSubquery: collection, usingIteratorVariable: name,
            predicate: negated ? NSCompoundPredicate(notPredicateWithSubpredicate: condition) : condition)
    }

    /// Whether a collection has elements.
    func isFilled(_ collection: NSExpression, _ filled: Bool) -> FormatNode.Content {
        let count = NSExpression(form: collection.form.appending(["@count"], to: collection))
        return .predicate(compare(count, filled ? .greaterThan : .equalTo, NSExpression(forConstantValue: 0)))
    }

    mutating func bind(_ variable: PredicateExpressions.VariableID, to expression: NSExpression) {
        variables[variable] = expression
    }

    func value(_ variable: PredicateExpressions.VariableID) throws -> NSExpression {
        guard let expression = variables[variable] else {
            throw Unsupported(description: "A variable of the predicate has no value")
        }
        return expression
    }
}

/// A part of a Swift predicate that has a classic form.
protocol ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content
}

extension PredicateFactory where Self: NSPredicate {
    /// The predicate that says what one of Swift's says; nil where a part of it has no classic form, which standard error
    /// then tells of.
    ///
    /// Key paths need registered names (`KeyPathNames`), which generated classes have.
    public init?<Input: NSObject>(_ predicate: Predicate<Input>) {
        do {
            guard let converted = try NSPredicate.converting(predicate) as? Self else { return nil }
            self = converted
        } catch {
            let text = "NSPredicate(_:) can't convert the #Predicate: \(error). It says:\n\(predicate)\n"
            FileHandle.standardError.write(Data(text.utf8))
            return nil
        }
    }
}

extension NSPredicate {
    /// The predicate that says what one of Swift's says. (Our addition: Apple's initialiser just answers nil.)
    ///
    /// - Throws: an error that names the part which has no classic form.
    public static func converting<Input: NSObject>(_ predicate: Predicate<Input>) throws -> NSPredicate {
        var conversion = ClassicConversion(input: predicate.variable.key)
        return try conversion.predicate(predicate.expression)
    }
}
