@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// One save, inside its transaction.
struct PostgreSQLSaveTransaction {
    private let connection: PostgreSQLConnection
    private let schema: PostgreSQLSchema
    /// Nil where the store keeps no history.
    private let history: PostgreSQLHistoryRecorder?
    /// Nil for a model without derived attributes.
    private let derived: PostgreSQLDerivedValues?
    /// The rows that were changed in addition, because they disagreed with the save after a merge policy had resolved conflicts.
    private(set) var corrected: [ObjectKey] = []

    /// From how many rows of an entity on they are written by COPY.
    private static let copied = 16

    init(
        _ connection: PostgreSQLConnection, _ schema: PostgreSQLSchema, _ history: PostgreSQLHistoryRecorder?,
        _ derived: PostgreSQLDerivedValues?
    ) {
        self.connection = connection
        self.schema = schema
        self.history = history
        self.derived = derived
    }

    /// The order of the steps doesn't matter to the constraints, which are looked at when all is written.
    ///
    /// - Throws: ``RowConflicts``.
    mutating func run(_ changes: RowChanges) throws {
        try checkVersions(changes)
        try derived?.look(at: (changes.updated + changes.deleted).flatMap(Self.touched))
        try delete(changes.deleted)
        try update(changes.updated)
        try insert(changes.inserted)
        try checkUniqueness(changes)
        var relationships = PostgreSQLRelationshipWriter(connection, schema, settlesInverses: changes.settlesInverses)
        for rows in [changes.inserted, changes.updated] {
            for index in rows.indices where !rows[index].toManys.isEmpty {
                for change in rows[index].toManys { try relationships.collect(change, owner: rows[index].key) }
            }
        }
        try relationships.write()
        var settled: [ObjectKey: RowChange] = [:]
        if changes.settlesInverses {
            let connection = connection
            var settlement = SQLInverseSettlement(schema: schema) { statement in
                let result = try connection.execute(statement)
                return (0..<result.count).map { (result.int8($0, 0), Int64(result.int2($0, 1))) }
            }
            try settlement.settle(changes)
            settled = settlement.corrected
            corrected = Array(settled.keys)
        }
        try relationships.placeLast(changes)
        try record(changes, settled)
        guard let derived else { return }
        try derived.wrote((changes.inserted + changes.updated).map(\.key))
        try derived.look(at: (changes.inserted + changes.updated).flatMap(Self.touched) + settled.keys)
        corrected += try derived.finish()
    }

    /// The rows whose change a change is: its own, and those that come to a to-many relationship of it or leave one.
    private static func touched(_ row: RowChange) -> [ObjectKey] {
        [row.key] + row.toManys.flatMap { $0.added + $0.removed }
    }

    /// Deletions have been recorded before.
    private func record(_ changes: RowChanges, _ settled: [ObjectKey: RowChange]) throws {
        guard let history else { return }
        try history.recordInserts(changes.inserted.lazy.map(\.key))
        for row in changes.updated { try history.recordUpdate(row) }
        guard !settled.isEmpty else { return }
        let own = Set((changes.inserted + changes.updated).map(\.key))
        for row in settled.values.sorted(by: { $0.key.handle < $1.key.handle }) where !own.contains(row.key) {
            try history.recordUpdate(row)
        }
    }

    /// Inserts rows and looks whether their unique values are free.
    ///
    /// - Throws: ``RowConflicts``.
    func insertRows(_ rows: [RowChange]) throws {
        let changes = RowChanges(inserted: rows)
        try insert(rows)
        try checkUniqueness(changes)
        try PostgreSQLRelationshipWriter(connection, schema, settlesInverses: false).placeLast(changes)
        try record(changes, [:])
    }

    /// Changes rows that the transaction has locked, each in its own way.
    func updateRows(_ rows: [RowChange]) throws { try update(rows) }

    /// Looks whether the unique values of changed rows are free, and gives them places among their owners' objects.
    ///
    /// - Throws: ``RowConflicts``.
    func finishUpdates(_ rows: [RowChange]) throws {
        let changes = RowChanges(updated: rows)
        try checkUniqueness(changes)
        try PostgreSQLRelationshipWriter(connection, schema, settlesInverses: false).placeLast(changes)
        try record(changes, [:])
    }

