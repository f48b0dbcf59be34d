import CoreData
import StoreJSON

/// An incremental store over a JSON web service, which `Documentation/WebStore.md` describes.
///
/// One request a fetch, one for all the faults that a fetch or a predicate needs, one for a relationship with the objects it
/// leads to, one for the IDs of a save and one for the save. ETags are the versions: a save of objects that somebody else has
/// changed is refused by the service as a whole (412), and becomes a merge conflict with the service's values.
public final class WebStore: NSIncrementalStore {
    /// The type to register the class under, and to open a store with.
    public static let storeType = "WebStore"
    /// How long the service may take for an answer, in seconds: an `NSNumber` in the store's options. 30 by default.
    public static let timeoutOption = "WebStoreTimeout"

    public override var type: String { Self.storeType }
    /// How long the service may take for an answer, in seconds. What the option says, until it is set.
    public var timeout: TimeInterval {
        get { client.timeout }
        set { client.timeout = newValue }
    }
    private lazy var client = WebClient(
        base: url ?? URL(fileURLWithPath: "/dev/null"),
        timeout: (options?[Self.timeoutOption] as? NSNumber)?.doubleValue ?? 30)
    /// What the service's ETags are as versions, which count up.
    private var seen: [NSManagedObjectID: (version: UInt64, etag: String)] = [:]

    // MARK: Metadata

    public override func loadMetadata() throws {
        let answer = try client.send("GET", "metadata", accepting: [404])
        guard answer.status != 404 else { return }
        metadata = try MetadataList.read(answer.body, from: answer.place)
    }

    private func saveMetadata() throws {
        _ = try client.send("PUT", "metadata", body: MetadataList.data(metadata))
        savedMetadata = metadata as NSDictionary?
    }
    private var savedMetadata: NSDictionary?

    // MARK: Requests

    public override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws
        -> Any
    {
        switch request {
        case let fetch as NSFetchRequest<NSFetchRequestResult>: return try execute(fetch: fetch, with: context)
        case let save as NSSaveChangesRequest:
            try self.save(save)
            return []
        default: throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    private func execute(fetch: NSFetchRequest<NSFetchRequestResult>, with context: NSManagedObjectContext?) throws
        -> Any
    {
        guard let entity = fetch.entity else { throw CocoaError(.persistentStoreOperation) }
        var query = ["entities": entityNames(entity, withSubentities: fetch.includesSubentities)]
        let include = (fetch.relationshipKeyPathsForPrefetching ?? []).filter { name in
            fetch.entity?.relationshipsByName[name].map { WebRecord.inverseName(of: $0) == nil } ?? false
        }
        if !include.isEmpty { query["include"] = include.joined(separator: ",") }
        // The service can skip and limit, if all the objects that it has are results.
        if fetch.predicate == nil, fetch.sortDescriptors?.isEmpty ?? true, fetch.resultType != .dictionaryResultType {
            if fetch.fetchOffset > 0 { query["offset"] = "\(fetch.fetchOffset)" }
            if fetch.fetchLimit > 0 { query["limit"] = "\(fetch.fetchLimit)" }
            (fetch.fetchOffset, fetch.fetchLimit) = (0, 0)
        }
        let found = try records(client.send("GET", "records", query: query))
        addToRowCache(found.others)
        return try evaluate(fetch, over: found.nodes, with: context)
    }

    private func entityNames(_ wanted: NSEntityDescription, withSubentities: Bool) -> String {
        let all = persistentStoreCoordinator?.managedObjectModel.entities ?? []
        return all.filter { withSubentities ? $0.isKindOf(entity: wanted) : $0.name == wanted.name }
            .compactMap(\.name).sorted().joined(separator: ",")
    }

    // MARK: Faults

    public override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext)
        throws
        -> NSIncrementalStoreNode
    {
        let answer = try client.send("GET", "records/\(path(of: objectID))", accepting: [404])
        guard answer.status != 404 else { throw CocoaError(.managedObjectReferentialIntegrity) }
        guard let node = try records(answer).nodes.first else { throw JSONFormatError("\(answer.place): no record") }
        return node
    }

    public override func newValuesForObjects(
        with objectIDs: [NSManagedObjectID], with context: NSManagedObjectContext
    ) throws -> [NSIncrementalStoreNode] {
        let ids = objectIDs.map(path(of:)).joined(separator: ",")
        return try records(client.send("GET", "records", query: ["ids": ids])).nodes
    }

    public override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        var query: [String: String] = [:]
        if let inverse = WebRecord.inverseName(of: relationship), let entity = relationship.destinationEntity {
            query = ["inverse": inverse, "entities": entityNames(entity, withSubentities: true)]
        }
        let found = try records(client.send("GET", "records/\(path(of: objectID))/\(relationship.name)", query: query))
        addToRowCache(found.nodes)
        let ids = found.nodes.map(\.objectID)
        return relationship.isToMany ? ids : ids.first ?? NSNull()
    }

    // MARK: Saving

