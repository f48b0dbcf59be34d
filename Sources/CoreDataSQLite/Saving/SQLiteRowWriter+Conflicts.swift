@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB
import GRDBSQLite
import ManagedObjectModel

/// Why a row can't be written: others have changed it, or another one has its unique values.
extension SQLiteRowWriter {
    /// What others have made of a row that isn't as the change of it expects: one with another version, or none.
    mutating func versionConflict(of key: ObjectKey) throws -> RowConflict {
        Self.versionConflict(of: key, present: try version(of: key))
    }

    /// The same of a row that isn't changed, only compared; nil where it has the version that is expected.
    mutating func lockConflict(of row: RowChange) throws -> RowConflict? {
        let present = try version(of: row.key)
        return present == row.version ? nil : Self.versionConflict(of: row.key, present: present)
    }

    private static func versionConflict(of key: ObjectKey, present: Int64?) -> RowConflict {
        present.map { .changed(key, version: $0) } ?? .deleted(key)
    }

    /// The version that a row has now; nil where there is no such row.
    package mutating func version(of key: ObjectKey) throws -> Int64? {
        let plan = try plan(key.entityIndex)
        let statement = try prepared(.version(key.entityIndex)) {
            "SELECT \(SQLFragment.presentVersion) FROM \(.name(plan.entity.table)) WHERE \(.key) = ?"
        }
        statement.bind(key.handle, 1)
        guard try statement.next() else { return nil }
        defer { statement.reset() }
        return statement.int(0)
    }

    /// The constraint that a row would break, and the row that has the values.
    package mutating func brokenConstraint(of row: RowChange, isNew: Bool) throws -> RowConflict? {
        let plan = try plan(row.key.entityIndex)
        for constraint in plan.constraints {
            // What an update doesn't change is as the row has it.
            let given = zip(constraint.slots, constraint.columns).filter { isNew || row.changedSlots.contains($0.0) }
            let kept = zip(constraint.slots, constraint.columns).filter { !isNew && !row.changedSlots.contains($0.0) }
            let shape = Shape.conflict(row.key.entityIndex, given: given.map(\.1), kept: kept.map(\.1))
            let statement = try prepared(shape) {
                Self.otherRow(in: .name(plan.entity.table), given: given.map(\.1), kept: kept.map(\.1))
            }
            statement.bind(row.key.handle, 1)
            var index: Int32 = 2
            for number in given.compactMap({ plan.bindingBySlot[$0.0] }) {
                // The key of a to-one alone is compared.
                let place = SQLiteRowPlan.Place(keyOf: plan.places[number])
                try bind(row.values[Int(place.slot)], place, number, of: plan, to: statement, at: &index)
            }
            guard try statement.next() else { continue }
            defer { statement.reset() }
            guard let entityIndex = schema.entityIndex(forNumber: statement.int(1)) else { continue }
            let existing = ObjectKey(handle: statement.int(0), entityIndex: entityIndex)
            return .notUnique(row.key, properties: constraint.properties, existing: existing)
        }
        return nil
    }

    /// Another row with the same values: the first parameter is the key of the row itself, the others are those given.
    private static func otherRow(in table: SQLFragment, given: [String], kept: [String]) -> SQLFragment {
        let own: SQLFragment = "\(.parameter(1))"
        var conditions: [SQLFragment] = ["\(.key) <> \(own)"]
        for (place, column) in given.enumerated() {
            conditions.append("\(.name(column)) = \(.parameter(place + 2))")
        }
        for column in kept.map(SQLFragment.name) {
            conditions.append("\(column) = (SELECT own.\(column) FROM \(table) AS own WHERE own.\(.key) = \(own))")
        }
        return "SELECT \(.key), \(.entity) FROM \(table) WHERE \(conditions.joined(separator: " AND ")) LIMIT 1"
    }
}

extension SQLFragment {
    /// A row's version; 0 where a program that isn't Core Data has written the row without one. (Batches leave it without one, as
    /// they count up many rows by one statement.)
    static let presentVersion: SQLFragment = "IFNULL(\(.version), 0)"
    /// Whether a row is the one of a key, in a version. Only where that is 0 the row may have none.
    static func isRow(of version: Int64) -> SQLFragment {
        version == 0 ? "\(.key) = ? AND \(presentVersion) = ?" : "\(.key) = ? AND \(.version) = ?"
    }
    /// The assignment that counts a version up.
    static func countsUp(_ version: Int64) -> SQLFragment {
        version == 0 ? "\(.version) = \(presentVersion) + 1" : "\(.version) = \(.version) + 1"
    }
}
