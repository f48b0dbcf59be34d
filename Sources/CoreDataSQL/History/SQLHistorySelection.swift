@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSComparisonPredicate
@_exported import class FoundationCompat.NSCompoundPredicate
@_exported import class FoundationCompat.NSExpression
@_exported import class FoundationCompat.NSPredicate

/// What a fetch request for history says that SQL can check, so that the rest of a long history isn't read.
///
/// Whatever the request selects meets the condition; ``HistoryFilter`` then evaluates the request over what was read.
package struct SQLHistorySelection {
    /// Over the table of transactions, under the alias t0.
    package private(set) var transactions: SQLCondition = .always
    /// Over the table of changes, under the alias c; nil where transactions are selected.
    package private(set) var changes: SQLCondition?
    /// Whether the request can only be evaluated with the transactions' changes.
    package private(set) var needsChanges = false

    private let tables: SQLHistoryTables
    private let identity: @Sendable (Any) -> StoredIdentity?

    /// - Parameter identity: the row that an object or object ID stands for.
    package init(
        _ request: AnyFetchRequest?, tables: SQLHistoryTables, identity: @escaping @Sendable (Any) -> StoredIdentity?
    ) {
        self.tables = tables
        self.identity = identity
        guard let request else { return }
        let selectsChanges = request.entityName == HistoryEntityName.change
        needsChanges = selectsChanges || Self.mentionsChanges(request)
        if selectsChanges { changes = .always }
        guard let predicate = request.predicate else { return }
        if selectsChanges {
            let selected = condition(predicate, changeColumn)
            changes = selected
            if selected != .always {
                transactions = .sql(
                    """
                    t0.\(tables.transactionKey) IN \
                    (SELECT c.\(tables.changeTransaction) FROM \(tables.changes) c\(tables.clause(selected)))
                    """)
            }
        } else {
            transactions = condition(predicate, transactionColumn)
        }
    }

    private static func mentionsChanges(_ request: AnyFetchRequest) -> Bool {
        if request.sortDescriptors?.contains(where: { $0.key?.hasPrefix("changes") ?? true }) ?? false { return true }
        return request.predicate.map { !usesColumnsOnly($0) } ?? false
    }

    /// Whether a predicate compares transactions' own properties, and nothing else.
    private static func usesColumnsOnly(_ predicate: NSPredicate) -> Bool {
        switch predicate {
        case let compound as NSCompoundPredicate: return compound.subpredicates.allSatisfy(usesColumnsOnly)
        case let comparison as NSComparisonPredicate:
            return [comparison.leftExpression, comparison.rightExpression].allSatisfy { expression in
                if expression.isConstant { return true }
                return keyPath(expression).map { !$0.hasPrefix("changes") } ?? false
            }
        default: return false
        }
    }

    private static func keyPath(_ expression: NSExpression) -> String? {
        guard case .keyPath(nil, let path) = expression.form else { return nil }
        return path.keys.joined(separator: ".")
    }

    // MARK: Columns

    /// What a key path of a history record is in SQL.
    private enum Column {
        case text(SQLHistoryTables.Text)
        case number(SQLFragment)
        case date(SQLFragment)
        case object
        case entity
        case entityName
    }

    private func transactionColumn(_ keyPath: String) -> Column? {
        switch keyPath {
        case "author": return .text(.author)
        case "contextName": return .text(.context)
        case "bundleID": return .text(.bundle)
        case "processID": return .text(.process)
        case "timestamp": return .date("t0.\(tables.timestamp)")
        case "transactionNumber": return .number("t0.\(tables.transactionKey)")
        default: return nil
        }
    }

    private func changeColumn(_ keyPath: String) -> Column? {
        switch keyPath {
        case "changeID": return .number("c.\(tables.changeKey)")
        case "changeType": return .number("c.\(tables.changeType)")
        case "changedObjectID": return .object
        case "changedEntity": return .entity
        case "changedEntity.name": return .entityName
        default: return nil
        }
    }

    // MARK: Conditions

    /// A condition that holds wherever the predicate does.
    private func condition(_ predicate: NSPredicate, _ column: (String) -> Column?) -> SQLCondition {
        switch predicate {
        case let compound as NSCompoundPredicate:
            let parts = compound.subpredicates.map { condition($0, column) }
            switch compound.compoundPredicateType {
            case .and: return .all(parts)
            case .or: return .any(parts)
            case .not: return .always
            }
        case let comparison as NSComparisonPredicate:
            return condition(comparison, column) ?? .always
        default: return .always
        }
    }

    private func condition(_ predicate: NSComparisonPredicate, _ column: (String) -> Column?) -> SQLCondition? {
        guard predicate.comparisonPredicateModifier == .direct, predicate.options.isEmpty else { return nil }
        let comparison = SQLComparison(predicate)
        if let keyPath = Self.keyPath(predicate.leftExpression) {
            return condition(keyPath, comparison.type, predicate.rightExpression, column)
        }
        guard comparison.type != .in, comparison.type != .between, comparison.type != .contains,
            let keyPath = Self.keyPath(predicate.rightExpression)
        else { return nil }
        return condition(keyPath, comparison.mirrored.type, predicate.leftExpression, column)
    }

    private func condition(
        _ keyPath: String, _ type: NSComparisonPredicate.Operator, _ expression: NSExpression,
        _ column: (String) -> Column?
    ) -> SQLCondition? {
        guard expression.isConstant else { return nil }
        let value = expression.expressionValue(with: nil, context: nil)
        if keyPath.hasPrefix("transaction.") {
            let rest = String(keyPath.dropFirst("transaction.".count))
            guard let known = transactionColumn(rest), let found = condition(known, type, value) else { return nil }
            return .sql("c.\(tables.changeTransaction) IN (\(tables.numbers(of: found)))")
        }
        return column(keyPath).flatMap { condition($0, type, value) }
    }

    private func condition(_ column: Column, _ type: NSComparisonPredicate.Operator, _ value: Any?) -> SQLCondition? {
        if type == .in {
            guard let elements = SQLConstantCollection.elements(of: value), elements.count <= Self.longestList else {
                return nil
            }
            let parts = elements.map { condition(column, .equalTo, $0) }
            return parts.contains(nil) ? nil : .any(parts.compactMap(\.self))
        }
        switch column {
        case .text(let text): return textCondition(text, type, value)
        case .number(let sql): return numberCondition(sql, type, value, isDate: false)
        case .date(let sql): return numberCondition(sql, type, value, isDate: true)
        case .object: return type == .equalTo ? objectCondition(value) : nil
        case .entity: return type == .equalTo ? entityCondition((value as? NSEntityDescription)?.name) : nil
        case .entityName: return type == .equalTo ? entityCondition(value as? String) : nil
        }
    }

    /// Longer lists are left to evaluation in memory.
    private static let longestList = 500

    private func textCondition(
        _ column: SQLHistoryTables.Text, _ type: NSComparisonPredicate.Operator, _ value: Any?
    ) -> SQLCondition? {
        guard type == .equalTo || type == .notEqualTo else { return nil }
        switch Optional.flattened(value) {
        case nil, is NSNull: return tables.condition(column, type == .equalTo, nil)
        case let text as String: return tables.condition(column, type == .equalTo, text)
        default: return nil
        }
    }

    private func numberCondition(
        _ column: SQLFragment, _ type: NSComparisonPredicate.Operator, _ value: Any?, isDate: Bool
    ) -> SQLCondition? {
        if type == .between {
            guard let bounds = SQLConstantCollection.elements(of: value), bounds.count == 2,
                let lower = numberCondition(column, .greaterThanOrEqualTo, bounds[0], isDate: isDate),
                let upper = numberCondition(column, .lessThanOrEqualTo, bounds[1], isDate: isDate)
            else { return nil }
            return .all([lower, upper])
        }
        guard let constant = SQLConstant(value), let constantType = constant.type else { return nil }
        if case .date = constantType {
            guard isDate else { return nil }
        } else if isDate || !constantType.isNumber {
            return nil
        }
        switch type {
        case .equalTo: return .sql("\(column) = \(bind: constant.binding)")
        case .notEqualTo: return .sql("\(column) <> \(bind: constant.binding)")
        case .lessThan: return .sql("\(column) < \(bind: constant.binding)")
        case .lessThanOrEqualTo: return .sql("\(column) <= \(bind: constant.binding)")
        case .greaterThan: return .sql("\(column) > \(bind: constant.binding)")
        case .greaterThanOrEqualTo: return .sql("\(column) >= \(bind: constant.binding)")
        default: return nil
        }
    }

    private func objectCondition(_ value: Any?) -> SQLCondition? {
        guard let value, case .key(let key)? = identity(value) else { return nil }
        return .sql("c.\(tables.changeObject) = \(bind: .int(key.handle))")
    }

    private func entityCondition(_ name: String?) -> SQLCondition? {
        guard let number = name.flatMap(tables.entityNumber) else { return nil }
        return .sql("c.\(tables.changeEntity) = \(bind: .int(number))")
    }
}
