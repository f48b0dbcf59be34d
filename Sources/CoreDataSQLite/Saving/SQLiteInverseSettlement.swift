@_spi(Engine) import CoreDataRows
import CoreDataSQL
import GRDB
import ManagedObjectModel

/// Makes the rows that a save refers to, or deletes, agree with it after a merge policy has resolved conflicts, or after the
/// context has found that it knew only one end of a pair.
///
/// What a context saves over what others have saved may lead to rows that aren't there any more, leave rows that lead
/// to a deleted one, or give a one-to-one partner to two. Otherwise none of this can happen: both sides of a relationship are
/// changed together, so the version of one of them would differ.
struct SQLiteInverseSettlement {
    private let database: Database
    private let schema: SQLiteSchema
    /// The rows that were changed in addition to the save, or otherwise than it says, each with the changed slots.
    private(set) var corrected: [ObjectKey: RowChange] = [:]

    init(_ database: Database, schema: SQLiteSchema) {
        self.database = database
        self.schema = schema
    }

    /// The columns of a to-one, and the rows that have them; the names as they stand in a statement.
    private struct ToOne {
        let property: PropertyLayout
        let table: String
        let column: String
        let entityColumn: String?
        let orderColumn: String?
    }

    private func toOne(_ property: PropertyLayout, of layout: EntityLayout) throws -> ToOne? {
        let entity = try schema.entity(layout)
        guard property.kind == .toOne, let column = entity.column(of: property)?.name else { return nil }
        let isOrdered = property.inverse?.kind == .toMany && property.inverse?.isOrdered ?? false
        return ToOne(
            property: property, table: SQLIdentifier.quoted(entity.table), column: SQLIdentifier.quoted(column),
            entityColumn: entity.entityColumn(of: property).map { SQLIdentifier.quoted($0.name) },
            orderColumn: isOrdered ? SQLIdentifier.quoted(SQLiteNaming.orderColumn(beside: column)) : nil)
    }

    mutating func settle(_ changes: RowChanges) throws {
        var changed: [ObjectKey: Set<Int>] = [:]
        for row in changes.updated { changed[row.key] = Set(row.changedSlots) }
        let written = changes.inserted + changes.updated
        for row in written {
            let layout = schema.model.entities[Int(row.key.entityIndex)]
            for property in layout.relationships where property.rowSlot >= 0 && property.isPersistent {
                if let slots = changed[row.key], !slots.contains(property.rowSlot) { continue }
                guard let inverse = property.inverse, let destination = property.destination,
                    let own = try toOne(property, of: layout)
                else { continue }
                try settle(row, own, try toOne(inverse, of: destination), destination, changed)
            }
        }
        for row in written where !row.toManys.isEmpty { try leaveMissing(row) }
        for row in changes.deleted { try leave(row.key) }
    }

    private mutating func settle(
        _ row: RowChange, _ own: ToOne, _ other: ToOne?, _ destination: EntityLayout, _ changed: [ObjectKey: Set<Int>]
    ) throws {
        let key = row.key.handle
        guard case .reference(let target) = row.values[own.property.rowSlot] else {
            if let other { try clear(other, where: "\(other.column) = ?", [key]) }
            return
        }
        let table = SQLIdentifier.quoted(try schema.entity(destination).table)
        guard
            try Int64.fetchOne(database, sql: "SELECT 1 FROM \(table) WHERE Z_PK = ?", arguments: [target.handle])
                != nil
        else { return try clear(own, where: "Z_PK = ?", [key]) }
        guard let other else {
            // Whoever deletes the destination has to learn that something leads to it again.
            return changed[target] == nil ? try touch(target, in: table) : ()
        }
        try clear(other, where: "\(other.column) = ? AND Z_PK <> ?", [key, target.handle])
        let rival = try Int64.fetchOne(
            database,
            sql:
                "SELECT one.Z_PK FROM \(other.table) AS other JOIN \(own.table) AS one ON one.Z_PK = other.\(other.column) "
                + "WHERE other.Z_PK = ? AND one.\(own.column) = other.Z_PK AND one.Z_PK <> ?",
            arguments: [target.handle, key])
        // A partner that this save itself has given to the destination stays.
        if rival != nil, changed[target]?.contains(other.property.rowSlot) ?? false {
            return try clear(own, where: "Z_PK = ?", [key])
        }
        try clear(own, where: "\(own.column) = ? AND Z_PK <> ?", [target.handle, key])
        try change(
            other, to: (key, schema.number(forEntityIndex: Int(row.key.entityIndex))),
            where: "Z_PK = ? AND \(other.column) IS NOT ?", [target.handle, key])
    }

