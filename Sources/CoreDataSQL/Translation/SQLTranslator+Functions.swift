@_spi(Engine) import CoreDataRows
import FoundationCompat

@_exported import class FoundationCompat.NSExpression

extension SQLTranslator {
    /// A built-in function of operands that differ from row to row.
    package func function(_ name: String, _ arguments: [NSExpression]) throws -> SQLOperand {
        let function: BuiltInFunction
        switch BuiltInFunction.named(name, argumentCount: arguments.count) {
        case .success(let known): function = known
        case .failure(let problem): throw SQLQueryError.make(problem.explanation)
        }
        if function == .cast { return try cast(arguments[0], to: arguments[1]) }
        if arguments.count == 1, let aggregate = SQLAggregate(rawValue: name) {
            if let result = try self.aggregate(aggregate, of: arguments[0]) { return result }
        }
        if function == .index, case .symbol(.size) = arguments[1].form,
            case .collection(let collection) = try operand(arguments[0])
        {
            return try count(of: collection)
        }
        if function == .indexed { try checkIndex(arguments[1]) }
        let operands = try arguments.map { try scalarOrNull($0) }
        guard let call = try SQLFunctionCall(function, operands, scope.dialect) else {
            throw SQLQueryError.unsupported(
                "The function \(name)",
                because:
                    "it can't be applied to \(operands.map { $0.type?.description ?? "nil" }.joined(separator: " and "))"
            )
        }
        return .scalar(call.sql, call.type)
    }

    /// Checks that the entity has the index that `indexed:by:` names.
    private func checkIndex(_ expression: NSExpression) throws {
        let known = sequence(first: scope.entity) { $0.superlayout }
            .flatMap { FetchIndex.all(of: $0.entity).map(\.name) }
        guard case .constant(let name as String) = expression.form, known.contains(name) else {
            throw SQLQueryError.unsupported(
                "indexed:by: with \(expression)",
                because: "\(scope.entity.name) has "
                    + (known.isEmpty ? "no fetch index" : "the fetch indexes \(known.sorted().joined(separator: ", "))")
            )
        }
    }

    /// `sum:` and its kind over the values of a to-many, or, where rows are grouped, over the rows of the group.
    private func aggregate(_ aggregate: SQLAggregate, of argument: NSExpression) throws -> SQLOperand? {
        if !allowsGroupAggregates, EntityAggregate.isApplied(to: argument, of: scope.entity) {
            return try entityAggregate(aggregate, of: argument)
        }
        switch try operand(argument) {
        case .collection(let collection):
            return try self.aggregate(aggregate, of: collection)
        case .scalar(let value, let type) where allowsGroupAggregates:
            let (sql, resultType) = try aggregate.apply(to: value, type, of: "\(argument)", scope.dialect)
            return .scalar(sql, resultType)
        default:
            return nil
        }
    }

    /// The aggregate over all objects of the entity, whatever else a predicate says: `words == max:(words)`.
    func entityAggregate(_ aggregate: SQLAggregate, of argument: NSExpression) throws -> SQLOperand {
        let inner = try SQLScope(entity: scope.entity, inside: scope)
        let (value, type) = try entering(inner).scalar(argument)
        let (sql, resultType) = try aggregate.apply(to: value, type, of: "\(argument)", scope.dialect)
        let condition = SQLStatementBuilder.entityCondition(inner.entity, includesSubentities: true, inner)
        return .scalar(
            "(SELECT \(sql) FROM \(inner.source)\(SQLStatementBuilder.whereClause(condition, scope.dialect)))",
            resultType)
    }

