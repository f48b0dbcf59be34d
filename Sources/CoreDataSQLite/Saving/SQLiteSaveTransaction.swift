@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB

/// One save, inside its transaction.
struct SQLiteSaveTransaction {
    private let database: Database
    private let schema: SQLiteSchema
    private(set) var rows: SQLiteRowWriter
    private var relationships: SQLiteRelationshipWriter
    private var conflicts: [RowConflict] = []
    /// The rows that were changed in addition, because they disagreed with the save after a merge policy had resolved
    /// conflicts.
    private(set) var corrected: [ObjectKey: RowChange] = [:]
    /// Nil where the store doesn't keep history.
    private var history: SQLiteHistoryRecorder?
    /// The number in the store's history.
    var number: Int64? { history?.transactionKey }

    init(
        database: Database, schema: SQLiteSchema, external: SQLiteExternalData, author: HistoryAuthor,
        knownShape: SQLiteKnownHistoryShape, encode: @escaping SQLiteRowWriter.ObjectEncoder
    ) throws {
        self.database = database
        self.schema = schema
        rows = SQLiteRowWriter(database, schema: schema, external: external, encode: encode)
        relationships = SQLiteRelationshipWriter(database, schema: schema)
        history = try SQLiteHistoryRecorder.forStore(database, schema: schema, author: author, knownShape: knownShape)
    }

    /// Deletes come first and inserts last, so that a unique value that one object gives up can be another's.
    ///
    /// - Throws: ``RowConflicts`` when all changes were tried: those with other versions, and only where there are none, those over
    ///   unique values. Which unique values remain is known only once the former are resolved.
    mutating func run(_ changes: RowChanges) throws {
        for row in changes.locked { try checkLock(row) }
        for row in changes.deleted { try delete(row) }
        try update(changes.updated)
        try insert(changes.inserted)
        guard conflicts.isEmpty else {
            let versions = conflicts.filter { !$0.isOfUniqueValues }
            throw RowConflicts(conflicts: versions.isEmpty ? conflicts : versions)
        }
        for rows in [changes.inserted, changes.updated] {
            for index in rows.indices where !rows[index].toManys.isEmpty { try writeRelationships(of: rows[index]) }
        }
        if changes.settlesInverses {
            try settleInverses(changes)
        }
        try assignOrderKeys(changes)
        if !schema.untriggeredValues.isEmpty {
            try schema.untriggeredValues.write(
                after: (changes.inserted + changes.updated).map(\.key), schema: schema, in: database)
        }
        guard history != nil else { return }
        for row in changes.inserted { try history?.recordInsert(row) }
        for row in changes.updated { try history?.recordUpdate(row) }
        let own = Set((changes.inserted + changes.updated).map(\.key))
        for row in corrected.values where !own.contains(row.key) { try history?.recordUpdate(row) }
        try history?.finish()
    }

    private mutating func settleInverses(_ changes: RowChanges) throws {
        let database = database
        var settlement = SQLInverseSettlement(schema: schema) { statement in
            try database.rows(statement).map { ($0[0], $0[1]) }
        }
        try settlement.settle(changes)
        corrected = settlement.corrected
        for rows in [changes.inserted, changes.updated] {
            for row in rows where !row.toManys.isEmpty {
                guard try relationships.removeAddedPairsWithoutDestination(of: row) else { continue }
                corrected[row.key] = corrected[row.key] ?? RowChange(key: row.key)
            }
        }
    }

    private mutating func checkLock(_ row: RowChange) throws {
        if let conflict = try rows.lockConflict(of: row) { conflicts.append(conflict) }
    }

    private mutating func delete(_ row: RowChange) throws {
        try history?.recordDelete(row)
        guard try rows.delete(row) == .done else { return try appendVersionConflict(row) }
        try relationships.removeAll(of: row.key, plan: rows.plan(row.key.entityIndex))
    }

    private mutating func update(_ updated: [RowChange]) throws {
        var blocked: [RowChange] = []
        for row in updated {
            switch try rows.update(row) {
            case .done: break
            case .changedByOthers: try appendVersionConflict(row)
            case .notUnique: blocked.append(row)
            }
        }
        // The row that has the value may be about to change it in the same save, possibly to this row's old value.
        for row in blocked { try rows.releaseUniqueValues(of: row) }
        for row in blocked {
            switch try rows.update(row) {
            case .done: break
            case .changedByOthers: try appendVersionConflict(row)
            case .notUnique: try appendBrokenConstraint(row, isNew: false)
            }
        }
    }

    private mutating func insert(_ inserted: [RowChange]) throws {
        var highest = [Int64](repeating: 0, count: schema.entities.count)
        // The loops go by index: taking an element out of the array would copy it and retain each of its parts.
        for place in inserted.indices {
            if try rows.insert(inserted[place]) == .notUnique {
                try appendBrokenConstraint(inserted[place], isNew: true)
            }
            let key = inserted[place].key
            let index = Int(key.entityIndex)
            if key.handle > highest[index] { highest[index] = key.handle }
        }
        let reservation = SQLiteKeyReservation(schema: schema)
        for (index, handle) in highest.enumerated() where handle > 0 {
            let root = try schema.entity(schema.model.entities[index].root)
            try reservation.raise(root, to: handle, in: database)
        }
    }

    private mutating func writeRelationships(of row: RowChange) throws {
        for change in row.toManys { try relationships.apply(change, owner: row.key) }
    }

    private mutating func assignOrderKeys(_ changes: RowChanges) throws {
        try assignOrderKeys(changes.inserted, areNew: true)
        try assignOrderKeys(changes.updated, areNew: false)
        try relationships.assignOrderKeysOfAddedPairs()
    }

    private mutating func assignOrderKeys(_ changed: [RowChange], areNew: Bool) throws {
        for place in changed.indices {
            let plan = try rows.plan(changed[place].key.entityIndex)
            if !plan.orderedKeys.isEmpty { try relationships.assignOrderKey(changed[place], plan: plan, isNew: areNew) }
        }
    }

    private mutating func appendVersionConflict(_ row: RowChange) throws {
        conflicts.append(try rows.versionConflict(of: row.key))
    }

    private mutating func appendBrokenConstraint(_ row: RowChange, isNew: Bool) throws {
        guard let conflict = try rows.brokenConstraint(of: row, isNew: isNew) else {
            let name = schema.model.entities[Int(row.key.entityIndex)].name
            throw SQLiteStoreError.error(
                .constraintMerge, "a row of \(name) breaks a unique index that the model doesn't have")
        }
        conflicts.append(conflict)
    }
}
