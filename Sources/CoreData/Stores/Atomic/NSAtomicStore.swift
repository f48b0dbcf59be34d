@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate

/// The base of stores that are read and written as a whole, such as files of a format of one's own (Apple: NSAtomicStore).
///
/// A subclass overrides ``load()``, ``save()``, ``newReferenceObject(for:)``, `type` and `metadata`, and registers itself
/// with `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. The framework answers every fetch from the
/// nodes that `load()` adds.
open class NSAtomicStore: NSPersistentStore {
    private let references = ReferenceTable()
    final private(set) var nodes: [ObjectKeyInRoot: NSAtomicStoreCacheNode] = [:]
    /// The nodes by concrete entity, in the order in which they were added.
    final private(set) var nodesByEntity: [Int: [NSAtomicStoreCacheNode]] = [:]

    private var isLoading = false
    /// A mistake of the subclass in a method that can't throw; the next method that can throw reports it.
    private var defect: NSError?

    struct ObjectKeyInRoot: Hashable {
        let handle: Int64
        let rootIndex: Int
    }

    // MARK: What subclasses override

    /// Reads the store's contents: makes a node for each object and adds them with ``addCacheNodes(_:)``.
    ///
    /// - Throws: an error that says what is wrong with the file; the store isn't added then.
    open func load() throws {
        fatalError("\(Swift.type(of: self)) must override load().")
    }

    /// Writes nodes and metadata to the store's place.
    ///
    /// Called when the nodes are as the context wants them. The file must be written as a whole or not at all.
    ///
    /// - Throws: an error; the context and the nodes are then as they were before the save. The values of changed and removed
    ///   nodes are put back by ``NSAtomicStoreCacheNode/setValue(_:forKey:)``, and where nodes are of a class of the store's
    ///   own, ``updateCacheNode(_:from:)`` is called for them once more, with objects that have the old values.
    open func save() throws {
        fatalError("\(Swift.type(of: self)) must override save().")
    }

