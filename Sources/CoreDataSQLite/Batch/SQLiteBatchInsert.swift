@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB
import GRDBSQLite

/// Inserts many rows of one entity: one prepared statement, one row in memory.
package struct SQLiteBatchInsert {
    private let environment: SQLiteBatchEnvironment
    private let database: Database
    private let plan: SQLiteRowPlan
    private var rows: SQLiteRowWriter
    private var relationships: SQLiteRelationshipWriter
    private var history: SQLiteHistoryRecorder?
    /// The statement for rows that explicitly empty nothing.
    private var usualUpsert: SQLiteStatement?
    private var outcome = SQLiteBatchOutcome()
    /// The rows whose derived values have to be computed; none where the model has no such.
    private var written: [ObjectKey] = []

    /// What becomes of a row whose unique values another row has.
    private enum Conflict {
        case fails
        case keepsTheStored
        /// The new values that aren't nil replace the stored ones; with the overwriting policy, all.
        case replaces(all: Bool)
    }

    private let conflict: Conflict
    private let derives: Bool

    package init(_ layout: EntityLayout, in database: Database, _ environment: SQLiteBatchEnvironment) throws {
        self.environment = environment
        self.database = database
        let schema = environment.schema
        rows = SQLiteRowWriter(database, schema: schema, external: environment.external, encode: environment.encode)
        relationships = SQLiteRelationshipWriter(database, schema: schema)
        plan = try rows.plan(Int32(layout.index))
        derives = !schema.untriggeredValues.isEmpty
        history = try SQLiteHistoryRecorder.forStore(
            database, schema: schema, author: environment.author, knownShape: environment.knownHistoryShape)
        switch environment.policy {
        case _ where plan.constraints.isEmpty: conflict = .fails
        case .errorMergePolicyType: conflict = .fails
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: conflict = .keepsTheStored
        case .mergeByPropertyObjectTrumpMergePolicyType: conflict = .replaces(all: false)
        case .overwriteMergePolicyType: conflict = .replaces(all: true)
        }
    }

    /// Inserts all rows of a source.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` where unique values are there already and the policy says so.
    package mutating func run(_ source: inout some BatchRowSource, files: inout SQLiteBatchOutcome) throws {
        defer {
            files.writtenFiles = rows.writtenFiles
            files.obsoleteFiles = rows.obsoleteFiles
        }
        let root = try environment.schema.entity(plan.entity.layout.root)
        let reservation = SQLiteKeyReservation(schema: environment.schema)
        let first = try reservation.highest(root, in: database)
        var row = RowChange(key: ObjectKey(handle: first, entityIndex: plan.entity.layout.index))
        while try source.next(&row) {
            guard row.key.handle < Int64.max - 1 else { throw SQLiteKeyReservation.exhausted(root) }
            row.key.handle += 1
            switch conflict {
            case .fails: try insert(row)
            default:
                // A key that wasn't used is the next row's.
                if try !insertOrUpdate(row, emptied: source.emptied) { row.key.handle -= 1 }
            }
        }
        if row.key.handle > first { try reservation.raise(root, to: row.key.handle, in: database) }
        try environment.schema.untriggeredValues.write(after: written, schema: environment.schema, in: database)
        try history?.finish()
        files.count = outcome.count
        files.keys = outcome.keys
    }

    private mutating func insert(_ row: RowChange) throws {
        guard try rows.insert(row) == .done else { throw try notUnique(row) }
        try recordInserted(row)
    }

    private mutating func recordInserted(_ row: RowChange) throws {
        if derives { written.append(row.key) }
        outcome.count += 1
        if environment.wanted == .objectIDs { outcome.keys.append(row.key) }
        try history?.recordInsert(row)
        if !plan.orderedKeys.isEmpty { try relationships.assignOrderKey(row, plan: plan, isNew: true) }
    }

    private func notUnique(_ row: RowChange) throws -> NSError {
        var rows = rows
        let name = plan.entity.name
        guard case .notUnique(_, let properties, let existing)? = try rows.brokenConstraint(of: row, isNew: true) else {
            return SQLiteStoreError.error(
                .constraintMerge, "a row of \(name) breaks a unique index that the model doesn't have")
        }
        return SQLiteStoreError.error(
            .constraintMerge,
            "a batch insert into \(name) has values of \(properties.joined(separator: ", ")) that the object "
                + "p\(existing.handle) of \(environment.schema.model.entities[Int(existing.entityIndex)].name) already has, "
                + "and they have to be unique; the context's merge policy decides what becomes of such rows",
            userInfo: ["constraint": properties])
    }

    // MARK: Where a row is there already

    /// Returns whether the row was inserted, rather than another one changed or kept.
    private mutating func insertOrUpdate(_ row: RowChange, emptied: SlotSet) throws -> Bool {
        if plan.bindings.contains(where: \.isExternal), let existing = try existing(like: row) {
            try rows.collectReplacedFiles(
                in: plan.bindings.filter { $0.isExternal && replaces($0, row, emptied) }, of: existing, plan: plan)
        }
        let statement = try upsert(emptied: emptied)
        let filesBefore = rows.writtenFiles.count
        try rows.bind(row, plan: plan, to: statement)
        let status = sqlite3_step(statement.handle)
        defer { statement.reset() }
        guard status == SQLITE_ROW else {
            if status == SQLITE_DONE, case .keepsTheStored = conflict {
                rows.discardFiles(after: filesBefore)
                return false
            }
            // No row came back: the one that has the values is of another entity.
            if status == SQLITE_DONE || status == SQLITE_CONSTRAINT | (8 << 8) { throw try notUnique(row) }
            throw statement.error(status)
        }
        let handle = statement.int(0)
        if handle == row.key.handle {
            try recordInserted(row)
            return true
        }
        var changed = row
        changed.key.handle = handle
        changed.changedSlots = plan.bindings.filter { replaces($0, row, emptied) }.map(\.slot)
        outcome.count += 1
        if derives { written.append(changed.key) }
        if environment.wanted == .objectIDs { outcome.keys.append(changed.key) }
        try history?.recordUpdate(changed)
        if !plan.orderedKeys.isEmpty { try relationships.assignOrderKey(changed, plan: plan, isNew: false) }
        return false
    }

    private func existing(like row: RowChange) throws -> ObjectKey? {
        var rows = rows
        guard case .notUnique(_, _, let existing)? = try rows.brokenConstraint(of: row, isNew: true) else { return nil }
        return existing
    }

    private func replaces(_ binding: SQLiteRowPlan.Binding, _ row: RowChange, _ emptied: SlotSet) -> Bool {
        switch conflict {
        case .replaces(all: true): true
        case .replaces(all: false): !row.values[binding.slot].isNull || emptied.contains(binding.slot)
        default: false
        }
    }

    private mutating func upsert(emptied: SlotSet) throws -> SQLiteStatement {
        if emptied.isEmpty, let usualUpsert { return usualUpsert }
        let statement = try SQLiteStatement(database, upsertText(emptied: emptied))
        if emptied.isEmpty { usualUpsert = statement }
        return statement
    }

    private func upsertText(emptied: SlotSet) -> SQLFragment {
        let action: SQLFragment
        switch conflict {
        case .replaces(let all):
            let assignments = plan.bindings.flatMap { binding in
                binding.columns.map { name -> SQLFragment in
                    let column = SQLFragment.name(name)
                    return all || emptied.contains(binding.slot)
                        ? "\(column) = excluded.\(column)" : "\(column) = IFNULL(excluded.\(column), \(column))"
                }
            }
            action = """
                UPDATE SET \((assignments + ["\(.version) = \(.version) + 1"]).joined(separator: ", ")) \
                WHERE \(.name(plan.entity.table)).\(.entity) = excluded.\(.entity)
                """
        default: action = "NOTHING"
        }
        return "\(plan.insertStatement) ON CONFLICT DO \(action) RETURNING \(.key)"
    }
}
