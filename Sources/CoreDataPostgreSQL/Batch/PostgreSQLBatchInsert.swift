@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// Inserts many rows of one entity, a few thousand at a time: by COPY where all of them are new.
struct PostgreSQLBatchInsert {
    private let batch: PostgreSQLBatch
    private let entity: PostgreSQLEntity
    private var written: [ObjectKey] = []
    private var count = 0

    /// What becomes of a row whose unique values another row has.
    private enum Conflict {
        case fails
        case keepsTheStored
        /// The new values that aren't nil replace the stored ones; with the overwriting policy, all.
        case replaces(all: Bool)
    }

    private let conflict: Conflict
    private static let rowsAtOnce = 4096

    init(_ layout: EntityLayout, _ batch: PostgreSQLBatch) throws {
        self.batch = batch
        entity = try batch.schema.entity(layout)
        switch batch.order.policy {
        case _ where entity.constraints.isEmpty: conflict = .fails
        case .errorMergePolicyType: conflict = .fails
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: conflict = .keepsTheStored
        case .mergeByPropertyObjectTrumpMergePolicyType: conflict = .replaces(all: false)
        case .overwriteMergePolicyType: conflict = .replaces(all: true)
        }
    }

    /// - Throws: `NSManagedObjectConstraintMergeError` where unique values are there already and the policy says so.
    mutating func run(_ source: inout some BatchRowSource) throws -> BatchOutcome {
        var row = RowChange(key: ObjectKey(handle: 0, entityIndex: entity.layout.index))
        var rows: [RowChange] = []
        var emptied = SlotSet()
        while try source.next(&row) {
            if !rows.isEmpty, rows.count == Self.rowsAtOnce || !isSame(source.emptied, emptied) {
                try write(&rows, emptied: emptied)
            }
            emptied = source.emptied
            rows.append(row)
        }
        try write(&rows, emptied: emptied)
        return BatchOutcome(count: count, keys: written)
    }

    private func isSame(_ one: SlotSet, _ other: SlotSet) -> Bool {
        if one.isEmpty || other.isEmpty { return one.isEmpty == other.isEmpty }
        return entity.ordered.allSatisfy { one.contains($0.slot) == other.contains($0.slot) }
    }

    private mutating func write(_ rows: inout [RowChange], emptied: SlotSet) throws {
        defer { rows.removeAll(keepingCapacity: true) }
        guard !rows.isEmpty else { return }
        let keys = try batch.keys.take(
            for: Array(repeating: entity.layout, count: rows.count), in: batch.connection)
        for index in rows.indices { rows[index].key = keys[index] }
        switch conflict {
        case .fails:
            do {
                try batch.rows.insertRows(rows)
            } catch let conflicts as RowConflicts {
                throw batch.uniquenessError(conflicts, "batch insert", of: entity.layout)
            }
            try batch.derived?.wrote(keys)
            note(keys)
        default: try merge(rows, emptied: emptied)
        }
    }

    private mutating func note(_ keys: [ObjectKey]) {
        count += keys.count
        if batch.order.wanted == .objectIDs { written += keys }
    }

    // MARK: Where a row is there already

    /// A statement for each row, so that a row finds those before it.
    private mutating func merge(_ rows: [RowChange], emptied: SlotSet) throws {
        let parameters = try rows.map { row in
            var parameters = PostgreSQLParameters()
            parameters.append(row.key.handle)
            parameters.append(entity.number)
            for column in entity.ordered {
                let value = column.isDerived ? .null : row.values[column.slot]
                try PostgreSQLRowEncoder.append(value, of: column, batch.schema, to: &parameters)
            }
            return parameters
        }
        var keys: [ObjectKey] = []
        var place = 0
        try batch.connection.execute(statement(emptied: emptied), each: parameters) { result in
            for row in 0..<result.count {
                let key = ObjectKey(handle: result.int8(row, 0), entityIndex: rows[place].key.entityIndex)
                keys.append(key)
                try record(rows[place], as: key, emptied: emptied)
            }
            place += 1
        }
        note(keys)
        try batch.derived?.wrote(keys)
        if case .replaces = conflict { try batch.derived?.wroteBlindly(entity.layout) }
        let changes = RowChanges(inserted: keys.map { RowChange(key: $0) })
        try PostgreSQLRelationshipWriter(batch.connection, batch.schema, settlesInverses: false).placeLast(changes)
    }

    private func record(_ row: RowChange, as key: ObjectKey, emptied: SlotSet) throws {
        guard let history = batch.history else { return }
        if key == row.key { return try history.recordInserts([key]) }
        var change = RowChange(key: key)
        change.changedSlots = entity.ordered.map(\.slot).filter { slot in
            if case .replaces(all: true) = conflict { return true }
            return !row.values[slot].isNull || emptied.contains(slot)
        }
        try history.recordUpdate(change)
    }

    private func statement(emptied: SlotSet) -> SQLFragment {
        let table = batch.schema.qualified(entity.table)
        var names = [PostgreSQLName.key, PostgreSQLName.entity]
        var assignments: [SQLFragment] = ["\"_version\" = t.\"_version\" + 1"]
        var markByName: [String: SQLFragment] = [:]
        for column in entity.ordered {
            for name in [column.name, column.entityColumn].compactMap({ $0 }) {
                names.append(name)
                let (quoted, mark) = (SQLFragment.quoted(name), SQLFragment.mark(names.count))
                markByName[name] = mark
                if column.isDerived { continue }
                let replacesAlways =
                    if case .replaces(all: true) = conflict { true } else { emptied.contains(column.slot) }
                let value = replacesAlways ? mark : "COALESCE(\(mark), t.\(quoted))"
                assignments.append("\(quoted) = \(value)")
            }
        }
        let same = entity.constraints.map { constraint in
            let columns = constraint.columns.map { "t.\(.quoted($0)) = \(markByName[$0] ?? "NULL")" as SQLFragment }
            return "(\(columns.joined(separator: " AND ")))" as SQLFragment
        }.joined(separator: " OR ")
        let target: SQLFragment = "\(table) (\(.quoted(names)))"
        let marks = SQLFragment.marks(names.count)
        guard case .replaces = conflict else {
            return
                "INSERT INTO \(target) SELECT \(marks) WHERE NOT EXISTS (SELECT 1 FROM \(table) t WHERE \(same)) RETURNING \"_id\""
        }
        // A row of another entity that has the values isn't changed; the constraint tells of it.
        return """
            WITH found AS (UPDATE \(table) t SET \(assignments.joined(separator: ", ")) WHERE (\(same)) AND t."_entity" = $2 \
            RETURNING t."_id"), added AS (INSERT INTO \(target) SELECT \(marks) WHERE NOT EXISTS (SELECT 1 FROM found) \
            RETURNING "_id") SELECT "_id" FROM found UNION ALL SELECT "_id" FROM added
            """
    }
}
