import CoreData
import StoreJSON

/// An incremental store over a directory: a folder for each entity, in it a JSON file for each object, named by a UUID.
///
/// Fetches are evaluated by ``NSIncrementalStore/evaluate(_:over:with:)``. A file is `{"version": 3, "values": {…}}`, with
/// relationships as texts such as `"Author/2F6E…"`. Several processes may use the directory, but a save isn't one
/// transaction for them: its files are written beside the old ones first, and then put in their places one by one.
public final class KeyValueStore: NSIncrementalStore {
    public static let storeType = "KeyValueStore"
    public override var type: String { Self.storeType }

    /// An object's file may name objects whose files come later.
    public override var savesReferencesAhead: Bool { true }

    /// Whether the directory is known to have been there: without it, what is asked for isn't gone but out of reach.
    private var isMade = false
    private var directory: URL { url ?? URL(fileURLWithPath: "/dev/null") }
    private var model: NSManagedObjectModel? { persistentStoreCoordinator?.managedObjectModel }

    // MARK: Metadata

    public override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        let file = url.appendingPathComponent("metadata.plist")
        return try MetadataList.read(Data(contentsOf: file), from: file.path)
    }

    public override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try MetadataList.data(metadata).write(to: url.appendingPathComponent("metadata.plist"), options: .atomic)
    }

    public override func loadMetadata() throws {
        if FileManager.default.fileExists(atPath: directory.appendingPathComponent("metadata.plist").path) {
            metadata = try Self.metadataForPersistentStore(with: directory)
            isMade = true
        } else if let reservation = try? Data(contentsOf: directory), !reservation.isEmpty {
            throw JSONFormatError("\(directory.path) is a file, not the directory of a store")
        }
    }

    /// A reservation that never became a store goes.
    public override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        if isReservation { try? FileManager.default.removeItem(at: directory) }
    }

    private var isReservation: Bool { (try? Data(contentsOf: directory))?.isEmpty ?? false }

    // MARK: Requests

    public override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws
        -> Any
    {
        switch request {
        case let fetch as AnyFetchRequest: return try evaluate(fetch, over: nodes(for: fetch), with: context)
        case let save as NSSaveChangesRequest:
            try write(save)
            return []
        default: throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    private func nodes(for fetch: AnyFetchRequest) throws -> [NSIncrementalStoreNode] {
        try requireDirectory()
        var nodes: [NSIncrementalStoreNode] = []
        for entity in model?.entities ?? [] where entity.isKindOf(entity: fetch.entity ?? entity) {
            let folder = directory.appendingPathComponent(entity.name ?? "")
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? [] {
                guard let key = UUID(uuidString: String(name.prefix(36))), name.hasSuffix(".json") else { continue }
                nodes.append(try node(newObjectID(for: entity, referenceObject: key)))
            }
        }
        return nodes
    }

    public override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext)
        throws
        -> NSIncrementalStoreNode
    { try node(objectID) }

    /// Nodes have their relationships, so that this is asked for an object that is saved but was not read.
    public override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any { try node(objectID).value(for: relationship) ?? NSNull() }

    public override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: UUID()) }
    }

    // MARK: Files

    private func path(_ id: NSManagedObjectID) -> String { "\(id.entity.name ?? "")/\(referenceObject(for: id))" }
    private func file(_ id: NSManagedObjectID) -> URL { directory.appendingPathComponent(path(id) + ".json") }

    private func node(_ id: NSManagedObjectID) throws -> NSIncrementalStoreNode {
        let file = self.file(id)
        guard FileManager.default.fileExists(atPath: file.path) else {
            try requireDirectory()
            throw CocoaError(.managedObjectReferentialIntegrity)
        }
        let record = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        guard let record, let version = record["version"] as? Int, version > 0,
            let json = record["values"] as? [String: Any]
        else { throw JSONFormatError("\(file.path) isn't an object of a store") }
        let values = try JSONObject.nodeValues(json, of: id.entity, id: self.id)
        return NSIncrementalStoreNode(objectID: id, withValues: values, version: UInt64(version))
    }

    private func requireDirectory() throws {
        guard isMade, !FileManager.default.fileExists(atPath: directory.path) else { return }
        throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: directory.path])
    }

    private func id(_ path: String) throws -> NSManagedObjectID {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 2, let entity = model?.entitiesByName[parts[0]], let key = UUID(uuidString: parts[1])
        else {
            throw JSONFormatError("\(directory.path): \"\(path)\" doesn't name an object")
        }
        return newObjectID(for: entity, referenceObject: key)
    }

    private func contents(_ object: NSManagedObject) throws -> Data {
        let json = try JSONObject.json(object, path: path)
        let record: [String: Any] = ["version": version(of: object) + 1, "values": json]
        return try JSONSerialization.data(withJSONObject: record, options: [.prettyPrinted, .sortedKeys])
    }

    // MARK: Saving

    private func write(_ request: NSSaveChangesRequest) throws {
        try requireDirectory()
        let deleted = request.deletedObjects ?? []
        let changed = (request.updatedObjects ?? []).union(deleted).union(request.lockedObjects ?? [])
        let conflicts = try changed.compactMap(conflict)
        guard conflicts.isEmpty else {
            throw CocoaError(.managedObjectMerge, userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
        }
        let files = FileManager.default
        if isReservation { try files.removeItem(at: directory) }
        if !files.fileExists(atPath: directory.path) {
            try files.createDirectory(at: directory, withIntermediateDirectories: false)
        }
        let new = directory.appendingPathComponent("saving-\(UUID().uuidString)")
        defer { try? files.removeItem(at: new) }
        var moves: [(from: URL, to: URL)] = []
        for object in (request.insertedObjects ?? []).union(request.updatedObjects ?? []) {
            let target = file(object.objectID)
            let source = new.appendingPathComponent("\(moves.count)")
            for folder in [new, target.deletingLastPathComponent()] {
                try files.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            try contents(object).write(to: source)
            moves.append((source, target))
        }
        try Self.setMetadata(metadata, forPersistentStoreAt: directory)
        isMade = true
        for (source, target) in moves {
            guard rename(source.path, target.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
        for object in deleted { try files.removeItem(at: file(object.objectID)) }
    }

    /// Whether another process has written the object since it was read. The framework asks for the new values itself.
    private func conflict(_ object: NSManagedObject) throws -> NSMergeConflict? {
        let exists = FileManager.default.fileExists(atPath: file(object.objectID).path)
        let now = exists ? try node(object.objectID).version : 0
        guard now != version(of: object) else { return nil }
        return NSMergeConflict(
            source: object, newVersion: Int(now), oldVersion: Int(version(of: object)), cachedSnapshot: nil,
            persistedSnapshot: nil)
    }
}