    /// Deletes rows that the transaction has locked, with pairs and one-way keys.
    func deleteRows(_ rows: [RowChange]) throws { try delete(rows) }

    private func table(_ key: ObjectKey) throws -> String { try schema.entity(at: key.entityIndex).table }

    private func byTable(_ rows: [RowChange]) throws -> [(table: String, rows: [RowChange])] {
        // In one order in all processes, so that two saves seldom wait for each other in a circle.
        try Dictionary(grouping: rows) { try table($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: Conflicts

    /// Locks the rows that the save is based on, and looks whether they are as they were read.
    private func checkVersions(_ changes: RowChanges) throws {
        let tablesWithDeletes = Set(try changes.deleted.map { try table($0.key) })
        var conflicts: [RowConflict] = []
        for (table, rows) in try byTable(changes.locked + changes.updated + changes.deleted) {
            var parameters = PostgreSQLParameters()
            parameters.append(rows.map(\.key.handle))
            let lock: SQLFragment = tablesWithDeletes.contains(table) ? "UPDATE" : "NO KEY UPDATE"
            let result = try connection.execute(
                "SELECT \"_id\", \"_version\" FROM \(schema.qualified(table)) WHERE \"_id\" = ANY($1) ORDER BY \"_id\" FOR \(lock)",
                parameters)
            var versions: [Int64: Int64] = [:]
            versions.reserveCapacity(rows.count)
            for row in 0..<result.count { versions[result.int8(row, 0)] = result.int8(row, 1) }
            for row in rows {
                guard let version = versions[row.key.handle] else {
                    conflicts.append(.deleted(row.key))
                    continue
                }
                if version != row.version { conflicts.append(.changed(row.key, version: version)) }
            }
        }
        guard conflicts.isEmpty else { throw RowConflicts(conflicts: conflicts) }
    }

    /// Looks for rows that have the same unique values as those that were written. The later one of two in a save is in conflict.
    private func checkUniqueness(_ changes: RowChanges) throws {
        let rows = changes.updated + changes.inserted
        var placeByHandle: [Int64: Int]?
        var found: [Int: RowConflict] = [:]
        for (constraint, places) in try constrained(rows, updatedCount: changes.updated.count) {
            var parameters = PostgreSQLParameters()
            parameters.append(places.map { rows[$0].key.handle })
            let table = schema.qualified(constraint.table)
            let same = constraint.columns.map { "a.\(.quoted($0)) = b.\(.quoted($0))" as SQLFragment }
            let result = try connection.execute(
                """
                SELECT a."_id", b."_id", b."_entity" FROM \(table) a JOIN \(table) b ON \(same.joined(separator: " AND ")) \
                AND a."_id" <> b."_id" WHERE a."_id" = ANY($1) ORDER BY b."_id"
                """, parameters)
            guard result.count > 0 else { continue }
            let known =
                placeByHandle
                ?? Dictionary(rows.enumerated().map { ($1.key.handle, $0) }, uniquingKeysWith: { first, _ in first })
            placeByHandle = known
            for row in 0..<result.count {
                guard let place = known[result.int8(row, 0)], found[place] == nil,
                    known[result.int8(row, 1)].map({ $0 < place }) ?? true,
                    let entity = schema.entityIndex(forNumber: result.int2(row, 2))
                else { continue }
                found[place] = .notUnique(
                    rows[place].key, properties: constraint.properties,
                    existing: ObjectKey(handle: result.int8(row, 1), entityIndex: entity))
            }
        }
        guard found.isEmpty else {
            throw RowConflicts(conflicts: found.sorted { $0.key < $1.key }.map(\.value))
        }
    }

    /// The constraints that rows may break, each with the places of these rows.
    private func constrained(_ rows: [RowChange], updatedCount: Int) throws -> [(PostgreSQLConstraint, [Int])] {
        var places: [String: (PostgreSQLConstraint, [Int])] = [:]
        for (place, row) in rows.enumerated() {
            for constraint in try schema.entity(at: row.key.entityIndex).constraints {
                guard place >= updatedCount || constraint.slots.contains(where: row.changedSlots.contains) else {
                    continue
                }
                places[constraint.name, default: (constraint, [])].1.append(place)
            }
        }
        return places.sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: Rows

    private func delete(_ deleted: [RowChange]) throws {
        var kept: [Int64: String] = [:]
        for (table, rows) in try byTable(deleted) {
            var parameters = PostgreSQLParameters()
            parameters.append(rows.map(\.key.handle))
            let returning = try history == nil ? nil : tombstone(of: rows)
            let result = try connection.execute(
                "DELETE FROM \(schema.qualified(table)) WHERE \"_id\" = ANY($1)\(returning ?? "")", parameters)
            guard returning != nil else { continue }
            for row in 0..<result.count where !result.isNull(row, 1) {
                kept[result.int8(row, 0)] = result.string(row, 1)
            }
        }
        try history?.recordDeletes(deleted, kept: kept)
        // Pairs go with their objects; what leads to an owner by a column of its own has to be cleared.
        for (index, rows) in Dictionary(grouping: deleted, by: \.key.entityIndex) {
            for case .foreignKey(let key) in try schema.entity(at: index).toManys.values where key.isOneWay {
                var parameters = PostgreSQLParameters()
                parameters.append(rows.map(\.key.handle))
                let column = SQLFragment.quoted(key.column)
                let order: SQLFragment = key.orderColumn.map { ", \(.quoted($0)) = NULL" } ?? ""
                try connection.execute(
                    "UPDATE \(schema.qualified(key.table)) SET \(column) = NULL\(order) WHERE \(column) = ANY($1)",
                    parameters)
            }
        }
    }

    /// What a deletion gives back for history to keep; nil where it keeps no values of these rows.
    private func tombstone(of rows: [RowChange]) throws -> SQLFragment? {
        let entities = try Set(rows.map(\.key.entityIndex)).sorted().map { try schema.entity(at: $0) }
        return PostgreSQLTombstone.expression(of: entities).map { " RETURNING \"_id\", \($0)" }
    }

    private struct Shape: Hashable {
        let entityIndex: Int32
        let slots: [Int]
    }

    /// The rows are locked, and have the versions that the changes are based on.
    private func update(_ updated: [RowChange]) throws {
        for (shape, rows) in Dictionary(
            grouping: updated, by: { Shape(entityIndex: $0.key.entityIndex, slots: $0.changedSlots) })
        {
            let entity = try schema.entity(at: shape.entityIndex)
            let columns = shape.slots.compactMap { entity.columns[$0] }.filter { !$0.isDerived }
            let names = columns.flatMap { [$0.name, $0.entityColumn].compactMap { $0 } }
            let assignments = names.enumerated().map { "\(.quoted($1)) = \(.mark($0 + 2)), " as SQLFragment }
                .joined(separator: "")
            let parameters = try rows.map { row in
                var parameters = PostgreSQLParameters()
                parameters.append(row.key.handle)
                for column in columns {
                    try PostgreSQLRowEncoder.append(row.values[column.slot], of: column, schema, to: &parameters)
                }
                return parameters
            }
            try connection.execute(
                "UPDATE \(schema.qualified(entity.table)) SET \(assignments)\"_version\" = \"_version\" + 1 WHERE \"_id\" = $1",
                each: parameters)
        }
    }

    private func insert(_ inserted: [RowChange]) throws {
        for (index, rows) in Dictionary(grouping: inserted, by: \.key.entityIndex).sorted(by: { $0.key < $1.key }) {
            let entity = try schema.entity(at: index)
            let insertion = schema.insertion(into: entity)
            let parameters = try rows.map { row in
                var parameters = PostgreSQLParameters()
                parameters.append(row.key.handle)
                parameters.append(entity.number)
                parameters.append(row.version + 1)
                for column in entity.ordered {
                    let value = column.isDerived ? .null : row.values[column.slot]
                    try PostgreSQLRowEncoder.append(value, of: column, schema, to: &parameters)
                }
                return parameters
            }
            if rows.count >= Self.copied {
                try connection.copy(into: insertion.target, rows: parameters)
            } else {
                try connection.execute(insertion.statement, each: parameters)
            }
        }
    }
}
