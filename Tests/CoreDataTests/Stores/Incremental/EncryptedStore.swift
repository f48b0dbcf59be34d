import CoreData
import Foundation
import GRDB

/// A store in the shape of the encrypted-store packages: an SQLite file of its own layout, in which every value is
/// encrypted, opened with a passphrase in the options. The cipher is a stand-in: a test needs none that is safe.
final class EncryptedStore: NSIncrementalStore {
    static let storeType = "Encrypted"
    static let passphraseKey = "EncryptedStorePassphrase"

    override var type: String { Self.storeType }
    private var database: DatabaseQueue!
    private var seed: UInt64 = 0

    override func loadMetadata() throws {
        guard let passphrase = options?[Self.passphraseKey] as? String, let url else {
            throw CocoaError(.persistentStoreOpen, userInfo: [NSLocalizedDescriptionKey: "No passphrase was given."])
        }
        seed = passphrase.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        database = try DatabaseQueue(path: url.path)
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS metadata (contents BLOB);
                    CREATE TABLE IF NOT EXISTS object (
                        key INTEGER PRIMARY KEY, entity TEXT NOT NULL, version INTEGER NOT NULL, contents BLOB NOT NULL)
                    """)
        }
        guard let data = try database.read({ try Data.fetchOne($0, sql: "SELECT contents FROM metadata") }) else {
            return
        }
        guard let list = try? decrypted(data, nonce: 0) else {
            throw CocoaError(.persistentStoreOpen, userInfo: [NSLocalizedDescriptionKey: "The passphrase is wrong."])
        }
        metadata = try migrated(list)
    }

    /// Such stores see to their migration themselves. Values are by name here, so that all there is to do for a new attribute is
    /// to say which model they fit.
    private func migrated(_ list: [String: Any]) throws -> [String: Any] {
        guard let model = persistentStoreCoordinator?.managedObjectModel,
            options?[NSMigratePersistentStoresAutomaticallyOption] as? Bool == true,
            !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: list)
        else { return list }
        let new = list.merging([NSStoreModelVersionHashesKey: model.entityVersionHashesByName]) { $1 }
        let header = try encrypted(new, nonce: 0)
        try database.write { try $0.execute(sql: "UPDATE metadata SET contents = ?", arguments: [header]) }
        return new
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) { try? database?.close() }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let fetch as NSFetchRequest<NSFetchRequestResult>:
            return try evaluate(fetch, over: nodes("1"), with: context)
        case let save as NSSaveChangesRequest:
            try self.save(save)
            return []
        default: throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        guard let node = try nodes("key = \(referenceObject(for: objectID))").first else {
            throw CocoaError(.managedObjectReferentialIntegrity)
        }
        return node
    }

    override func newValuesForObjects(with objectIDs: [NSManagedObjectID], with context: NSManagedObjectContext) throws
        -> [NSIncrementalStoreNode]
    { try nodes("key IN (\(objectIDs.map { "\(referenceObject(for: $0))" }.joined(separator: ",")))") }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        try nodes("key = \(referenceObject(for: objectID))").first?.value(for: relationship) ?? NSNull()
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        let last = try database.read { try Int64.fetchOne($0, sql: "SELECT MAX(key) FROM object") } ?? 0
        return array.enumerated().map { newObjectID(for: $1.entity, referenceObject: last + Int64($0) + 1) }
    }

    // MARK: Rows

    private func nodes(_ condition: String) throws -> [NSIncrementalStoreNode] {
        let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
        return try database.read { db in
            try Row.fetchAll(
                db, sql: "SELECT key, entity, version, contents FROM object WHERE \(condition) ORDER BY key")
        }.map { row in
            guard let entity = entities[row["entity"]] else { throw CocoaError(.persistentStoreIncompatibleSchema) }
            let (key, version): (Int64, Int64) = (row["key"], row["version"])
            var values = try decrypted(row["contents"], nonce: UInt64(key) << 16 ^ UInt64(version))
            for (name, relationship) in entity.relationshipsByName {
                let ids = try (values[name] as? [String] ?? []).map { text in
                    guard
                        let id = URL(string: text).flatMap({
                            persistentStoreCoordinator?.managedObjectID(forURIRepresentation: $0)
                        })
                    else { throw CocoaError(.persistentStoreIncompatibleSchema) }
                    return id
                }
                values[name] = relationship.isToMany ? ids : ids.first ?? NSNull()
            }
            return NSIncrementalStoreNode(
                objectID: newObjectID(for: entity, referenceObject: key), withValues: values, version: UInt64(version))
        }
    }

    private func save(_ request: NSSaveChangesRequest) throws {
        let header = try encrypted(metadata, nonce: 0)
        // The objects are read before the transaction: what they don't have yet, they ask this store for.
        let rows = try (request.insertedObjects ?? []).union(request.updatedObjects ?? []).map(row)
        let gone = (request.deletedObjects ?? []).map(number)
        try database.write { db in
            try db.execute(sql: "DELETE FROM metadata; INSERT INTO metadata VALUES (?)", arguments: [header])
            for object in (request.updatedObjects ?? []).union(request.deletedObjects ?? []) {
                let sql = "SELECT version FROM object WHERE key = ?"
                let known = try Int64.fetchOne(db, sql: sql, arguments: [number(object)]) ?? 0
                guard UInt64(known) == version(of: object) else {
                    let conflict = NSMergeConflict(
                        source: object, newVersion: Int(known), oldVersion: Int(version(of: object)),
                        cachedSnapshot: nil, persistedSnapshot: nil)
                    throw CocoaError(
                        .managedObjectMerge, userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
                }
            }
            for row in rows {
                try db.execute(sql: "INSERT OR REPLACE INTO object VALUES (?, ?, ?, ?)", arguments: row)
            }
            for key in gone { try db.execute(sql: "DELETE FROM object WHERE key = ?", arguments: [key]) }
        }
    }

    private func row(_ object: NSManagedObject) throws -> StatementArguments {
        let (key, version) = (number(object), Int64(version(of: object) + 1))
        var values: [String: Any] = [:]
        for name in object.entity.attributesByName.keys { values[name] = object.value(forKey: name) }
        for name in object.entity.relationshipsByName.keys {
            values[name] = object.objectIDs(forRelationshipNamed: name).map { $0.uriRepresentation().absoluteString }
        }
        let contents = try encrypted(values, nonce: UInt64(key) << 16 ^ UInt64(version))
        return [key, object.entity.name, version, contents]
    }

    private func number(_ object: NSManagedObject) -> Int64 {
        (referenceObject(for: object.objectID) as? NSNumber)?.int64Value ?? 0
    }

    // MARK: Cipher

    private func encrypted(_ values: [String: Any]?, nonce: UInt64) throws -> Data {
        cipher(try PropertyListSerialization.data(fromPropertyList: values ?? [:], format: .binary, options: 0), nonce)
    }

    private func decrypted(_ data: Data, nonce: UInt64) throws -> [String: Any] {
        let list = try PropertyListSerialization.propertyList(from: cipher(data, nonce), format: nil)
        guard let values = list as? [String: Any] else { throw CocoaError(.persistentStoreIncompatibleSchema) }
        return values
    }

    private func cipher(_ data: Data, _ nonce: UInt64) -> Data {
        var stream = SeededGenerator(seed: seed ^ nonce)
        return Data(data.map { $0 ^ UInt8(truncatingIfNeeded: stream.next()) })
    }
}
