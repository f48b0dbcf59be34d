import CoreData
import Foundation

/// A sound atomic store, unless its options name a defect.
final class TrialAtomicStore: NSAtomicStore {
    static let storeType = "TrialAtomic"
    override var type: String { Self.storeType }

    private var stored: StoredContents?
    private var readFailure: (any Error)?
    private lazy var defect = StoreDefect(options)
    /// What exchanges the numbers of neighbours, in every other stack that has the store open.
    private lazy var exchange = defect == .mixesIDs ? TokenFile.countOpening(of: place) % 2 : 0
    private lazy var offset = defect == .changesIDs ? Int.random(in: 1...1_000_000) : 0
    private var place: URL { url ?? URL(fileURLWithPath: "/dev/null") }

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        do { stored = try TokenFile.read(url) } catch { readFailure = error }
        var metadata = stored?.metadataRead(by: defect) ?? [:]
        if metadata[NSStoreUUIDKey] == nil { metadata[NSStoreUUIDKey] = UUID().uuidString }
        metadata[NSStoreTypeKey] = Self.storeType
        self.metadata = metadata
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try TokenFile.metadata(at: url)
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try TokenFile.setMetadata(metadata, at: url)
    }

    override class func replacePersistentStore(
        at url: URL, options: [AnyHashable: Any]?, withPersistentStoreFrom source: URL,
        sourceOptions: [AnyHashable: Any]?
    ) throws {
        if StoreDefect(options) == .ignoresReplacements { return }
        try super.replacePersistentStore(
            at: url, options: options, withPersistentStoreFrom: source, sourceOptions: sourceOptions)
    }

    // MARK: Loading

    override func load() throws {
        if let readFailure, defect != .takesGarbageForNew { throw readFailure }
        if TokenFile.isReservation(place), defect == .refusesReservations {
            throw TokenFile.Failure(errorDescription: "\(place.path) is empty")
        }
        guard let stored else {
            if !FileManager.default.fileExists(atPath: place.path) { try TokenFile.reserve(place) }
            return
        }
        let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
        var nodes: [Int: NSAtomicStoreCacheNode] = [:]
        for (number, row) in stored.rows {
            guard let entity = entities[row.entity] else {
                throw TokenFile.Failure(errorDescription: "there is no entity \(row.entity)")
            }
            let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: reference(number)))
            for (name, value) in row.values where entity.attributesByName[name] != nil {
                node.setValue(value, forKey: name)
            }
            nodes[number] = node
        }
        for (number, row) in stored.rows where defect != .connectsNothing {
            guard let node = nodes[number] else { continue }
            for (name, relationship) in node.objectID.entity.relationshipsByName {
                let members = (row.values[name] as? [Int] ?? []).compactMap { nodes[$0] }
                node.setValue(
                    !relationship.isToMany
                        ? members.first as Any?
                        : relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: name)
            }
        }
        addCacheNodes(Set(nodes.values))
    }

    // MARK: Saving

    private func number(_ id: NSManagedObjectID) -> Int {
        (((referenceObject(for: id) as? NSNumber)?.intValue ?? 0) - offset) ^ exchange
    }

    private func reference(_ number: Int) -> Int { (number ^ exchange) + offset }

    private var pending: Set<Int> = []

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        let taken = pending.union(cacheNodes().map { number($0.objectID) })
        let new = TokenFile.newNumbers(1, besides: taken, defect: defect)[0]
        pending.insert(new)
        return reference(new)
    }

    override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        if defect == .ignoresChanges, node.propertyCache != nil { return }
        super.updateCacheNode(node, from: managedObject)
    }

    override func save() throws {
        let old = stored ?? StoredContents()
        var new = StoredContents(metadata: metadata ?? [:])
        for node in cacheNodes() {
            let values = values(of: node)
            let before = old.rows[number(node.objectID)]
            // Only whether anything has changed: the framework sees to versions.
            let isSame = before.map { NSDictionary(dictionary: $0.values) == NSDictionary(dictionary: values) } ?? false
            new.rows[number(node.objectID)] = StoredContents.Row(
                entity: node.objectID.entity.name ?? "", values: values,
                version: (before?.version ?? 0) + (isSame ? 0 : 1))
        }
        try TokenFile.write(new, over: old, to: place, defect: defect)
        stored = new.written(by: defect, over: old)
        pending = []
    }

    private func values(of node: NSAtomicStoreCacheNode) -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, property) in node.objectID.entity.propertiesByName where !property.isTransient {
            guard property is NSRelationshipDescription else {
                values[name] = node.value(forKey: name)
                continue
            }
            let members: [Any] =
                switch node.value(forKey: name) {
                case let set as NSOrderedSet: set.array
                case let set as NSSet: set.allObjects
                case let value: value.map { [$0] } ?? []
                }
            let numbers = members.compactMap { ($0 as? NSAtomicStoreCacheNode).map { number($0.objectID) } }
            values[name] = (property as? NSRelationshipDescription)?.isOrdered == true ? numbers : numbers.sorted()
        }
        return values
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        if defect == .removesSavedFile, stored != nil { try? FileManager.default.removeItem(at: place) }
        // What is inherited takes a reservation back.
        if defect != .leavesReservation { super.willRemove(from: coordinator) }
    }
}
