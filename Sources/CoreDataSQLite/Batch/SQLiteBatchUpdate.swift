@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import GRDB
import GRDBSQLite
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// Changes rows by one `UPDATE`.
package struct SQLiteBatchUpdate {
    private let environment: SQLiteBatchEnvironment
    private let fetch: StoreFetch
    private let plan: SQLiteRowPlan
    private let columns: BatchColumns
    private var assignments: [SQLFragment] = []
    /// The row slots that are set, in the order of the properties.
    private var slots: [Int] = []

    /// - Throws: an error that names what can't be set, or can't be said in SQL.
    package init(_ fetch: StoreFetch, properties: [AnyHashable: Any], _ environment: SQLiteBatchEnvironment) throws {
        self.environment = environment
        self.fetch = fetch
        plan = SQLiteRowPlan(try environment.schema.entity(fetch.entity))
        columns = BatchColumns(fetch.entity, identity: environment.coder.identity, request: "batch update")
        for (property, value) in try columns.assignments(properties) { try assign(value, to: property) }
        if assignments.isEmpty { throw columns.setsNothing }
    }

    // MARK: Values

    private mutating func assign(_ value: Any, to property: PropertyLayout) throws {
        if let expression = value as? NSExpression {
            let scope = try SQLScope(entity: fetch.entity, schema: environment.schema)
            let operand = try SQLTranslator(scope: scope, coder: environment.coder).operand(expression)
            if case .constant(let constant) = operand {
                try assignConstant(constant ?? NSNull(), to: property)
            } else {
                try assign(expression, to: property)
            }
        } else {
            try assignConstant(value, to: property)
        }
    }

    private mutating func assignConstant(_ value: Any, to property: PropertyLayout) throws {
        for (property, field) in try columns.fields(value, property) {
            guard let place = plan.bindingBySlot[property.rowSlot] else { continue }
            let binding = plan.bindings[place]
            set(try SQLiteColumnValue(field, binding, environment).bindings.map { .bind($0) }, binding)
        }
    }

    private mutating func set(_ values: [SQLFragment], _ binding: SQLiteRowPlan.Binding) {
        for (column, value) in zip(binding.columns, values) { assignments.append("\(.name(column)) = \(value)") }
        slots.append(binding.slot)
    }

    private mutating func assign(_ expression: NSExpression, to property: PropertyLayout) throws {
        guard property.kind != .composite, let place = plan.bindingBySlot[property.rowSlot] else {
            throw columns.failure(property.name, 0, "can't be set to the expression \(expression): name its elements")
        }
        let binding = plan.bindings[place]
        let (sql, type) = try translated(expression)
        guard !binding.isExternal, binding.entityColumn == nil, Self.accepts(type, property) else {
            throw columns.failure(property.name, 0, "can't be set to \(expression), which is \(type.description)")
        }
        set([try guardedSum(expression, sql, type, property) ?? Self.converted(sql, type, to: property)], binding)
    }

    /// A counter that goes up or down by a constant: comparing it with how far it may go costs half as much as looking at the sum.
    ///
    /// - Returns: nil for any other expression.
    private func guardedSum(
        _ expression: NSExpression, _ sql: SQLFragment, _ type: SQLValueType, _ property: PropertyLayout
    ) throws -> SQLFragment? {
        guard case .integer = type, [.int16, .int32, .int64].contains(property.kind),
            expression.expressionType == .function, let arguments = expression.arguments, arguments.count == 2,
            arguments[0].expressionType == .keyPath, arguments[1].expressionType == .constantValue,
            let number = arguments[1].constantValue as? NSNumber, case .integer(let constant) = NumericValue(number)
        else { return nil }
        let step: Int64
        switch BuiltInFunction(rawValue: expression.function) {
        case .add: step = constant
        case .subtract where constant != .min: step = -constant
        default: return nil
        }
        let (counter, type) = try translated(arguments[0])
        guard case .integer = type else { return nil }
        let limit = SQLFragment.number(step > 0 ? Int64.max - step : Int64.min - step)
        let isTooFar: SQLFragment = step > 0 ? "\(counter) > \(limit)" : "\(counter) < \(limit)"
        return "CASE WHEN \(isTooFar) THEN \(Self.tooLarge) ELSE \(sql) END"
    }

    /// The absolute value that there isn't is SQLite's own error of integers.
    private static let tooLarge: SQLFragment = "abs(-9223372036854775807 - 1)"

    /// An expression over the row that is being changed, in a subquery where it goes through relationships.
    private func translated(_ expression: NSExpression) throws -> (SQLFragment, SQLValueType) {
        let target = try SQLScope(entity: fetch.entity, schema: environment.schema)
        let (plain, type) = try SQLTranslator(scope: target, coder: environment.coder).scalar(expression)
        if target.joins.isEmpty { return (plain, type) }
        let row = try SQLScope(entity: fetch.entity, schema: environment.schema)
        let inner = try SQLScope(entity: fetch.entity, inside: row)
        let (sql, _) = try SQLTranslator(scope: inner, coder: environment.coder).scalar(expression)
        return ("(SELECT \(sql) FROM \(inner.source) WHERE \(inner.primaryKey) = \(row.primaryKey))", type)
    }

    private static func accepts(_ type: SQLValueType, _ property: PropertyLayout) -> Bool {
        if property.kind == .toOne {
            guard case .object(let entity) = type, let destination = property.destination else { return false }
            return entity.isKind(of: destination)
        }
        guard let wanted = SQLValueType(property) else { return false }
        if case .transformable = wanted { return false }
        return wanted.isComparable(with: type)
    }

    /// What an integer column is given stays an integer, as a setter would have it.
    private static func converted(_ sql: SQLFragment, _ type: SQLValueType, to property: PropertyLayout) -> SQLFragment
    {
        switch (property.kind, type) {
        case (.int16, .integer), (.int32, .integer), (.int64, .integer): checked(sql)
        case (.bool, .bool): sql
        case (.int16, _), (.int32, _), (.int64, _): "CAST(\(sql) AS INTEGER)"
        case (.bool, _): "(\(sql)) <> 0"
        default: sql
        }
    }

    /// SQLite goes on in floating point where a result has more than 64 bits. Comparing costs less than to ask for the type, which
    /// the least integer and a lack of a value need.
    private static func checked(_ sql: SQLFragment) -> SQLFragment {
        """
        CASE WHEN \(sql) BETWEEN -9223372036854775807 AND 9223372036854775807 THEN \(sql) \
        WHEN typeof(\(sql)) = 'real' THEN \(tooLarge) ELSE \(sql) END
        """
    }

    // MARK: Running

    /// - Throws: `NSManagedObjectConstraintMergeError` where the values have to be unique and aren't.
    package func run(in database: Database, files: inout SQLiteBatchOutcome) throws {
        let history = try SQLiteHistoryRecorder.forStore(
            database, schema: environment.schema, author: environment.author, knownShape: environment.knownHistoryShape)
        let ordered = plan.orderedKeys.contains { slots.contains($0.slot) }
        let derives = !environment.schema.untriggeredValues.isEmpty
        let needsKeys = environment.wanted == .objectIDs || history != nil || ordered || derives
        try collectReplacedFiles(in: database, &files)
        let run = try environment.queries.run(statement(returningKeys: needsKeys), in: database)
        var reader = KeyReader(
            schema: environment.schema, table: plan.entity.table, entity: fetch.entity)
        var keys: [ObjectKey] = []
        try run.forEachRow { keys.append(try reader.key(of: $0, at: 0)) }
        files.count = needsKeys ? keys.count : Int(sqlite3_changes(database.sqliteConnection))
        if environment.wanted == .objectIDs { files.keys = keys }
        guard history != nil || ordered || derives else { return }
        try finish(keys, history, isOrdered: ordered, in: database)
    }

    private func finish(
        _ keys: [ObjectKey], _ history: SQLiteHistoryRecorder?, isOrdered: Bool, in database: Database
    ) throws {
        var history = history
        var relationships = SQLiteRelationshipWriter(database, schema: environment.schema)
        var row = RowChange(key: ObjectKey(handle: 0, entityIndex: 0))
        row.changedSlots = slots
        for key in keys {
            row.key = key
            if isOrdered { try relationships.assignOrderKey(row, plan: plan, isNew: false) }
            try history?.recordUpdate(row)
        }
        try environment.schema.untriggeredValues.write(after: keys, schema: environment.schema, in: database)
        try history?.finish()
    }

    private func statement(returningKeys: Bool) throws -> SQLStatement {
        let table = SQLFragment.name(plan.entity.table)
        let list = (assignments + ["\(.version) = \(.version) + 1"]).joined(separator: ", ")
        let condition = try condition()
        let returning: SQLFragment = returningKeys ? " RETURNING \(.key), \(.entity)" : ""
        return SQLStatement(
            "UPDATE \(table) AS t0 SET \(list)\(SQLStatementBuilder.whereClause(condition))\(returning)")
    }

    /// What the rows have to fulfil, over the table under the alias t0.
    private func condition() throws -> SQLCondition {
        let builder = environment.queries.builder
        let scope = try SQLScope(entity: fetch.entity, schema: environment.schema)
        let condition = try builder.condition(of: fetch, SQLTranslator(scope: scope, coder: environment.coder))
        if scope.joins.isEmpty { return condition }
        let keys = try builder.fragment(fetch) { $0.scope.primaryKey }
        return .sql("t0.\(.key) IN (\(keys))")
    }

    /// Collects the external files of the present values.
    private func collectReplacedFiles(in database: Database, _ files: inout SQLiteBatchOutcome) throws {
        let replaced = plan.bindings.filter { $0.isExternal && slots.contains($0.slot) }
        guard !replaced.isEmpty else { return }
        let names = replaced.map { SQLFragment.column($0.column, of: "t0") }.joined(separator: ", ")
        let table = SQLFragment.name(plan.entity.table)
        let clause = SQLStatementBuilder.whereClause(try condition())
        let run = try environment.queries.run(
            SQLStatement("SELECT \(names) FROM \(table) AS t0\(clause)"), in: database)
        try run.forEachRow { statement in
            files.obsoleteFiles += environment.external.files(named: replaced.count, in: statement)
        }
    }
}

extension SQLiteExternalData {
    /// The files that the first columns of a statement's row name.
    package func files(named count: Int, in statement: OpaquePointer) -> [URL] {
        (0..<Int32(count)).compactMap { column in
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
            return file(named: bytes)
        }
    }
}