    /// `@max.words` from the object itself: the aggregate over all objects of the entity, or, where rows are grouped,
    /// over those of the group.
    func rootOperator(_ keys: ArraySlice<String>) throws -> SQLOperand {
        let whole = keys.joined(separator: ".")
        guard let found = keys.first.flatMap(SQLCollectionOperator.init(rawValue:)),
            found != .unionOfObjects, found != .distinctUnionOfObjects
        else { throw SQLQueryError.unsupported("The key path \(whole)") }
        let rest = keys.dropFirst()
        guard rest.isEmpty == (found == .count), !rest.contains(where: { $0.hasPrefix("@") }) else {
            throw SQLQueryError.unsupported("The key path \(whole)")
        }
        let argument =
            rest.isEmpty
            ? NSExpression.expressionForEvaluatedObject() : NSExpression(forKeyPath: rest.joined(separator: "."))
        let aggregate = SQLAggregate(found)
        guard allowsGroupAggregates else { return try entityAggregate(aggregate, of: argument) }
        let (value, type) = try scalar(argument)
        let (sql, resultType) = try aggregate.apply(to: value, type, of: whole, scope.dialect)
        return .scalar(sql, resultType)
    }

    /// `CAST(value, "type")` to a type that columns have.
    private func cast(_ argument: NSExpression, to name: NSExpression) throws -> SQLOperand {
        guard case .constant(let text as String) = name.form, let target = CastTarget(text),
            let type = SQLValueType(target)
        else {
            throw SQLQueryError.unsupported("CAST to \(name)", because: "no column holds such values")
        }
        let operand = try scalarOrNull(argument)
        guard let sql = try SQLFunctionCall.cast(operand, to: type, target, scope.dialect) else {
            throw SQLQueryError.unsupported(
                "CAST to \(name)", because: "it can't be applied to \(operand.type?.description ?? "nil")")
        }
        return .scalar(sql, type)
    }

    /// The values are those of a set, so each counts once (unlike `@sum`, which looks at each element).
    private func aggregate(_ aggregate: SQLAggregate, of collection: SQLCollection) throws -> SQLOperand? {
        if collection.path.rest.isEmpty, aggregate == .count {
            guard case .scalar(let count, let type) = try count(of: collection) else { return nil }
            return .scalar(scope.dialect.ifMissing(count, "0"), type)
        }
        let rows = try SQLCollectionRows(collection, seenFrom: self)
        guard case .scalar(let value, let type) = try rows.translator.keyPath(collection.path.rest) else {
            throw SQLQueryError.unsupported(
                "\(aggregate.rawValue) over \(collection.path.relationship?.name ?? "self")",
                because: "it has more than one to-many")
        }
        let (sql, resultType) = try aggregate.apply(
            to: "DISTINCT \(value)", type, of: collection.keyPath, scope.dialect)
        let result = try rows.scalar(selecting: sql)
        return .scalar(aggregate == .count ? scope.dialect.ifMissing(result, "0") : result, resultType)
    }

    private func count(of collection: SQLCollection) throws -> SQLOperand {
        let rows = try SQLCollectionRows(collection, seenFrom: self)
        return .scalar(try rows.scalar(selecting: "COUNT(*)"), .integer)
    }

    /// An operand that has one value a row; nil has no type.
    func scalarOrNull(_ expression: NSExpression) throws -> (sql: SQLFragment, type: SQLValueType?) {
        if case .constant(let value) = try operand(expression), case .null = SQLConstant(value)?.binding {
            return ("NULL", nil)
        }
        let (sql, type) = try scalar(expression)
        return (sql, type)
    }

    /// Whether the expression has a value for a group of rows rather than for a row.
    func hasGroupAggregate(_ expression: NSExpression) throws -> Bool {
        switch expression.form {
        case .function(nil, let name, let arguments):
            if SQLAggregate(rawValue: name) != nil, arguments.count == 1 {
                if case .collection = try operand(arguments[0]) { return false }
                return true
            }
            return try arguments.contains { try hasGroupAggregate($0) }
        case .keyPath(nil, let path): return path.keys[0].hasPrefix("@")
        case .conditional(_, let yes, let no):
            return try hasGroupAggregate(yes) || hasGroupAggregate(no)
        default:
            return false
        }
    }
}
