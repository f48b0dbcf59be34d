import Foundation

/// What an expression is made of.
package indirect enum ExpressionForm {
    /// The operators over two collections.
    package enum SetOperation: Sendable {
        case union, intersect, minus
    }

    /// The named places of a collection in `array[FIRST]`.
    package enum Symbol: String, Sendable {
        case first = "FIRST"
        case last = "LAST"
        case size = "SIZE"
    }

    case constant(Any?)
    case evaluatedObject
    case variable(String)
    /// A path from the operand's value, or from the evaluated object where there is no operand.
    case keyPath(operand: NSExpression?, ParsedKeyPath)
    case keyPathSpecifier(ParsedKeyPath)
    /// A method of the operand's value, or a built-in function where there is no operand.
    case function(operand: NSExpression?, name: String, arguments: [NSExpression])
    case aggregate([NSExpression])
    case setOperation(SetOperation, NSExpression, NSExpression)
    case subquery(collection: NSExpression, variable: String, predicate: NSPredicate)
    case conditional(NSPredicate, NSExpression, NSExpression)
    case block((Any?, [Any], NSMutableDictionary?) -> Any, [NSExpression])
    case anyKey
    case symbol(Symbol)
    case assignment(variable: String, NSExpression)
    /// A subclass answers for itself.
    case subclass

    /// The call of a method; that of `valueForKeyPath:` with a constant is a key path.
    static func method(of target: NSExpression, name: String, arguments: [NSExpression]) -> ExpressionForm {
        if name == "valueForKey:" || name == "valueForKeyPath:", arguments.count == 1 {
            let path: ParsedKeyPath?
            switch arguments[0].form {
            case .keyPathSpecifier(let specified): path = specified
            case .constant(let value):
                let text = value as? String
                path = name == "valueForKey:" ? text.map { ParsedKeyPath(keys: [$0]) } : text.map(ParsedKeyPath.init)
            default: path = nil
            }
            if let path { return target.form.appending(path.keys, to: target) }
        }
        return .function(operand: target, name: name, arguments: arguments)
    }

    /// The value at these keys of this expression's value; a path that it ends with goes on.
    package func appending(_ keys: [String], to expression: NSExpression) -> ExpressionForm {
        switch self {
        case .keyPath(let operand, let path): return .keyPath(operand: operand, ParsedKeyPath(keys: path.keys + keys))
        case .evaluatedObject: return .keyPath(operand: nil, ParsedKeyPath(keys: keys))
        default: return .keyPath(operand: expression, ParsedKeyPath(keys: keys))
        }
    }

    var hasPath: Bool {
        if case .keyPath = self { true } else { false }
    }

    var expressionType: NSExpression.ExpressionType {
        switch self {
        case .constant: return .constantValue
        case .evaluatedObject: return .evaluatedObject
        case .variable: return .variable
        // Apple archives a path from a variable as a function (seen in the fixture V2toV3.cdm).
        case .keyPath(let operand, _): return operand == nil ? .keyPath : .function
        case .keyPathSpecifier: return .keyPathSpecifier
        case .function: return .function
        case .aggregate: return .aggregate
        case .setOperation(.union, _, _): return .unionSet
        case .setOperation(.intersect, _, _): return .intersectSet
        case .setOperation(.minus, _, _): return .minusSet
        case .subquery: return .subquery
        case .conditional: return .conditional
        case .block: return .block
        case .anyKey: return .anyKey
        case .symbol: return .symbolic
        case .assignment: return .assignment
        case .subclass: return .constantValue
        }
    }
}
