import Foundation

extension NSExpression {
    /// The expression with constants in place of the variables that are named.
    func substituting(_ variables: [String: Any]) -> NSExpression {
        switch form {
        case .variable(let name):
            guard let value = variables[name] else { return self }
            return instance(value, of: NSExpression.self) ?? NSExpression(forConstantValue: isNull(value) ? nil : value)
        case .subquery(let collection, let variable, let predicate):
            // The iterator hides a variable of its name.
            let inner = predicate.withSubstitutionVariables(variables.filter { $0.key != variable })
            let form = ExpressionForm.subquery(
                collection: collection.substituting(variables), variable: variable, predicate: inner)
            return NSExpression(form: form)
        default:
            return mapped({ $0.substituting(variables) }, { $0.withSubstitutionVariables(variables) })
        }
    }

    /// The expression with other ones in the place of those that it is made of.
    private func mapped(
        _ other: (NSExpression) -> NSExpression, _ otherPredicate: (NSPredicate) -> NSPredicate
    ) -> NSExpression {
        switch form {
        case .constant, .variable, .evaluatedObject, .keyPath(nil, _), .keyPathSpecifier, .anyKey, .symbol, .subclass:
            return self
        case .keyPath(let operand?, let path):
            return NSExpression(form: .keyPath(operand: other(operand), path))
        case .function(let operand, let name, let arguments):
            return NSExpression(
                form: .function(operand: operand.map(other), name: name, arguments: arguments.map(other)))
        case .aggregate(let expressions):
            return NSExpression(form: .aggregate(expressions.map(other)))
        case .setOperation(let operation, let left, let right):
            return NSExpression(form: .setOperation(operation, other(left), other(right)))
        case .subquery(let collection, let variable, let predicate):
            return NSExpression(
                form: .subquery(
                    collection: other(collection), variable: variable, predicate: otherPredicate(predicate)))
        case .conditional(let predicate, let first, let second):
            return NSExpression(form: .conditional(otherPredicate(predicate), other(first), other(second)))
        case .block(let block, let arguments):
            return NSExpression(form: .block(block, arguments.map(other)))
        case .assignment(let variable, let expression):
            return NSExpression(form: .assignment(variable: variable, other(expression)))
        }
    }
}

// MARK: What is read of objects

extension NSExpression {
    /// Whether a key path of a constant, such as `$object.name` once the variable has a value, is in the expression, or a
    /// collection that follows an object.
    fileprivate var readsObjects: Bool {
        switch form {
        case .constant(let value): return Elements.mayFollowObject(value)
        case .variable, .evaluatedObject, .keyPath(nil, _), .keyPathSpecifier, .anyKey, .symbol, .subclass:
            return false
        case .keyPath(let operand?, _):
            if case .constant = operand.form { return true }
            return operand.readsObjects
        case .function(let operand, _, let arguments):
            return operand?.readsObjects ?? false || arguments.contains(where: \.readsObjects)
        case .aggregate(let expressions): return expressions.contains(where: \.readsObjects)
        case .setOperation(_, let left, let right): return left.readsObjects || right.readsObjects
        case .subquery(let collection, _, let predicate):
            return collection.readsObjects || predicate.readsObjects
        case .conditional(let predicate, let first, let second):
            return predicate.readsObjects || first.readsObjects || second.readsObjects
        case .block(_, let arguments): return arguments.contains(where: \.readsObjects)
        case .assignment(_, let expression): return expression.readsObjects
        }
    }

    fileprivate func withObjectsRead() -> NSExpression {
        if case .constant(let value) = form, let value, Elements.mayFollowObject(value) {
            return Elements(value).map { NSExpression(forConstantValue: $0.rebuilt($0.values)) } ?? self
        }
        let resolved = mapped({ $0.withObjectsRead() }, { $0.withObjectsRead() })
        guard case .keyPath(let operand?, _) = resolved.form, case .constant = operand.form else { return resolved }
        var scope = EvaluationScope(bindings: nil, strictness: .throwing)
        do {
            return NSExpression(forConstantValue: try resolved.value(for: nil, &scope))
        } catch {
            // Evaluating the predicate says what is wrong with it.
            return resolved
        }
    }
}

extension NSPredicate {
    fileprivate var readsObjects: Bool {
        switch self {
        case let compound as NSCompoundPredicate: compound.subpredicates.contains(where: \.readsObjects)
        case let comparison as NSComparisonPredicate:
            comparison.leftExpression.readsObjects || comparison.rightExpression.readsObjects
        default: false
        }
    }

    /// The predicate with the values of key paths of constants in their place, and copies of live collections. The objects are read now, on the thread that may use
    /// them, and not while a store reads its rows.
    package func withObjectsRead() -> NSPredicate {
        guard readsObjects else { return self }
        switch self {
        case let compound as NSCompoundPredicate:
            return NSCompoundPredicate(
                type: compound.compoundPredicateType,
                subpredicates: compound.subpredicates.map { $0.withObjectsRead() })
        case let comparison as NSComparisonPredicate:
            return comparison.with(
                left: comparison.leftExpression.withObjectsRead(),
                right: comparison.rightExpression.withObjectsRead())
        default: return self
        }
    }
}
