@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// Makes the rows that a save refers to, or deletes, agree with it after a merge policy has resolved conflicts, as the SQLite
/// store does: what leads to a row that isn't there any more is cleared, and a one-to-one partner belongs to one object.
struct PostgreSQLInverseSettlement {
    private let connection: PostgreSQLConnection
    private let schema: PostgreSQLSchema
    /// The rows that were changed in addition to the save, or otherwise than it says.
    private(set) var corrected: Set<ObjectKey> = []

    init(_ connection: PostgreSQLConnection, _ schema: PostgreSQLSchema) {
        self.connection = connection
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
        guard property.kind == .toOne, let column = entity.columns[property.rowSlot] else { return nil }
        var order: String?
        if let inverse = property.inverse, inverse.kind == .toMany, inverse.isOrdered,
            let destination = property.destination,
            case .foreignKey(let key)? = try schema.entity(destination).toManys[inverse.index]
        {
            order = key.orderColumn
        }
        return ToOne(
            property: property, table: schema.qualified(entity.table), column: PostgreSQLName.quoted(column.name),
            entityColumn: column.entityColumn.map(PostgreSQLName.quoted), orderColumn: order.map(PostgreSQLName.quoted))
    }

    mutating func settle(_ changes: RowChanges) throws {
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
        let key = row.key.handle
        guard case .reference(let target) = row.values[own.property.rowSlot] else {
            if let other { try clear(other, where: "\(other.column) = $1", [key]) }
            return
        }
        let table = schema.qualified(try schema.entity(destination).table)
        guard try found("SELECT 1 FROM \(table) WHERE \"_id\" = $1", [target.handle]) else {
            return try clear(own, where: "\"_id\" = $1", [key])
        }
        guard let other else { return }
        try clear(other, where: "\(other.column) = $1 AND \"_id\" <> $2", [key, target.handle])
        let hasRival = try found(
            """
            SELECT 1 FROM \(other.table) AS other JOIN \(own.table) AS one ON one."_id" = other.\(other.column) \
            WHERE other."_id" = $1 AND one.\(own.column) = other."_id" AND one."_id" <> $2
            """, [target.handle, key])
        // A partner that this save itself has given to the destination stays.
        if hasRival, changed[target]?.contains(other.property.rowSlot) ?? false {
            return try clear(own, where: "\"_id\" = $1", [key])
        }
        try clear(own, where: "\(own.column) = $1 AND \"_id\" <> $2", [target.handle, key])
        try change(
            other, to: (key, try schema.entity(at: row.key.entityIndex).number),
            where: "\"_id\" = $1 AND \(other.column) IS DISTINCT FROM $2", [target.handle, key])
    }

    /// Clears the references to a deleted row, unless the relationship's delete rule is no action.
    private mutating func leave(_ gone: ObjectKey) throws {
        for property in schema.model.entities[Int(gone.entityIndex)].relationships
        where property.isPersistent && property.deleteRule != .noActionDeleteRule {
            guard let inverse = property.inverse, let destination = property.destination,
                let other = try toOne(inverse, of: destination)
            else { continue }
            try clear(other, where: "\(other.column) = $1", [gone.handle])
        }
    }

    private func parameters(_ keys: [Int64]) -> PostgreSQLParameters {
        keys.reduce(into: PostgreSQLParameters()) { $0.append($1) }
    }

    private func found(_ sql: String, _ keys: [Int64]) throws -> Bool {
        try connection.execute(sql, parameters(keys)).count > 0
    }

    private mutating func clear(_ toOne: ToOne, where condition: String, _ keys: [Int64]) throws {
        try change(toOne, to: nil, where: condition, keys)
    }

    private mutating func change(
        _ toOne: ToOne, to destination: (key: Int64, entity: Int16)?, where condition: String, _ keys: [Int64]
    ) throws {
        var sets = [
            "\(toOne.column) = \(destination.map { "\($0.key)" } ?? "NULL")", "\"_version\" = \"_version\" + 1",
        ]
        if let column = toOne.entityColumn {
            sets.append("\(column) = \(destination.map { "\($0.entity)" } ?? "NULL")")
        }
        if let column = toOne.orderColumn { sets.append("\(column) = NULL") }
        let result = try connection.execute(
            "UPDATE \(toOne.table) SET \(sets.joined(separator: ", ")) WHERE \(condition) RETURNING \"_id\", \"_entity\"",
            parameters(keys))
        for row in 0..<result.count {
            // No object stands for a row whose entity the model doesn't have.
            guard let index = schema.entityIndex(forNumber: result.int2(row, 1)) else { continue }
            corrected.insert(ObjectKey(handle: result.int8(row, 0), entityIndex: index))
        }
    }
}
