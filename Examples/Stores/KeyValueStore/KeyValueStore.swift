import CoreData
import StoreJSON

/// An incremental store over a directory: a folder for each entity, in it a JSON file for each object, named by a UUID.
///
/// A file is `{"version": 3, "values": {…}}`, with relationships as texts such as `"Author/2F6E…"`. Several processes may use
/// the directory, but a save isn't one transaction for them: see ``FileBatch``.
public final class KeyValueStore: NSIncrementalStore {
    /// The type to register the class under, and to open a store with.
    public static let storeType = "KeyValueStore"
    public override var type: String { Self.storeType }
    /// An object's file may name objects whose files come later.
    public override var savesReferencesAhead: Bool { true }
    private var isMade = false

    /// - Throws: an error where the directory was there and has gone: what lies in it isn't deleted, but out of reach.
    private func home() throws -> URL {
        guard let url, url.path != "/dev/null", !isMade || FileManager.default.fileExists(atPath: url.path) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url?.path ?? ""])
        }
        return url
    }

    // MARK: Metadata

    private class func list(_ folder: URL) -> URL { folder.appendingPathComponent("metadata.plist") }

    public override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try MetadataList.read(Data(contentsOf: list(url)), from: list(url).path)
    }
    public override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try MetadataList.data(metadata).write(to: list(url), options: .atomic)
    }

    public override func loadMetadata() throws {
        let home = try home()
        if FileManager.default.fileExists(atPath: Self.list(home).path) {
            metadata = try Self.metadataForPersistentStore(with: home)
            isMade = true
        } else if let data = try? Data(contentsOf: home), !data.isEmpty {
            throw JSONFormatError("\(home.path) is a file, not the directory of a store")
        }
    }

    // MARK: Requests

    public override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws
        -> Any
    {
        switch request {
        case let fetch as AnyFetchRequest: return try evaluate(fetch, overObjectsWith: ids(for: fetch), with: context)
        case let save as NSSaveChangesRequest: return try write(save, with: context)
        default: throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    private func ids(for fetch: AnyFetchRequest) throws -> [NSManagedObjectID] {
        let entities = persistentStoreCoordinator?.managedObjectModel.entities ?? []
        return try entities.filter { $0.isKindOf(entity: fetch.entity ?? $0) }.flatMap { entity in
            let place = try home().appendingPathComponent(entity.name ?? "").path
            let files = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted()
            let keys = files.filter { $0.hasSuffix(".json") }.compactMap { UUID(uuidString: String($0.dropLast(5))) }
            return keys.map { newObjectID(for: entity, referenceObject: $0) }
        }
    }

    public override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext)
        throws -> NSIncrementalStoreNode
    {
        let file = try file(objectID)
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw CocoaError(.managedObjectReferentialIntegrity)
        }
        let record = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        guard let version = record?["version"] as? UInt64, version > 0, let json = record?["values"] as? [String: Any]
        else { throw JSONFormatError("\(file.path) isn't an object of a store") }
        let values = try JSONObject.nodeValues(json, of: objectID.entity) { try self.objectID(at: $0) }
        return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: version)
    }

    public override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: UUID()) }
    }

    private func write(_ request: NSSaveChangesRequest, with context: NSManagedObjectContext?) throws -> [Any] {
        try checkVersions(of: request, with: context)
        let batch = try FileBatch(in: home())
        try batch.add(MetadataList.data(metadata), as: Self.list(home()))
        for object in (request.insertedObjects ?? []).union(request.updatedObjects ?? []) {
            let values = try JSONObject.json(object, path: path(of:))
            let record: [String: Any] = ["version": version(of: object) + 1, "values": values]
            try batch.add(JSONSerialization.data(withJSONObject: record), as: file(object.objectID))
        }
        try batch.commit(removing: (request.deletedObjects ?? []).map { try file($0.objectID) })
        isMade = true
        return []
    }

    private func file(_ id: NSManagedObjectID) throws -> URL { try home().appending(path: "\(path(of: id)).json") }
}
