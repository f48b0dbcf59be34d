@_spi(Engine) import CoreDataRows
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

extension SQLTranslator {
    /// A fetch request inside a predicate, as a subquery: its keys, the values of its one property, or its count.
    ///
    /// Its predicate knows nothing of the rows around it. Offsets are ignored (Apple: NSFetchRequest, fetchOffset).
    package func subfetch(_ expression: any FetchExpression) throws -> SQLOperand {
        guard expression.requestExpression.isConstant,
            case .constant(let value) = try operand(expression.requestExpression),
            let request = value as? AnyFetchRequest
        else {
            throw SQLQueryError.unsupported("\(expression)", because: "its request isn't known beforehand")
        }
        var fetch = try StoreFetch(request, in: scope.schema.model)
        fetch.offset = 0
        let builder = SQLStatementBuilder(schema: scope.schema, coder: coder)
        let inner = try SQLScope(entity: fetch.entity, inside: scope)
        var translator = SQLTranslator(scope: inner, coder: coder)
        if expression.isCountOnlyRequest {
            fetch.sortDescriptors = nil
            let rows = try builder.fragment(fetch, translator) { _ in "1" }
            return .scalar("(SELECT COUNT(*) FROM \(scope.dialect.derivedTable(rows)))", .integer)
        }
        guard request.resultType == .dictionaryResultType else {
            return .rows(try builder.fragment(fetch, translator) { _ in inner.primaryKey }, .object(fetch.entity))
        }
        guard fetch.propertiesToFetch?.count == 1, let item = fetch.propertiesToFetch?.first,
            fetch.propertiesToGroupBy?.isEmpty ?? true
        else {
            throw SQLQueryError.unsupported("\(expression)", because: "it has to fetch exactly one property")
        }
        translator.allowsGroupAggregates = true
        let column = try DictionaryColumn(item, translator)
        return .rows(try builder.fragment(fetch, translator) { _ in column.sql }, column.type)
    }

    /// Whether a value is among the results of a subfetch.
    package func membership(
        of element: SQLOperand, inRows rows: SQLFragment, _ type: SQLValueType, _ comparison: SQLComparison
    ) throws -> SQLCondition {
        guard comparison.isBinary || !type.isString else {
            throw SQLQueryError.unsupported(
                "The comparison \(comparison)", because: "a subfetch compares byte by byte")
        }
        switch element {
        case .scalar(let value, let valueType):
            return valueType.isComparable(with: type) ? .sql("\(value) IN (\(rows))") : .never
        case .constant(let constant):
            guard case .value(let binding) = bind(constant, as: type) else { return .never }
            return .sql("\(try scope.dialect.constant(binding, beside: type)) IN (\(rows))")
        case .collection(let collection):
            throw SQLQueryError.toManyNotAllowed(collection.keyPath)
        case .list, .rows:
            throw SQLQueryError.unsupported("The comparison \(comparison)", because: "IN looks for one value")
        }
    }
}
