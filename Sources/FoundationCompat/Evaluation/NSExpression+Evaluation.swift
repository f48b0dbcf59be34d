import Foundation

extension NSExpression {
    /// The value for an object, or why there is none.
    package func value(for object: Any?, _ scope: inout EvaluationScope) throws -> Any? {
        switch form {
        case .constant(let value): return value
        case .evaluatedObject: return object
        case .variable(let name): return try Self.variable(name, object, &scope)
        case .keyPath(nil, let path): return try KeyValueAccess.value(of: object, at: path, scope.strictness)
        case .keyPath(let operand?, let path):
            return try KeyValueAccess.value(of: operand.value(for: object, &scope), at: path, scope.strictness)
        case .keyPathSpecifier(let path): return path.string
        case .function(let operand, let name, let arguments):
            return try Self.call(name, on: operand, arguments, object, &scope)
        case .aggregate(let expressions):
            return try expressions.map { try $0.value(for: object, &scope) ?? NSNull() }
        case .setOperation(let operation, let left, let right):
            return try Self.combined(operation, left, right, object, &scope)
        case .subquery(let collection, let variable, let predicate):
            return try Self.selected(collection, variable, predicate, object, &scope)
        case .conditional(let predicate, let first, let second):
            return try predicate.isTrue(for: object, &scope)
                ? first.value(for: object, &scope) : second.value(for: object, &scope)
        case .block(let block, let arguments):
            let values = try arguments.map { try $0.value(for: object, &scope) ?? NSNull() }
            return Optional.flattened(block(object, values, scope.context))
        case .anyKey: throw EvaluationError.spotlightOnly
        case .symbol(let symbol): return symbol
        case .assignment(let variable, let expression):
            let value = try expression.value(for: object, &scope)
            scope.bindings = (scope.bindings ?? [:]).merging([variable: value ?? NSNull()]) { _, new in new }
            scope.context?.setObject(value ?? NSNull(), forKey: variable as NSString)
            return value
        case .subclass:
            let context = scope.context ?? NSMutableDictionary(dictionary: scope.bindings ?? [:])
            return expressionValue(with: object, context: context)
        }
    }

    private static func variable(_ name: String, _ object: Any?, _ scope: inout EvaluationScope) throws -> Any? {
        guard let value = scope.bindings?[name] else {
            throw EvaluationError.missingVariable(name)
        }
        if let expression = instance(value, of: NSExpression.self) {
            return try expression.value(for: object, &scope)
        }
        return isNull(value) ? nil : Optional.flattened(value)
    }

    private static func call(
        _ name: String, on operand: NSExpression?, _ arguments: [NSExpression], _ object: Any?,
        _ scope: inout EvaluationScope
    ) throws -> Any? {
        let values = try arguments.map { try $0.value(for: object, &scope) }
        if let operand {
            let target = try operand.value(for: object, &scope)
            return try SelectorFunctions.value(of: target, selector: name, values, scope.strictness)
        }
        switch BuiltInFunction.named(name, argumentCount: values.count) {
        case .success(let function): return function.value(values)
        case .failure(let problem): throw problem
        }
    }

    /// A set if one of the sides is one, otherwise an array without repetitions.
    private static func combined(
        _ operation: ExpressionForm.SetOperation, _ left: NSExpression, _ right: NSExpression, _ object: Any?,
        _ scope: inout EvaluationScope
    ) throws -> Any? {
        func elements(_ expression: NSExpression) throws -> Elements {
            guard let value = try expression.value(for: object, &scope) else {
                return Elements(kind: .set, values: [])
            }
            guard let elements = Elements(value) else { throw EvaluationError.notACollection(expression) }
            return elements
        }
        let left = try elements(left)
        let right = try elements(right)
        let values: [Any]
        switch operation {
        case .union:
            values = left.values + right.values
        case .intersect:
            let keys = Set(right.values.map(ValueIdentity.key))
            values = left.values.filter { keys.contains(ValueIdentity.key($0)) }
        case .minus:
            let keys = Set(right.values.map(ValueIdentity.key))
            values = left.values.filter { !keys.contains(ValueIdentity.key($0)) }
        }
        let kind: Elements.Kind = left.kind == .set || right.kind == .set ? .set : .array
        return CollectionOperator.distinct(values, as: kind)
    }

    private static func selected(
        _ collection: NSExpression, _ variable: String, _ predicate: NSPredicate, _ object: Any?,
        _ scope: inout EvaluationScope
    ) throws -> Any? {
        guard let value = try collection.value(for: object, &scope) else { return nil }
        guard let elements = Elements(value) else { throw EvaluationError.notACollection(collection) }
        let outer = scope.bindings
        defer { scope.bindings = outer }
        let selected = try elements.values.filter { element in
            scope.bindings = outer ?? [:]
            scope.bindings?[variable] = element
            return try predicate.isTrue(for: object, &scope)
        }
        return elements.rebuilt(selected)
    }
}
