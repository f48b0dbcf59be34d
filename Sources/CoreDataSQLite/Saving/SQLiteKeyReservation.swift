@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB

/// Gives out primary keys: one sequence for each root entity, whose last number is kept in `Z_PRIMARYKEY`.
struct SQLiteKeyReservation {
    let schema: SQLiteSchema

    /// Takes keys for objects of these entities, in their order.
    ///
    /// Runs inside a write transaction, so that no two processes get the same ones. Keys that are never used are lost,
    /// which does no harm: Apple's framework leaves such gaps too (seen in fixtures whose `Z_MAX` exceeds the keys).
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for an entity that the store doesn't hold.
    func reserve(for entities: [EntityLayout], in database: Database) throws -> [ObjectKey] {
        var counts = [Int64](repeating: 0, count: schema.model.entities.count)
        for layout in entities { counts[layout.rootIndex] += 1 }
        // The next key by root entity.
        var next = counts
        for (root, count) in counts.enumerated() where count > 0 {
            next[root] = try reserve(count, root: try schema.entity(schema.model.entities[root]), in: database)
        }
        return entities.map { layout in
            let handle = next[layout.rootIndex]
            next[layout.rootIndex] = handle + 1
            return ObjectKey(handle: handle, entityIndex: layout.index)
        }
    }

    /// The first of so many keys.
    private func reserve(_ count: Int64, root: SQLiteEntity, in database: Database) throws -> Int64 {
        let highest = try highest(root, in: database)
        guard highest < Int64.max - count else { throw Self.exhausted(root) }
        try raise(root, to: highest + count, in: database)
        return highest + 1
    }

    static func exhausted(_ root: SQLiteEntity) -> NSError {
        SQLiteStoreError.error(.operation, "there are no primary keys left in the table \(root.table)")
    }

    /// The highest key that was ever given out.
    func highest(_ root: SQLiteEntity, in database: Database) throws -> Int64 {
        let highest = try database.highestKey(ofEntity: root.number, in: root.table)
        guard highest >= 0 else { throw Self.exhausted(root) }
        return highest
    }

    /// Raises the number in `Z_PRIMARYKEY` to a key that is used, if it is lower.
    func raise(_ root: SQLiteEntity, to highest: Int64, in database: Database) throws {
        try database.run(
            """
            UPDATE \(.entityTable) SET \(.highestKey) = \(bind: .int(highest)) \
            WHERE \(.entity) = \(bind: .int(root.number)) AND IFNULL(\(.highestKey), 0) < \(bind: .int(highest))
            """)
    }
}