    private mutating func touch(_ key: ObjectKey, in table: String) throws {
        try database.run("UPDATE \(table) SET Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", arguments: [key.handle])
        noteVersion(of: key)
    }

    /// Counts a row as changed whose slots are as the save says.
    private mutating func noteVersion(of key: ObjectKey) {
        corrected[key] = corrected[key] ?? RowChange(key: key)
    }

    /// Removes pairs of a join whose other end has no row: others have deleted it.
    private mutating func leaveMissing(_ row: RowChange) throws {
        let layout = schema.model.entities[Int(row.key.entityIndex)]
        let entity = try schema.entity(layout)
        for change in row.toManys where !change.added.isEmpty {
            guard case .join(let join) = entity.toManys[change.propertyIndex],
                let destination = layout.properties[change.propertyIndex].destination
            else { continue }
            let table = SQLIdentifier.quoted(try schema.entity(destination).table)
            func remove(_ own: String, _ other: String) throws -> Bool {
                try database.run(
                    "DELETE FROM \(join.table) WHERE \(own) = ? AND \(other) NOT IN (SELECT Z_PK FROM \(table))",
                    arguments: [row.key.handle])
                return database.changesCount > 0
            }
            var isChanged = try remove(join.sourceColumn, join.destinationColumn)
            if join.isReflexive { isChanged = try remove(join.destinationColumn, join.sourceColumn) || isChanged }
            if isChanged { noteVersion(of: row.key) }
        }
    }

    /// Clears the references to a deleted row, unless the relationship's delete rule is no action.
    private mutating func leave(_ gone: ObjectKey) throws {
        for property in schema.model.entities[Int(gone.entityIndex)].relationships
        where property.isPersistent && property.deleteRule != .noActionDeleteRule {
            guard let inverse = property.inverse, let destination = property.destination,
                let other = try toOne(inverse, of: destination)
            else { continue }
            try clear(other, where: "\(other.column) = ?", [gone.handle])
        }
    }

    private mutating func clear(_ toOne: ToOne, where condition: String, _ keys: [Int64]) throws {
        try change(toOne, to: nil, where: condition, keys)
    }

    private mutating func change(
        _ toOne: ToOne, to destination: (key: Int64, entity: Int64)?, where condition: String, _ keys: [Int64]
    ) throws {
        let found = try Row.fetchAll(
            database, sql: "SELECT Z_PK, Z_ENT FROM \(toOne.table) WHERE \(condition)",
            arguments: StatementArguments(keys))
        for row in found {
            let handle: Int64 = row[0]
            let number: Int64? = row[1]
            var sets = ["\(toOne.column) = \(destination.map { "\($0.key)" } ?? "NULL")", "Z_OPT = Z_OPT + 1"]
            if let column = toOne.entityColumn {
                sets.append("\(column) = \(destination.map { "\($0.entity)" } ?? "NULL")")
            }
            if let column = toOne.orderColumn { sets.append("\(column) = NULL") }
            try database.run(
                "UPDATE \(toOne.table) SET \(sets.joined(separator: ", ")) WHERE Z_PK = ?", arguments: [handle])
            // No object stands for a row whose entity the model doesn't have.
            guard let index = number.flatMap(schema.entityIndex(forNumber:)) else { continue }
            let key = ObjectKey(handle: handle, entityIndex: index)
            corrected[key, default: RowChange(key: key)].changedSlots.append(toOne.property.rowSlot)
        }
    }
}
