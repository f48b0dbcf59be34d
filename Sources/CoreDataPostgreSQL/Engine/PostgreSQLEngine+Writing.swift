@_spi(Engine) import CoreDataRows
import Foundation

extension PostgreSQLEngine {
    package func reserveKeys(for entities: [EntityLayout]) throws -> [ObjectKey] {
        let (pool, _, keys) = try writable()
        return try Self.translating(NSPersistentStoreSaveError, at: pool.address) {
            try keys.take(for: entities, from: pool)
        }
    }

    package func save(_ save: StoreSave) throws -> SaveOutcome {
        let (pool, queries, keys) = try writable()
        return try Self.translating(NSPersistentStoreSaveError, at: pool.address) {
            try PostgreSQLSaver(pool: pool, keys: keys, writing: writing(queries.schema)).save(save)
        }
    }
}
