@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel
import Synchronization

/// How one model lies in a SQLite file in Apple's format: numbers, tables, columns, relationships.
///
/// A pure function of the model and, for a file that exists, of the numbers and names found in it.
package final class SQLiteSchema: Sendable {
    package let model: ModelLayout
    /// By place in ``ModelLayout/entities``; nil for entities outside the store's configuration.
    package let entities: [SQLiteEntity?]
    /// In Apple's creation order.
    package let tables: [SQLiteTable]
    /// In Apple's creation order.
    package let joinTables: [SQLiteJoinTable]
    /// By `Z_ENT`, the place in ``ModelLayout/entities``; -1 for numbers that no entity has.
    private let entityIndexByNumber: [Int32]
    private let untriggeredValuesCache = Mutex<SQLiteUntriggeredValues?>(nil)
    /// What made the virtual tables of a file that exists; nil for a new file, which has all that the model asks for.
    private let virtualTables: Set<String>?
    /// By place in ``ModelLayout/entities``.
    private let rTreesCache = Mutex<[Int: [SQLiteRTree]]>([:])

    /// The R-trees in the file over an entity's rows, its superentities' included.
    func rTrees(for layout: EntityLayout) -> [SQLiteRTree] {
        rTreesCache.withLock { cache in
            if let known = cache[layout.index] { return known }
            let owners = sequence(first: layout) { $0.superlayout }.compactMap { entities[$0.index] }
            // An index that can't be made out isn't used; the rows are there all the same.
            let found = owners.flatMap { (try? rTrees(of: $0)) ?? [] }
                .filter { virtualTables?.contains($0.createStatement.text) ?? true }
            cache[layout.index] = found
            return found
        }
    }

    /// The version hashes of the entities that the store holds.
    package var versionHashes: [String: Data] {
        VersionHasher.hashes(of: entities.compactMap { $0?.layout.entity })
    }

    /// The derived attributes that saving computes.
    var untriggeredValues: SQLiteUntriggeredValues {
        untriggeredValuesCache.withLock { cache in
            if let cache { return cache }
            let made = SQLiteUntriggeredValues(self)
            cache = made
            return made
        }
    }

    /// The schema of a new file.
    ///
    /// - Parameter configuration: the name of the configuration whose entities the store holds; nil for all entities.
    /// - Throws: `NSPersistentStoreOpenError` where the model has no such configuration.
    package convenience init(model: ModelLayout, configuration: String?) throws {
        try self.init(building: SQLiteSchemaBuilder(model: model, configuration: configuration))
    }

    /// The schema of a file that exists.
    ///
    /// Entity numbers are the file's. Where the format leaves a name open, the one that the file has is taken.
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names a missing entity, table or column.
    package convenience init(model: ModelLayout, configuration: String?, file: SQLiteFileLayout) throws {
        let builder = try SQLiteSchemaBuilder(model: model, configuration: configuration, file: file)
        try self.init(building: builder, virtualTables: file.virtualTables)
        try file.check(self)
    }

    private init(building builder: SQLiteSchemaBuilder, virtualTables: Set<String>? = nil) throws {
        self.virtualTables = virtualTables
        var builder = builder
        builder.build()
        model = builder.model
        entities = builder.entities
        tables = builder.tables
        joinTables = builder.joinTables
        var indexes = [Int32](repeating: -1, count: Int(builder.highestNumber) + 1)
        for case let entity? in entities { indexes[Int(entity.number)] = Int32(entity.layout.index) }
        entityIndexByNumber = indexes
        try requireDifferentNames()
    }

    /// Two entities whose names differ in case only, say, would lie in one table without being related.
    private func requireDifferentNames() throws {
        var seen: Set<String> = []
        for name in tables.map(\.name) + joinTables.map(\.name) where !seen.insert(name).inserted {
            throw SQLiteStoreError.schema("two entities or relationships of the model would have the table \(name)")
        }
    }

    /// The place in ``ModelLayout/entities`` of the entity that has a `Z_ENT`, or nil where none has.
    package func entityIndex(forNumber number: Int64) -> Int32? {
        guard number >= 0, number < Int64(entityIndexByNumber.count) else { return nil }
        let index = entityIndexByNumber[Int(number)]
        return index < 0 ? nil : index
    }

    /// The `Z_ENT` of an entity of the store's configuration, or 0, which no entity has.
    package func number(forEntityIndex index: Int) -> Int64 {
        entities[index]?.number ?? 0
    }

    /// Where an entity's rows lie.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for an entity outside the store's configuration.
    package func entity(_ layout: EntityLayout) throws -> SQLiteEntity {
        guard layout.model === model, let entity = entities[layout.index] else {
            throw SQLiteStoreError.schema("the store holds no entity named \(layout.name)")
        }
        return entity
    }
}
