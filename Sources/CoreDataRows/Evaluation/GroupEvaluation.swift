import Foundation
import FoundationCompat
import ManagedObjectModel

/// Evaluates expressions over a group of records: `sum:(pages)` over all of them, anything else over the first.
package struct GroupEvaluation {
    private let entity: EntityLayout
    /// What names stand for besides properties: the columns of the group's dictionary.
    var namedValues: [String: Any?] = [:]

    package init(_ entity: EntityLayout) { self.entity = entity }

    // MARK: Without values

    /// Whether the expression has a value for a group of records rather than for a record.
    func hasAggregate(_ expression: NSExpression) -> Bool {
        switch expression.form {
        case .function(nil, let name, let arguments):
            if isAggregate(name, arguments) { return true }
            return arguments.contains(where: hasAggregate)
        case .keyPath(nil, let path): return path.keys[0].hasPrefix("@")
        case .conditional(_, let yes, let no): return hasAggregate(yes) || hasAggregate(no)
        default: return false
        }
    }

    /// - Throws: an error that names the key which the entity doesn't have.
    func check(_ expression: NSExpression) throws {
        switch expression.form {
        case .keyPath(nil, let path):
            if namedValues[path.string] == nil { _ = try FetchedKeyPath(path.string, from: entity) }
        case .function(nil, _, let arguments): for argument in arguments { try check(argument) }
        case .conditional(_, let yes, let no):
            try check(yes)
            try check(no)
        default: break
        }
    }

    private func isAggregate(_ name: String, _ arguments: [NSExpression]) -> Bool {
        guard arguments.count == 1, EntityAggregate.functions.contains(name) else { return false }
        switch arguments[0].form {
        // A path that doesn't exist is found wrong where it is evaluated.
        case .keyPath(nil, let path): return (try? FetchedKeyPath(path.string, from: entity))?.passesToMany != true
        case .aggregate, .setOperation, .subquery: return false
        case .constant(let value): return !(value is [Any])
        default: return true
        }
    }

    // MARK: With values

    /// The value for a group; nil has none.
    package func value<Record: KeyValueCoding>(of expression: NSExpression, _ group: [Record]) throws -> Any? {
        switch expression.form {
        case .keyPath(nil, let path) where path.keys[0].hasPrefix("@"):
            return try KeyValueAccess.value(of: group, at: path, .throwing)
        case .keyPath(nil, let path) where entity.property(named: path.keys[0]) == nil:
            if let named = namedValues[path.string] { return named }
        case .variable(let name): if let named = namedValues[name] { return named }
        case .function(nil, let name, let arguments):
            if isAggregate(name, arguments) {
                let values = try group.compactMap { try Self.plain(Self.value(of: arguments[0], $0)) }
                return try Self.call(name, [values])
            }
            return try Self.call(name, try arguments.map { try value(of: $0, group) })
        case .conditional(let predicate, let yes, let no):
            return try isTrue(predicate, group) ? value(of: yes, group) : value(of: no, group)
        case .aggregate(let elements): return try elements.map { try value(of: $0, group) ?? NSNull() }
        default: break
        }
        return try Self.value(of: expression, group.first)
    }

    /// The value for a group, or what the function `total` makes of its records' values.
    func value<Record: KeyValueCoding>(of expression: NSExpression, total: String?, _ group: [Record]) throws -> Any? {
        guard let total else { return try value(of: expression, group) }
        return try Self.call(total, [try group.compactMap { try Self.plain(Self.value(of: expression, $0)) }])
    }

    /// Whether a group meets a condition.
    func isTrue<Record: KeyValueCoding>(_ predicate: NSPredicate, _ group: [Record]) throws -> Bool {
        switch predicate {
        case let compound as NSCompoundPredicate:
            switch compound.compoundPredicateType {
            case .and: return try compound.subpredicates.allSatisfy { try isTrue($0, group) }
            case .or: return try compound.subpredicates.contains { try isTrue($0, group) }
            case .not: return try !(compound.subpredicates.first.map { try isTrue($0, group) } ?? false)
            }
        case let comparison as NSComparisonPredicate where comparison.predicateOperatorType != .customSelector:
            try check(comparison.leftExpression)
            try check(comparison.rightExpression)
            let evaluated = NSComparisonPredicate(
                leftExpression: NSExpression(forConstantValue: try value(of: comparison.leftExpression, group)),
                rightExpression: NSExpression(forConstantValue: try value(of: comparison.rightExpression, group)),
                modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
                options: comparison.options)
            return try evaluated.checkedEvaluate(with: nil)
        default: return try predicate.checkedEvaluate(with: group.first)
        }
    }

    private static func value(of expression: NSExpression, _ record: Any?) throws -> Any? {
        var scope = EvaluationScope(bindings: nil, strictness: .throwing)
        return try expression.value(for: record, &scope)
    }

    private static func plain(_ value: Any?) -> Any? { value is NSNull ? nil : value }

    private static func call(_ name: String, _ arguments: [Any?]) throws -> Any? {
        let constants = arguments.map { NSExpression(forConstantValue: $0) }
        let function = NSExpression(form: .function(operand: nil, name: name, arguments: constants))
        return try value(of: function, nil)
    }
}
