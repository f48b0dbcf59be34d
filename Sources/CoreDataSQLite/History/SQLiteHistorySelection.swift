@_spi(Engine) import CoreDataRows
import CoreDataSQL
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
struct SQLiteHistorySelection {
    /// Over `ATRANSACTION`, under the alias t0.
    private(set) var transactions: SQLCondition = .always
    /// Over `ACHANGE`, under the alias c; nil where transactions are selected.
    private(set) var changes: SQLCondition?
    /// Whether the request can be evaluated without the transactions' changes.
    private(set) var needsChanges = false

    private let shape: SQLiteHistoryTables.Shape
    private let schema: SQLiteSchema
    private let coder: SQLValueCoder

    init(_ request: AnyFetchRequest?, shape: SQLiteHistoryTables.Shape, queries: SQLiteQueries) {
        self.shape = shape
        schema = queries.schema
        coder = queries.coder
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
                    "t0.Z_PK IN (SELECT c.ZTRANSACTIONID FROM ACHANGE c WHERE \(selected.fragment))")
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
        case text(column: String, isRequired: Bool)
        case number(SQLFragment)
        case date(SQLFragment)
        case object
        case entity
        case entityName
    }

    private func transactionColumn(_ keyPath: String) -> Column? {
        switch keyPath {
        case "author": return .text(column: "ZAUTHOR", isRequired: false)
        case "contextName": return .text(column: "ZCONTEXTNAME", isRequired: false)
        case "bundleID": return .text(column: "ZBUNDLEID", isRequired: true)
        case "processID": return .text(column: "ZPROCESSID", isRequired: true)
        case "timestamp": return .date("t0.ZTIMESTAMP")
        case "transactionNumber": return .number("t0.Z_PK")
        default: return nil
        }
    }

    private func changeColumn(_ keyPath: String) -> Column? {
        switch keyPath {
        case "changeID": return .number("c.Z_PK")
        case "changeType": return .number("c.ZCHANGETYPE")
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
            return .sql("c.ZTRANSACTIONID IN (SELECT t0.Z_PK FROM ATRANSACTION t0 WHERE \(found.fragment))")
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
        case .text(let name, let isRequired): return textCondition(name, isRequired: isRequired, type, value)
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
        _ column: String, isRequired: Bool, _ type: NSComparisonPredicate.Operator, _ value: Any?
    ) -> SQLCondition? {
        guard type == .equalTo || type == .notEqualTo else { return nil }
        let text: String?
        switch Optional.flattened(value) {
        case nil, is NSNull: text = nil
        case let string as String: text = string
        default: return nil
        }
        let plain = SQLFragment.column(column, of: "t0")
        let number = SQLFragment.column(column + "TS", of: "t0")
        // Texts are kept once, in a table of their own, since macOS 10.14.
        if type == .equalTo, let text, !text.isEmpty, shape.hasStrings {
            return .sql(
                """
                \(plain) = \(bind: .text(text)) OR \
                \(number) IN (SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = \(bind: .text(text)))
                """)
        }
        let kept: SQLFragment = "(SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = \(number))"
        var found = shape.hasStrings ? "IFNULL(\(plain), \(kept))" as SQLFragment : plain
        if isRequired { found = "IFNULL(\(found), '')" }
        let wanted = text.map { SQLBinding.text($0) } ?? .null
        return .sql(type == .equalTo ? "\(found) IS \(bind: wanted)" : "\(found) IS NOT \(bind: wanted)")
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
        guard let value, case .key(let key)? = coder.identity(value) else { return nil }
        return .sql("c.ZENTITYPK = \(bind: .int(key.handle))")
    }

    private func entityCondition(_ name: String?) -> SQLCondition? {
        guard let layout = name.flatMap(schema.model.entity(named:)), let entity = schema.entities[layout.index] else {
            return nil
        }
        return .sql("c.ZENTITY = \(bind: .int(entity.number))")
    }
}
