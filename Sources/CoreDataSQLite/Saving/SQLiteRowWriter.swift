@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB
import GRDBSQLite
import ManagedObjectModel

/// Writes rows of entity tables inside one transaction.
package struct SQLiteRowWriter {
    /// Turns what only the object graph can encode (a transformable's value) into something that a row can hold.
    package typealias ObjectEncoder = @Sendable (Any, PropertyLayout) throws -> FieldValue

    package enum Outcome {
        case done
        /// The row isn't there, or is there with another version.
        case changedByOthers
        /// Another row has values that have to be unique.
        case notUnique
    }

    private struct UpdateShape: Hashable {
        var entityIndex: Int32
        var slots: [Int]
        var hasVersion: Bool
    }

    /// Of the statements that few saves need, those that have the same text: it is put together once.
    enum Shape: Hashable {
        case version(Int32)
        case deleteWithoutVersion(Int32)
        case files(Int32, slots: [Int])
        case release(Int32, columns: [String])
        case conflict(Int32, given: [String], kept: [String])
    }

    private let database: Database
    let schema: SQLiteSchema
    private let external: SQLiteExternalData
    let encode: ObjectEncoder
    private var plans: [SQLiteRowPlan?]
    private var inserts: [SQLiteStatement?]
    private var deletes: [SQLiteStatement?]
    private var updates: [UpdateShape: SQLiteStatement] = [:]
    private var statements: [Shape: SQLiteStatement] = [:]
    /// Files that belong to the new values.
    package private(set) var writtenFiles: [URL] = []
    /// Files that no row names any more, once the transaction is committed.
    package private(set) var obsoleteFiles: [URL] = []

    package init(
        _ database: Database, schema: SQLiteSchema, external: SQLiteExternalData, encode: @escaping ObjectEncoder
    ) {
        self.database = database
        self.schema = schema
        self.external = external
        self.encode = encode
        plans = Array(repeating: nil, count: schema.entities.count)
        inserts = Array(repeating: nil, count: schema.entities.count)
        deletes = inserts
    }

    package mutating func plan(_ entityIndex: Int32) throws -> SQLiteRowPlan {
        if let plan = plans[Int(entityIndex)] { return plan }
        let plan = SQLiteRowPlan(try schema.entity(schema.model.entities[Int(entityIndex)]))
        plans[Int(entityIndex)] = plan
        return plan
    }

    package mutating func insert(_ row: RowChange) throws -> Outcome {
        let plan = try plan(row.key.entityIndex)
        let statement: SQLiteStatement
        if let prepared = inserts[Int(row.key.entityIndex)] {
            statement = prepared
        } else {
            statement = try SQLiteStatement(database, plan.insertStatement)
            inserts[Int(row.key.entityIndex)] = statement
        }
        try bind(row, plan: plan, to: statement)
        let outcome = try outcome(of: statement)
        if outcome == .done, statement.changes == 0 {
            throw SQLiteStoreError.error(
                .save, "a trigger in the file keeps new rows of \(plan.entity.name) out")
        }
        return outcome
    }

    /// Binds a new row to the parameters of ``SQLiteRowPlan/insertStatement``, which a batch insert then runs itself.
    package mutating func bind(_ row: RowChange, plan: SQLiteRowPlan, to statement: SQLiteStatement) throws {
        statement.bind(row.key.handle, 1)
        statement.bind(plan.entity.number, 2)
        statement.bind(row.version + 1, 3)
        var index: Int32 = 4
        for (number, place) in plan.places.enumerated() {
            try bind(row.values[Int(place.slot)], place, number, of: plan, to: statement, at: &index)
        }
    }

    /// Writes the changed values and counts the version up, where it is still the one that the change is based on.
    package mutating func update(_ row: RowChange) throws -> Outcome {
        let plan = try plan(row.key.entityIndex)
        let changed = row.changedSlots.compactMap { $0 < plan.bindingBySlot.count ? plan.bindingBySlot[$0] : nil }
        if changed.contains(where: { plan.places[$0].isExternal }) {
            try collectReplacedFiles(
                in: changed.map { plan.bindings[$0] }.filter(\.isExternal), of: row.key, plan: plan)
        }
        let shape = UpdateShape(
            entityIndex: row.key.entityIndex, slots: changed, hasVersion: row.version != 0)
        let statement: SQLiteStatement
        if let prepared = updates[shape] {
            statement = prepared
        } else {
            let columns = changed.flatMap { plan.bindings[$0].columns }
            let assignments = columns.map { "\(.name($0)) = ?" as SQLFragment } + [.countsUp(row.version)]
            statement = try SQLiteStatement(
                database,
                """
                UPDATE \(.name(plan.entity.table)) SET \(assignments.joined(separator: ", ")) \
                WHERE \(SQLFragment.isRow(of: row.version))
                """)
            updates[shape] = statement
        }
        let filesBefore = writtenFiles.count
        var index: Int32 = 1
        for number in changed {
            let place = plan.places[number]
            try bind(row.values[Int(place.slot)], place, number, of: plan, to: statement, at: &index)
        }
        statement.bind(row.key.handle, index)
        statement.bind(row.version, index + 1)
        let outcome = try outcome(of: statement)
        // The row may be written once more, and then writes files again.
        if outcome == .notUnique { discardFiles(after: filesBefore) }
        return outcome == .done && statement.changes == 0 ? .changedByOthers : outcome
    }

    package mutating func delete(_ row: RowChange) throws -> Outcome {
        let plan = try plan(row.key.entityIndex)
        try collectReplacedFiles(in: plan.externalBindings, of: row.key, plan: plan)
        let statement: SQLiteStatement
        func text() -> SQLFragment {
            "DELETE FROM \(.name(plan.entity.table)) WHERE \(SQLFragment.isRow(of: row.version))"
        }
        if row.version == 0 {
            statement = try prepared(.deleteWithoutVersion(row.key.entityIndex), text)
        } else if let prepared = deletes[Int(row.key.entityIndex)] {
            statement = prepared
        } else {
            statement = try SQLiteStatement(database, text())
            deletes[Int(row.key.entityIndex)] = statement
        }
        statement.bind(row.key.handle, 1)
        statement.bind(row.version, 2)
        try statement.run()
        return statement.changes == 0 ? .changedByOthers : .done
    }

    /// Empties the unique columns that a row is about to change, so that two rows can swap their values.
    mutating func releaseUniqueValues(of row: RowChange) throws {
        let plan = try plan(row.key.entityIndex)
        let columns = plan.constraints.flatMap { constraint in
            zip(constraint.slots, constraint.columns).filter { row.changedSlots.contains($0.0) }.map(\.1)
        }
        guard !columns.isEmpty else { return }
        let emptied = Set(columns).sorted()
        let statement = try prepared(.release(row.key.entityIndex, columns: emptied)) {
            let assignments = emptied.map { "\(.name($0)) = NULL" as SQLFragment }.joined(separator: ", ")
            return "UPDATE \(.name(plan.entity.table)) SET \(assignments) WHERE \(SQLFragment.isRow(of: 0))"
        }
        statement.bind(row.key.handle, 1)
        statement.bind(row.version, 2)
        try statement.run()
    }

    mutating func prepared(_ shape: Shape, _ text: () -> SQLFragment) throws -> SQLiteStatement {
        if let statement = statements[shape] { return statement }
        let statement = try SQLiteStatement(database, text())
        statements[shape] = statement
        return statement
    }

    private func outcome(of statement: SQLiteStatement) throws -> Outcome {
        let status = statement.runForStatus()
        switch status {
        case SQLITE_DONE: return .done
        case SQLITE_CONSTRAINT | (8 << 8): return .notUnique
        default: throw statement.error(status)
        }
    }
}

