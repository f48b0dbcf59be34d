@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// Sets properties of a fetch's rows. Constants are set by one statement; expressions are evaluated as in memory, on each row
/// as it was.
struct PostgreSQLBatchUpdate {
    private let fetch: StoreFetch
    private let batch: PostgreSQLBatch
    private let entity: PostgreSQLEntity
    private let columns: BatchColumns
    private var constants: [(column: PostgreSQLColumn, value: FieldValue)] = []
    private var expressions: [(property: PropertyLayout, column: PostgreSQLColumn, expression: NSExpression)] = []

    /// - Throws: an error that names what can't be set.
    init(_ fetch: StoreFetch, properties: [AnyHashable: Any], _ batch: PostgreSQLBatch) throws {
        self.fetch = fetch
        self.batch = batch
        entity = try batch.schema.entity(fetch.entity)
        columns = BatchColumns(fetch.entity, identity: batch.link.identity, request: "batch update")
        for (property, value) in try columns.assignments(properties) { try assign(value, to: property) }
        if constants.isEmpty && expressions.isEmpty { throw columns.setsNothing }
    }

    private mutating func assign(_ value: Any, to property: PropertyLayout) throws {
        guard let expression = value as? NSExpression else { return try assignConstant(value, to: property) }
        if case .constant(let constant) = expression.form {
            return try assignConstant(constant ?? NSNull(), to: property)
        }
        guard property.kind != .composite, property.kind != .transformable,
            let column = entity.columns[property.rowSlot]
        else {
            throw columns.failure(property.name, 0, "can't be set to the expression \(expression)")
        }
        // What SQL can't say for want of sense is told now, rather than by the first row.
        let scope = try SQLScope(entity: fetch.entity, schema: batch.schema)
        do {
            _ = try SQLTranslator(scope: scope, coder: batch.queries.coder).operand(expression)
        } catch  where SQLQueryError.isUnsupported(error) {}
        expressions.append((property, column, expression))
    }

    private mutating func assignConstant(_ value: Any, to property: PropertyLayout) throws {
        for (property, field) in try columns.fields(value, property) {
            guard let column = entity.columns[property.rowSlot] else { continue }
            constants.append((column, field))
        }
    }

    /// - Throws: `NSManagedObjectConstraintMergeError` where the values have to be unique and aren't.
    func run() throws -> BatchOutcome {
        let keys = try batch.lockedKeys(fetch)
        guard !keys.isEmpty else { return batch.outcome([]) }
        try batch.derived?.look(at: keys)
        let values = try evaluated(keys)
        let slots = constants.map(\.column.slot) + expressions.map(\.column.slot)
        let transaction = batch.rows
        var rows = keys.map { RowChange(key: $0) }
        for index in rows.indices { rows[index].changedSlots = slots }
        if expressions.isEmpty {
            try setConstants(keys)
        } else {
            for index in rows.indices { rows[index].values = row(of: rows[index].key, values) }
            try transaction.updateRows(rows)
        }
        do {
            try transaction.finishUpdates(rows)
        } catch let conflicts as RowConflicts {
            throw batch.uniquenessError(conflicts, "batch update", of: fetch.entity)
        }
        try batch.derived?.wrote(keys)
        return batch.outcome(keys)
    }

    private func setConstants(_ keys: [ObjectKey]) throws {
        var parameters = PostgreSQLParameters()
        parameters.append(keys.map(\.handle))
        var assignments: [SQLFragment] = ["\"_version\" = \"_version\" + 1"]
        for (column, value) in constants {
            for name in [column.name, column.entityColumn].compactMap({ $0 }) {
                assignments.append("\(.quoted(name)) = \(.mark(assignments.count + 1))")
            }
            try PostgreSQLRowEncoder.append(value, of: column, batch.schema, to: &parameters)
        }
        let table = batch.schema.qualified(entity.table)
        try batch.connection.execute(
            "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \"_id\" = ANY($1)", parameters)
    }

    private func row(of key: ObjectKey, _ evaluated: [Int64: [FieldValue]]) -> ContiguousArray<FieldValue> {
        let layout = batch.schema.model.entities[Int(key.entityIndex)]
        var values = ContiguousArray<FieldValue>(repeating: .null, count: layout.rowSlotCount)
        for (column, value) in constants { values[column.slot] = value }
        for (index, value) in (evaluated[key.handle] ?? []).enumerated() {
            values[expressions[index].column.slot] = value
        }
        return values
    }

    private func evaluated(_ keys: [ObjectKey]) throws -> [Int64: [FieldValue]] {
        guard !expressions.isEmpty, !keys.isEmpty else { return [:] }
        let records = PostgreSQLRecords(batch.queries, batch.connection, link: batch.link)
        var values: [Int64: [FieldValue]] = [:]
        for record in try records.load(rowsWith: keys) {
            values[record.row.key.handle] = try expressions.map { property, _, expression in
                var scope = EvaluationScope(bindings: nil, strictness: .throwing)
                let value = try expression.value(for: record, &scope)
                if let destination = value as? PostgreSQLRecord {
                    return try columns.field(records.objectID(destination.row.key), property)
                }
                return try columns.field(value ?? NSNull(), property)
            }
        }
        if let failure = records.failure { throw failure }
        return values
    }
}
