@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Makes the rows that a save refers to, or deletes, agree with it after a merge policy has resolved conflicts, or after the
/// context has found that it knew only one end of a pair.
///
/// What a context saves over what others have saved may lead to rows that aren't there any more, leave rows that lead
/// to a deleted one, or give a one-to-one partner to two. Otherwise none of this can happen: both sides of a relationship are
/// changed together, so the version of one of them would differ. Pairs of join tables are their writers' business.
///
/// The rule is the same for every database; `Schema` says how its tables are called, and the store runs the statements.
package struct SQLInverseSettlement<Schema: SQLVersionedSchema> {
    /// A row that a statement found or changed: its key, and the number of its entity.
    package typealias FoundRow = (key: Int64, entityNumber: Int64?)

    private let schema: Schema
    private let run: (SQLFragment) throws -> [FoundRow]
    /// The rows that were changed in addition to the save, or otherwise than it says, each with the changed slots.
    package private(set) var corrected: [ObjectKey: RowChange] = [:]

    /// - Parameter run: runs a statement in the transaction of the save, and returns the key and the number of the entity of each
    ///   row that it answers with.
    package init(schema: Schema, run: @escaping (SQLFragment) throws -> [FoundRow]) {
        self.schema = schema
        self.run = run
    }

    /// The columns of a to-one, and the rows that have them; the names as they stand in a statement.
    private struct ToOne {
        let property: PropertyLayout
        let table: SQLFragment
        let column: SQLFragment
        let entityColumn: SQLFragment?
        let orderColumn: SQLFragment?
    }

    private func toOne(_ property: PropertyLayout, of layout: EntityLayout) throws -> ToOne? {
        guard property.kind == .toOne, let column = try schema.column(of: property) else { return nil }
        var orderColumn: String?
        if let inverse = property.inverse, inverse.kind == .toMany, inverse.isOrdered,
            case .foreignKey(let key)? = try schema.toMany(inverse)
        {
            orderColumn = key.orderColumn
        }
        return ToOne(
            property: property, table: schema.dialect.table(try schema.table(of: layout)), column: name(column),
            entityColumn: try schema.entityColumn(of: property).map(name), orderColumn: orderColumn.map(name))
    }

    private func name(_ name: String) -> SQLFragment { schema.dialect.name(name) }
    private var key: SQLFragment { name(schema.keyColumn) }
    private var answer: SQLFragment { "\(key), \(name(schema.entityColumn))" }

    private func number(_ value: Int64) -> SQLFragment { .bind(.int(value)) }

    package mutating func settle(_ changes: RowChanges) throws {
        var changed: [ObjectKey: Set<Int>] = [:]
        for row in changes.updated { changed[row.key] = Set(row.changedSlots) }
        for row in changes.inserted + changes.updated {
            let layout = schema.model.entities[Int(row.key.entityIndex)]
            for property in layout.relationships where property.rowSlot >= 0 && property.isPersistent {
                if let slots = changed[row.key], !slots.contains(property.rowSlot) { continue }
                guard let inverse = property.inverse, let destination = property.destination,
                    let own = try toOne(property, of: layout)
                else { continue }
                try settle(row, own, try toOne(inverse, of: destination), destination, changed)
            }
        }
        for row in changes.deleted { try leave(row.key) }
    }

    private mutating func settle(
        _ row: RowChange, _ own: ToOne, _ other: ToOne?, _ destination: EntityLayout, _ changed: [ObjectKey: Set<Int>]
    ) throws {
        let source = number(row.key.handle)
        guard case .reference(let reference) = row.values[own.property.rowSlot] else {
            if let other { try clear(other, where: "\(other.column) = \(source)") }
            return
        }
        let target = number(reference.handle)
        let table = schema.dialect.table(try schema.table(of: destination))
        guard try !run("SELECT \(answer) FROM \(table) WHERE \(key) = \(target)").isEmpty else {
            // Others may have given the row another partner meanwhile.
            if let other { try clear(other, where: "\(other.column) = \(source)") }
            return try clear(own, where: "\(key) = \(source)")
        }
        guard let other else {
            // The destination's version rises, so that deleting it at the same time is a conflict.
            return changed[reference] == nil ? try touch(reference, in: table) : ()
        }
        try clear(other, where: "\(other.column) = \(source) AND \(key) <> \(target)")
        let rivals = try run(
            """
            SELECT one.\(key), one.\(name(schema.entityColumn)) FROM \(other.table) AS other \
            JOIN \(own.table) AS one ON one.\(key) = other.\(other.column) \
            WHERE other.\(key) = \(target) AND one.\(own.column) = other.\(key) AND one.\(key) <> \(source)
            """)
        // A partner that this save itself has given to the destination stays.
        if !rivals.isEmpty, changed[reference]?.contains(other.property.rowSlot) ?? false {
            return try clear(own, where: "\(key) = \(source)")
        }
        try clear(own, where: "\(own.column) = \(target) AND \(key) <> \(source)")
        guard let entity = schema.number(ofEntityAt: Int(row.key.entityIndex)) else { return }
        try change(
            other, to: (source, number(entity)),
            where: "\(key) = \(target) AND \(schema.dialect.different(other.column, source))")
    }

    private mutating func touch(_ touched: ObjectKey, in table: SQLFragment) throws {
        let version = name(schema.versionColumn)
        let key = number(touched.handle)
        _ = try run("UPDATE \(table) SET \(version) = \(version) + 1 WHERE \(self.key) = \(key) RETURNING \(answer)")
        corrected[touched] = corrected[touched] ?? RowChange(key: touched)
    }

    /// Clears the references to a deleted row, unless the relationship's delete rule is no action.
    private mutating func leave(_ gone: ObjectKey) throws {
        for property in schema.model.entities[Int(gone.entityIndex)].relationships
        where property.isPersistent && property.deleteRule != .noActionDeleteRule {
            guard let inverse = property.inverse, let destination = property.destination,
                let other = try toOne(inverse, of: destination)
            else { continue }
            try clear(other, where: "\(other.column) = \(number(gone.handle))")
        }
    }

    private mutating func clear(_ toOne: ToOne, where condition: SQLFragment) throws {
        try change(toOne, to: nil, where: condition)
    }

    private mutating func change(
        _ toOne: ToOne, to destination: (key: SQLFragment, entity: SQLFragment)?, where condition: SQLFragment
    ) throws {
        let version = name(schema.versionColumn)
        var sets: [SQLFragment] = ["\(toOne.column) = \(destination?.key ?? "NULL")", "\(version) = \(version) + 1"]
        if let column = toOne.entityColumn { sets.append("\(column) = \(destination?.entity ?? "NULL")") }
        if let column = toOne.orderColumn { sets.append("\(column) = NULL") }
        let changed = try run(
            "UPDATE \(toOne.table) SET \(sets.joined(separator: ", ")) WHERE \(condition) RETURNING \(answer)")
        for row in changed {
            // No object stands for a row whose entity the model doesn't have.
            guard let index = row.entityNumber.flatMap(schema.entityIndex(forNumber:)) else { continue }
            let key = ObjectKey(handle: row.key, entityIndex: index)
            corrected[key, default: RowChange(key: key)].changedSlots.append(toOne.property.rowSlot)
        }
    }
}
