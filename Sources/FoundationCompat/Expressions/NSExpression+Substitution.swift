import Foundation

extension NSExpression {
    /// The expression with constants in place of the variables that are named.
    func substituting(_ variables: [String: Any]) -> NSExpression {
        func substituted(_ expression: NSExpression) -> NSExpression {
            expression.substituting(variables)
        }
        switch form {
        case .constant, .evaluatedObject, .keyPath(nil, _), .keyPathSpecifier, .anyKey, .symbol, .subclass:
            return self
        case .variable(let name):
            guard let value = variables[name] else { return self }
            return instance(value, of: NSExpression.self) ?? NSExpression(forConstantValue: isNull(value) ? nil : value)
        case .keyPath(let operand?, let path):
            return NSExpression(form: .keyPath(operand: substituted(operand), path))
        case .function(let operand, let name, let arguments):
            let form = ExpressionForm.function(
                operand: operand.map(substituted), name: name, arguments: arguments.map(substituted))
            return NSExpression(form: form)
        case .aggregate(let expressions):
            return NSExpression(form: .aggregate(expressions.map(substituted)))
        case .setOperation(let operation, let left, let right):
            return NSExpression(form: .setOperation(operation, substituted(left), substituted(right)))
        case .subquery(let collection, let variable, let predicate):
            // The iterator hides a variable of its name.
            let inner = predicate.withSubstitutionVariables(variables.filter { $0.key != variable })
            let form = ExpressionForm.subquery(
                collection: substituted(collection), variable: variable, predicate: inner)
            return NSExpression(form: form)
        case .conditional(let predicate, let first, let second):
            let form = ExpressionForm.conditional(
                predicate.withSubstitutionVariables(variables), substituted(first), substituted(second))
            return NSExpression(form: form)
        case .block(let block, let arguments):
            return NSExpression(form: .block(block, arguments.map(substituted)))
        case .assignment(let variable, let expression):
            return NSExpression(form: .assignment(variable: variable, substituted(expression)))
        }
    }
}