    /// A value that stands for an inserted object from now on, unique among the objects of its entity's hierarchy.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        fatalError("\(Swift.type(of: self)) must override newReferenceObject(for:).")
    }

    /// Makes the node of an inserted object, with the object's values.
    ///
    /// The other inserted objects of the save may have no nodes yet. Relationships to them that
    /// ``updateCacheNode(_:from:)`` has left out are set by the framework when all nodes are there.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    /// Takes the values of a changed object over into its node.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        for property in managedObject.layout.properties where property.isPersistent {
            setValue(of: property, in: node, from: managedObject)
        }
    }

    /// Called before nodes are removed, so that a subclass can break circles of references.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    // MARK: What subclasses call

    /// All nodes.
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { Set(nodes.values) }

    /// Makes nodes known. One that is known for the same object is replaced; while the store is being loaded that is an error.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { register(cacheNodes) }

    /// Called by the framework in place of `addCacheNodes`, which a subclass may have overridden to see the nodes that
    /// are added.
    private func register(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        let ordered = cacheNodes.sorted {
            ($0.objectID.layout.index, $0.objectID.handle) < ($1.objectID.layout.index, $1.objectID.handle)
        }
        for node in ordered {
            let id = node.objectID
            guard id.persistentStore === self, !id.entity.isAbstract else {
                defect = defect ?? AtomicStoreDefect.foreignNode(id, in: self)
                continue
            }
            let before = nodes.updateValue(node, forKey: Self.key(id))
            if before === node { continue }
            if let before {
                if isLoading { defect = defect ?? AtomicStoreDefect.repeatedNode(id, in: self) }
                nodesByEntity[before.objectID.layout.index]?.removeAll { $0 === before }
            }
            nodesByEntity[id.layout.index, default: []].append(node)
        }
    }

    /// The node of an object.
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { knownNode(of: objectID) }

    private func knownNode(of objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { nodes[Self.key(objectID)] }

    /// The object ID for a reference object.
    open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        references.objectID(for: entity, reference: data, in: self)
    }

    /// The reference object that an ID of this store stands for.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        references.reference(for: objectID, in: self)
    }

    /// The node of an object, under the identity by which a save that is under way writes it.
    func savedNode(of object: NSManagedObject) -> NSAtomicStoreCacheNode? {
        nodes[ObjectKeyInRoot(handle: object.savedKey.handle, rootIndex: object.layout.rootIndex)]
    }

    /// Whether a node is one of the store's.
    func holds(_ node: NSAtomicStoreCacheNode) -> Bool { nodes[Self.key(node.objectID)] === node }

    private static func key(_ id: NSManagedObjectID) -> ObjectKeyInRoot {
        ObjectKeyInRoot(handle: id.handle, rootIndex: id.layout.root.index)
    }

    private func remove(_ gone: [NSAtomicStoreCacheNode]) {
        for (entity, group) in Dictionary(grouping: gone, by: \.objectID.layout.index) {
            for node in group where nodes[Self.key(node.objectID)] === node { nodes[Self.key(node.objectID)] = nil }
            let identities = Set(group.map(ObjectIdentifier.init))
            nodesByEntity[entity]?.removeAll { identities.contains(ObjectIdentifier($0)) }
        }
    }

    // MARK: Between the coordinator and the subclass

    /// Completes the metadata of a new store. What a store brings along stays: it says which model its contents fit.
    override func prepare(for layout: ModelLayout) throws {
        var complete = metadata ?? [:]
        complete[NSStoreTypeKey] = type
        if !(complete[NSStoreUUIDKey] is String) { complete[NSStoreUUIDKey] = UUID().uuidString }
        if !(complete[NSStoreModelVersionHashesKey] is [String: Data]) {
            StoreMetadata.addModelVersion(layout.model, configuration: requestedConfiguration, to: &complete)
        }
        metadata = complete
    }

    /// Takes the nodes apart, which refer to each other in circles. A subclass that overrides this calls super.
    open override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        for node in nodes.values { node.propertyCache = nil }
        nodes = [:]
        nodesByEntity = [:]
        super.willRemove(from: coordinator)
    }

    override func loadContents() throws {
        isLoading = true
        defer { isLoading = false }
        try load()
        try throwDefect()
    }

    private func throwDefect() throws {
        guard let defect else { return }
        self.defect = nil
        throw defect
    }

    override var traits: StoreTraits { [.holdsObjectsInMemory, .waitsForOthers] }
    override var referenceTable: ReferenceTable? { references }

    override func reading(for context: NSManagedObjectContext) -> any RowReading { self }

    override func entityIndex(of key: ObjectKey, in model: ModelLayout) -> Int? {
        let root = ObjectKeyInRoot(handle: key.handle, rootIndex: model.entities[Int(key.entityIndex)].rootIndex)
        return nodes[root]?.objectID.layout.index
    }

    /// The node's row, made when it is first asked for.
    final func row(of node: NSAtomicStoreCacheNode) throws -> RowRef {
        if let row = node.row { return row }
        let row = try makeRow(of: node, node.storedValue)
        node.row = row
        return row
    }

    private func makeRow(of node: NSAtomicStoreCacheNode, _ value: (PropertyLayout) -> Any?) throws -> RowRef {
        try StoreRowBuilder.row(
            node.objectID.key, version: node.version, layout: node.objectID.layout,
            value: { value($0) ?? NSNull() },
            destination: { value, property in try destination(value, of: property, node) })
    }

    /// What a node with these values holds.
    ///
    /// - Throws: an error where no object can have them.
    func contents(of node: NSAtomicStoreCacheNode, _ value: (PropertyLayout) -> Any?) throws -> NodeContents {
        let toMany = node.objectID.layout.relationships.filter { $0.kind == .toMany && $0.isPersistent }
        return NodeContents(
            row: try makeRow(of: node, value), members: try toMany.map { ($0, try members(value($0), of: $0, node)) })
    }

    /// The keys of the nodes that a node has as the value of a to-many relationship.
    private func members(_ value: Any?, of property: PropertyLayout, _ node: NSAtomicStoreCacheNode) throws
        -> [ObjectKey]
    {
        guard let value else { return [] }
        guard let members = NodeMembers.elements(of: value) else {
            throw AtomicStoreDefect.wrongDestination(value, of: property, node.objectID)
        }
        return try members.map { try destination($0, of: property, node) }
    }

    /// The keys of the nodes that a node's to-many relationship leads to.
    final func memberKeys(of node: NSAtomicStoreCacheNode, _ property: PropertyLayout) throws -> [ObjectKey] {
        if let known = node.ownMembers(of: property) { return try members(known, of: property, node) }
        return try members(node.value(forKey: property.name), of: property, node)
    }

    private func destination(_ value: Any, of property: PropertyLayout, _ node: NSAtomicStoreCacheNode) throws
        -> ObjectKey
    {
        guard let id = (value as? NSAtomicStoreCacheNode)?.objectID, id.persistentStore === self,
            let expected = property.destination, id.layout.isKind(of: expected)
        else { throw AtomicStoreDefect.wrongDestination(value, of: property, node.objectID) }
        return id.key
    }

    // MARK: Saving

    override func obtainPermanentKeys(for objects: [NSManagedObject]) throws -> [ObjectKey] {
        var given: Set<ObjectKeyInRoot> = []
        return try objects.map { object in
            let reference = newReferenceObject(for: object)
            guard ReferenceTable.canRefer(reference) else {
                throw AtomicStoreDefect.unusableReference(reference, for: object, in: self)
            }
            let handle = references.handle(of: reference)
            let key = ObjectKeyInRoot(handle: handle, rootIndex: object.layout.rootIndex)
            guard nodes[key] == nil, given.insert(key).inserted else {
                throw AtomicStoreDefect.repeatedReference(reference, for: object, in: self)
            }
            return ObjectKey(handle: handle, entityIndex: object.layout.index)
        }
    }

    /// Does what of ``save()`` can be taken back, before other stores of the same save write for good.
    func stage() throws {}

    /// Takes back what ``stage()`` has done, if it was.
    func unstage() {}

    /// In the order of Apple's "Atomic Store Life-cycle": new nodes, updated nodes, removed nodes, the file.
    override func save(
        _ changes: StoreChanges, beforeCommit others: () throws -> Void
    ) throws {
        try checkVersions(changes)
        let gone = changes.deleted.compactMap { knownNode(of: $0.objectID) }
        let undo = NodeBackup(
            updated: changes.updated.compactMap { knownNode(of: $0.objectID) }, removed: gone, in: self)
        let order = gone.isEmpty ? nil : nodesByEntity
        var new: [NSAtomicStoreCacheNode] = []
        var corrected: [NSAtomicStoreCacheNode] = []
        do {
            new = changes.inserted.map { newCacheNode(for: $0) }
            try checkNew(new, of: changes.inserted)
            register(Set(new))
            for (node, object) in zip(new, changes.inserted) {
                node.version = object.versionBeforeSave + 1
                connect(node, object)
            }
            // What leads to an object that others have deleted leads nowhere in the store.
            let lacking = (new + changes.updated.compactMap(update)).filter(\.lacksDestinations)
            for node in lacking { node.lacksDestinations = false }
            if !gone.isEmpty {
                willRemoveCacheNodes(Set(gone))
                remove(gone)
            }
            corrected = lacking + InverseSettlement.settle(changes, gone: gone, in: self, undo)
            try throwDefect()
            try stage()
            try others()
            try save()
        } catch {
            unstage()
            remove(zip(new, changes.inserted).filter { $0.objectID == $1.objectID }.map(\.0))
            register(Set(gone))
            if let order { nodesByEntity = order }
            undo.restore()
            throw error
        }
        for node in gone { node.propertyCache = nil }
        if !corrected.isEmpty { tell(of: corrected, changes) }
    }

    /// Corrected values are in no object's snapshot yet; the saved objects take them over.
    private func tell(of corrected: [NSAtomicStoreCacheNode], _ changes: StoreChanges) {
        let identities = Set(corrected.map(ObjectIdentifier.init))
        for object in changes.inserted + changes.updated {
            guard let node = savedNode(of: object), identities.contains(ObjectIdentifier(node)) else { continue }
            // A row that can't be made is met as an error when the object is read next.
            if let row = try? row(of: node) { changes.correct(object, by: row) }
        }
        changes.report.outcome.recomputed += corrected.map(\.objectID.key)
    }

    private func checkNew(_ new: [NSAtomicStoreCacheNode], of objects: [NSManagedObject]) throws {
        var keys: Set<ObjectKeyInRoot> = []
        for (node, object) in zip(new, objects) {
            guard node.objectID == object.objectID else {
                throw AtomicStoreDefect.wrongNode(node.objectID, for: object, in: self)
            }
            let key = Self.key(node.objectID)
            // A subclass may have added the node itself.
            guard keys.insert(key).inserted, nodes[key] == nil || nodes[key] === node else {
                throw AtomicStoreDefect.repeatedNode(node.objectID, in: self)
            }
        }
    }

    /// - Returns: the object's node.
    private func update(_ object: NSManagedObject) -> NSAtomicStoreCacheNode? {
        guard let node = knownNode(of: object.objectID) else { return nil }
        updateCacheNode(node, from: object)
        node.version += 1
        node.row = nil
        return node
    }

    private func checkVersions(_ changes: StoreChanges) throws {
        var conflicts: [StoreConflict] = []
        for object in changes.updated + changes.deleted + changes.locked {
            let node = knownNode(of: object.objectID)
            if node?.version == object.snapshotVersion { continue }
            conflicts.append(StoreConflict(object: object, persisted: try node.map { try row(of: $0) }))
        }
        if !conflicts.isEmpty { throw StoreConflicts(conflicts: conflicts) }
    }

    /// Sets the relationships of a new node that lead to other new ones, unless the subclass sees to them in its own way.
    private func connect(_ node: NSAtomicStoreCacheNode, _ object: NSManagedObject) {
        guard node.lacksDestinations else { return }
        node.lacksDestinations = false
        for property in object.layout.relationships where property.isPersistent {
            setValue(of: property, in: node, from: object)
        }
    }
}