    public override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        // An object whose save got no answer keeps its number: the service may have it by now, and must not make another one.
        let new = array.filter { given[$0.objectID] == nil }
        if !new.isEmpty { try obtainNumbers(for: new) }
        let attempt = Dictionary(uniqueKeysWithValues: array.map { ($0.objectID, given[$0.objectID] ?? 0) })
        return array.map { newObjectID(for: $0.entity, referenceObject: NSNumber(value: attempt[$0.objectID] ?? 0)) }
    }

    /// The numbers that objects have by their temporary IDs, until the service has said that it has saved them.
    private var given: [NSManagedObjectID: Int] = [:]
    /// The last changes that were sent without an answer, and the name under which they were.
    private var unanswered: (body: NSDictionary, attempt: String)?

    private func obtainNumbers(for array: [NSManagedObject]) throws {
        let answer = try client.send("POST", "identifiers", json: ["entities": array.map { $0.entity.name ?? "" }])
        guard let numbers = try answer.object()["identifiers"] as? [NSNumber], numbers.count == array.count else {
            throw JSONFormatError("\(answer.place): no identifiers for \(array.count) objects")
        }
        for (object, number) in zip(array, numbers) { given[object.objectID] = number.intValue }
    }

    private func save(_ request: NSSaveChangesRequest) throws {
        let (updated, deleted) = (request.updatedObjects ?? [], request.deletedObjects ?? [])
        var changes: [[String: Any]] = []
        for object in request.insertedObjects ?? [] { changes.append(try change("create", object)) }
        for object in updated { changes.append(try change("update", object)) }
        for object in request.lockedObjects ?? [] { changes.append(try change("check", object)) }
        for object in deleted { changes.append(try change("delete", object)) }
        if !changes.isEmpty {
            let answer = try send(changes)
            if answer.status == 412 {
                throw try conflicts(answer, among: updated.union(deleted).union(request.lockedObjects ?? []))
            }
            addToRowCache(try records(answer).nodes)
        }
        if metadata as NSDictionary? != savedMetadata { try saveMetadata() }
    }

    /// Sends changes under a name that they keep until there is an answer, so that a service which has them already, and
    /// whose answer was lost, doesn't apply them twice.
    private func send(_ changes: [[String: Any]]) throws -> WebAnswer {
        let sorted = changes.sorted { "\($0["path"] ?? "")" < "\($1["path"] ?? "")" }
        let body = ["changes": sorted] as NSDictionary
        let attempt = unanswered.flatMap { $0.body == body ? $0.attempt : nil } ?? UUID().uuidString
        unanswered = (body, attempt)
        let answer = try client.send(
            "POST", "changes", json: ["changes": sorted, "attempt": attempt], accepting: [412])
        unanswered = nil
        given = [:]
        return answer
    }

    private func change(_ kind: String, _ object: NSManagedObject) throws -> [String: Any] {
        let id = object.objectID
        var change: [String: Any] = ["kind": kind, "path": path(of: id)]
        if kind == "create" || kind == "update" { change["values"] = try WebRecord.values(of: object, path: path(of:)) }
        if kind != "create" {
            // An object that was read before the ETag which was seen last is out of date for sure.
            change["etag"] = seen[id].flatMap { $0.version == version(of: object) ? $0.etag : nil } ?? "outdated"
        }
        return change
    }

    /// The objects that the service has in another version, with its values.
    private func conflicts(_ answer: WebAnswer, among objects: Set<NSManagedObject>) throws -> any Error {
        let nodes = try records(answer).nodes
        let missing = Set(try answer.object()["missing"] as? [String] ?? [])
        let conflicts = objects.compactMap { object -> NSMergeConflict? in
            let node = nodes.first { $0.objectID == object.objectID }
            guard node != nil || missing.contains(path(of: object.objectID)) else { return nil }
            let values = node.map { node in
                object.entity.propertiesByName.compactMapValues { node.value(for: $0) }
            }
            return NSMergeConflict(
                source: object, newVersion: Int(node?.version ?? 0), oldVersion: Int(version(of: object)),
                cachedSnapshot: nil, persistedSnapshot: values)
        }
        return CocoaError(.managedObjectMerge, userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
    }

    // MARK: Records

    private func id(_ path: String) throws -> NSManagedObjectID { try objectID(at: path, reference: { Int($0) }) }

    private func records(_ answer: WebAnswer) throws -> (
        nodes: [NSIncrementalStoreNode], others: [NSIncrementalStoreNode]
    ) {
        let object = try answer.object()
        return (try nodes(object["records"], answer), try nodes(object["included"] ?? [], answer))
    }

    private func nodes(_ json: Any?, _ answer: WebAnswer) throws -> [NSIncrementalStoreNode] {
        guard let list = json as? [Any] else { throw JSONFormatError("\(answer.place): no records") }
        return try list.map { json in
            let record = try WebRecord(json, at: answer.place)
            let id = try self.id(record.path)
            return NSIncrementalStoreNode(
                objectID: id, withValues: try record.nodeValues(of: id.entity, id: self.id),
                version: version(of: id, etag: record.etag))
        }
    }

    private func version(of id: NSManagedObjectID, etag: String) -> UInt64 {
        if let known = seen[id], known.etag == etag { return known.version }
        let version = (seen[id]?.version ?? 0) + 1
        seen[id] = (version, etag)
        return version
    }
}
