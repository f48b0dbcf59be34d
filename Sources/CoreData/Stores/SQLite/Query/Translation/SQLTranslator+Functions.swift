import FoundationCompat

@_exported import class FoundationCompat.NSExpression

extension SQLTranslator {
    /// A built-in function of operands that differ from row to row.
    func function(_ name: String, _ arguments: [NSExpression]) throws -> SQLOperand {
        let function: BuiltInFunction
        switch BuiltInFunction.named(name, argumentCount: arguments.count) {
        case .success(let known): function = known
        case .failure(let problem): throw SQLiteQueryError.make(problem.explanation)
        }
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
        guard let call = SQLFunctionCall(function, operands) else {
            throw SQLiteQueryError.unsupported(
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
            .flatMap { SQLiteFetchIndex.all(of: $0.entity).map(\.name) }
        guard case .constant(let name as String) = expression.form, known.contains(name) else {
            throw SQLiteQueryError.unsupported(
                "indexed:by: with \(expression)",
                because: "\(scope.entity.name) has "
                    + (known.isEmpty ? "no fetch index" : "the fetch indexes \(known.sorted().joined(separator: ", "))")
            )
        }
    }

    /// `sum:` and its kind over the values of a to-many, or, where rows are grouped, over the rows of the group.
    private func aggregate(_ aggregate: SQLAggregate, of argument: NSExpression) throws -> SQLOperand? {
        switch try operand(argument) {
        case .collection(let collection):
            return try self.aggregate(aggregate, of: collection)
        case .scalar(let value, let type) where allowsGroupAggregates:
            let (sql, resultType) = try aggregate.apply(to: value, type, of: "\(argument)")
            return .scalar(sql, resultType)
        default:
            return nil
        }
    }

    /// The values are those of a set, so each counts once (unlike `@sum`, which looks at each element).
    private func aggregate(_ aggregate: SQLAggregate, of collection: SQLCollection) throws -> SQLOperand? {
        if collection.path.rest.isEmpty, aggregate == .count {
            guard case .scalar(let count, let type) = try count(of: collection) else { return nil }
            return .scalar("IFNULL(\(count), 0)", type)
        }
        let rows = try SQLCollectionRows(collection, seenFrom: self)
        guard case .scalar(let value, let type) = try rows.translator.keyPath(collection.path.rest) else {
            throw SQLiteQueryError.unsupported(
                "\(aggregate.rawValue) over \(collection.path.relationship.name)",
                because: "it has more than one to-many")
        }
        let (sql, resultType) = try aggregate.apply(to: "DISTINCT \(value)", type, of: collection.keyPath)
        let result = try rows.scalar(selecting: sql)
        return .scalar(aggregate == .count ? "IFNULL(\(result), 0)" : result, resultType)
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
        case .conditional(_, let yes, let no):
            return try hasGroupAggregate(yes) || hasGroupAggregate(no)
        default:
            return false
        }
    }
}
