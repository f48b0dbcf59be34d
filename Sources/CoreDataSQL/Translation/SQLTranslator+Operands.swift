@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

@_exported import class FoundationCompat.NSExpression
@_exported import class FoundationCompat.NSPredicate

extension SQLTranslator {
    /// One side of a comparison, or an argument of a function.
    package func operand(_ expression: NSExpression) throws -> SQLOperand {
        if expression.isConstant {
            return .constant(try Self.value(of: expression))
        }
        switch expression.form {
        case .evaluatedObject:
            return .scalar(scope.primaryKey, .object(scope.entity))
        case .variable(let name):
            if let named = namedOperands[name], variables[name] == nil { return named }
            let inner = try variable(name)
            return .scalar(inner.primaryKey, .object(inner.entity))
        case .keyPath(let operand, let path):
            return try keyPath(path.keys[...], of: operand)
        case .aggregate(let elements):
            return .list(try elements.map { try deeper().operand($0) })
        case .subquery(let collection, let name, let predicate):
            return .collection(try subquery(over: collection, variable: name, predicate: predicate))
        case .function(nil, let name, let arguments):
            return try deeper().function(name, arguments)
        case .conditional(let predicate, let yes, let no):
            return try deeper().conditional(predicate, yes, no)
        default:
            if let fetch = expression as? any FetchExpression { return try deeper().subfetch(fetch) }
            throw SQLQueryError.unsupported("The expression \(expression)")
        }
    }

    /// An operand that has one value a row.
    package func scalar(_ expression: NSExpression) throws -> (sql: SQLFragment, type: SQLValueType) {
        switch try operand(expression) {
        case .scalar(let sql, let type):
            return (sql, type)
        case .constant(let value):
            guard let bound = SQLConstant(value), let type = bound.type else {
                throw SQLQueryError.unsupported("The constant \(expression)")
            }
            return (.bind(bound.binding), type)
        case .collection(let collection):
            throw SQLQueryError.toManyNotAllowed(collection.keyPath)
        case .list, .rows:
            throw SQLQueryError.unsupported("The list \(expression) as a single value")
        }
    }

    /// The scope whose rows a variable stands for.
    private func variable(_ name: String) throws -> SQLScope {
        guard let scope = variables[name] else {
            throw SQLQueryError.make(
                "the predicate's variable $\(name) has no value",
                suggestion: "Give it one with withSubstitutionVariables(_:).")
        }
        return scope
    }

    private static func value(of expression: NSExpression) throws -> Any? {
        var scope = EvaluationScope(bindings: nil, strictness: .throwing)
        do {
            return try expression.value(for: nil, &scope)
        } catch {
            throw SQLQueryError.make("the expression \(expression) has no value: \(error)")
        }
    }

    // MARK: Key paths

    package func keyPath(_ keys: ArraySlice<String>, of operand: NSExpression?) throws -> SQLOperand {
        guard let operand else { return try keyPath(keys) }
        switch operand.form {
        case .evaluatedObject:
            return try keyPath(keys)
        case .variable(let name):
            return try entering(variable(name)).keyPath(keys)
        case .keyPath(let inner, let path):
            return try keyPath(path.keys[...] + keys, of: inner)
        case .subquery(let collection, let name, let predicate):
            var collection = try subquery(over: collection, variable: name, predicate: predicate)
            collection.path.rest = keys
            return try applyingOperators(of: collection)
        default:
            throw SQLQueryError.unsupported("The key path \(keys.joined(separator: ".")) of \(operand)")
        }
    }

    /// What the keys lead to from the rows of this scope.
    package func keyPath(_ keys: ArraySlice<String>) throws -> SQLOperand {
        if keys.count == 1, let key = keys.first, let named = namedOperands[key],
            prefersNames || scope.entity.property(named: key) == nil
        {
            return named
        }
        if let first = keys.first, first.hasPrefix("@") { return try rootOperator(keys) }
        // What key-value coding finds in a string. After an operator it is an attribute.
        if keys.count > 1, keys.last == "length", !keys[keys.endIndex - 2].hasPrefix("@"),
            case .scalar(let sql, .string) = try keyPath(keys.dropLast()),
            let length = try SQLFunctionCall(.length, [(sql, .string)], scope.dialect)
        {
            return .scalar(length.sql, length.type)
        }
        switch try SQLKeyPathResolver(scope: scope, casts: casts).resolve(keys) {
        case .attribute(let column, let property):
            guard let type = SQLValueType(property) else { throw SQLQueryError.noColumn(property) }
            return .scalar(column, type)
        case .object(let key, let entity): return .scalar(key, .object(entity))
        case .entity(let number, let entity): return .scalar(number, .entity(entity))
        case .entityName(let number, let entity): return .scalar(number, .entityName(entity))
        case .composite(let property):
            throw SQLQueryError.unsupported(
                "The composite attribute \(property.owner.name).\(property.name) as a whole",
                because: "name one of its elements: \(property.elements.map(\.name).joined(separator: ", "))")
        case .toMany(let path):
            return try applyingOperators(of: SQLCollection(path: path))
        }
    }

    // MARK: Conditionals

    private func conditional(_ predicate: NSPredicate, _ yes: NSExpression, _ no: NSExpression) throws -> SQLOperand {
        let condition = scope.dialect.condition(try condition(predicate))
        var whereTrue = self
        if let cast = EntityCast(predicate, from: scope.entity) { whereTrue.casts[cast.path] = cast.entity }
        let (yesSQL, yesType) = try whereTrue.scalarOrNull(yes)
        let (noSQL, noType) = try scalarOrNull(no)
        guard let type = yesType ?? noType, (noType ?? type).isComparable(with: type) else {
            throw SQLQueryError.unsupported(
                "TERNARY of \(yesType?.description ?? "nil") and \(noType?.description ?? "nil")",
                because: "it has no one type")
        }
        return .scalar("(CASE WHEN \(condition) THEN \(yesSQL) ELSE \(noSQL) END)", type)
    }
}

/// What a condition of the form `owner.entity.name IN {"Bird", "Duck"}` says of the object at a path: its entity. `#Predicate` has
/// `$0 as? Bird` so.
private struct EntityCast {
    let path: [String]
    let entity: EntityLayout

    /// - Returns: nil for any other condition.
    init?(_ predicate: NSPredicate, from start: EntityLayout) {
        guard let comparison = predicate as? NSComparisonPredicate, comparison.predicateOperatorType == .in,
            let keys = Self.keys(of: comparison.leftExpression), keys.suffix(2) == ["entity", "name"],
            case .constant(let constant) = comparison.rightExpression.form, let names = constant as? [String]
        else { return nil }
        let entities = names.compactMap { name in start.model.entities.first { $0.name == name } }
        guard entities.count == names.count,
            let entity = entities.first(where: { above in entities.allSatisfy { $0.isKind(of: above) } })
        else { return nil }
        (path, self.entity) = (keys.dropLast(2), entity)
    }

    private static func keys(of expression: NSExpression) -> [String]? {
        switch expression.form {
        case .evaluatedObject: return []
        case .keyPath(nil, let path): return path.keys
        case .keyPath(let operand?, let path): return keys(of: operand).map { $0 + path.keys }
        default: return nil
        }
    }
}
