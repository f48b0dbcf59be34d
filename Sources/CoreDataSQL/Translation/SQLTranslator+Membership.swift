import Foundation
import FoundationCompat
import ManagedObjectModel

extension SQLTranslator {
    /// `element IN collection`, which also stands for `collection CONTAINS element`.
    package func membership(of element: SQLOperand, in collection: SQLOperand, _ comparison: SQLComparison) throws
        -> SQLCondition
    {
        let equality = comparison.with(.equalTo)
        switch collection {
        case .collection(let rows):
            if case .collection(let other) = element {
                throw SQLQueryError.toManyNotAllowed(other.keyPath)
            }
            return try isMember(of: rows) { translator, member in try translator.compare(member, element, equality) }
        case .rows(let rows, let type):
            return try membership(of: element, inRows: rows, type, comparison)
        case .list(let members):
            return .any(try members.map { try compare(element, $0, equality) })
        case .constant(let value):
            if let members = SQLConstantCollection.elements(of: value) {
                return try membership(of: element, inConstants: members, comparison)
            }
            // A string contains its substrings.
            if case .scalar(_, .string) = element {
                return try stringCondition(collection, element, comparison.with(.contains))
            }
        case .scalar(_, .string):
            return try stringCondition(collection, element, comparison.with(.contains))
        case .scalar:
            break
        }
        throw SQLQueryError.unsupported("The comparison \(comparison)", because: "IN needs a collection")
    }

    /// The longest list that is bound value by value. A longer one is one parameter, so that neither the number of
    /// SQLite's parameters is a limit nor the statement's text depends on the number.
    private static let longestBoundList = 32

    private func membership(
        of element: SQLOperand, inConstants members: [Any], _ comparison: SQLComparison
    ) throws -> SQLCondition {
        guard case .scalar(let value, let type) = element else {
            return .any(try members.map { try compare(element, .constant($0), comparison.with(.equalTo)) })
        }
        if case .entityName(let entity) = type {
            return try named(value, entity) { name in
                try members.contains { try comparison.with(.equalTo).evaluate(name, $0) }
            }
        }
        var includesNull = false
        var bindings: [SQLBinding] = []
        for member in members {
            switch bind(member, as: type) {
            case .null: includesNull = true
            case .value(let binding): bindings.append(binding)
            case .other: break
            }
        }
        var conditions: [SQLCondition] = includesNull ? [.sql("\(value) IS NULL")] : []
        if !bindings.isEmpty { conditions.append(.sql(try memberSQL(value, type, bindings, comparison))) }
        return .any(conditions)
    }

    private func memberSQL(
        _ value: SQLFragment, _ type: SQLValueType, _ bindings: [SQLBinding], _ comparison: SQLComparison
    ) throws -> SQLFragment {
        guard scope.dialect.runsOwnFunctions else {
            if type.isString, !comparison.isBinary { throw SQLDialect.needsOwnFunction("The comparison \(comparison)") }
            return try scope.dialect.isMember(value, type, of: bindings)
        }
        if type.isString, !comparison.isBinary {
            let compare = SQLFragment(SQLStringFunction.compare.rawValue)
            let elements = SQLValueList.textElements(bindings)
            return """
                EXISTS (SELECT 1 FROM json_each(\(bind: elements.list)) \
                WHERE \(compare)(\(value), \(elements.value), \(comparison.optionsArgument)) = 0)
                """
        }
        if case .transformable(let property) = type {
            let member: SQLFragment = "\(raw: SQLStringFunction.unpack.rawValue)(json_each.value)"
            return """
                EXISTS (SELECT 1 FROM json_each(\(bind: SQLValueList.packed(bindings))) \
                WHERE \(SQLArchiveEquality.sql(value, member, property)))
                """
        }
        if bindings.count == 1 { return "\(value) = \(bind: bindings[0])" }
        guard bindings.count > Self.longestBoundList else {
            return "\(value) IN (\(bindings.map { SQLFragment.bind($0) }.joined(separator: ", ")))"
        }
        return "\(value) IN (\(SQLValueList.select(bindings)))"
    }
}