// MARK: External values

extension SQLiteRowWriter {
    /// What stands in the row of a value that may be in a file, which is written then.
    mutating func stored(_ data: Data) throws -> Data {
        guard let (stored, file) = try external.write(data) else { return SQLiteExternalData.inline(data) }
        writtenFiles.append(file)
        return stored
    }

    /// Removes the files that were written since the list had that many, as no row names them.
    mutating func discardFiles(after count: Int) {
        SQLiteExternalData.remove(Array(writtenFiles[count...]))
        writtenFiles.removeSubrange(count...)
    }

    /// Collects the external files of a row's present values, which are about to be replaced.
    mutating func collectReplacedFiles(
        in bindings: [SQLiteRowPlan.Binding], of key: ObjectKey, plan: SQLiteRowPlan
    ) throws {
        guard !bindings.isEmpty else { return }
        let statement = try prepared(.files(key.entityIndex, slots: bindings.map(\.slot))) {
            let columns = bindings.map { SQLFragment.name($0.column) }.joined(separator: ", ")
            return "SELECT \(columns) FROM \(.name(plan.entity.table)) WHERE \(.key) = ?"
        }
        statement.bind(key.handle, 1)
        guard try statement.next() else { return }
        defer { statement.reset() }
        for place in bindings.indices {
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement.handle, Int32(place)),
                count: Int(sqlite3_column_bytes(statement.handle, Int32(place))))
            if let file = external.file(named: bytes) { obsoleteFiles.append(file) }
        }
    }
}
