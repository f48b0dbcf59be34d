@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// What the XML and binary stores have in common: one file, objects known by numbers, and Apple's limits on models.
///
/// A subclass turns bytes into ``StoredObject``s and nodes into bytes.
class FileAtomicStore: NSAtomicStore {
    /// The highest number that was ever given to an object, as the file says it.
    private(set) var lastReference: Int64 = 0
    /// The highest number that an object of the file has.
    private var highestReference: Int64 = 0
    /// Whether the file holds a store: it was read, or saved.
    /// The file as it was when it was last read or written by this store.
    private var knownState: FileStamp?
    private var isInFile = false

    /// What the save that is under way has written beside the file.
    private var staged: StagedFile?

    /// Written there by the next save. A place that was reserved and isn't needed any more is given back.
    override final var url: URL? {
        willSet {
            if newValue != url, !isInFile, !isReadOnly, !file.isNull { StoreFiles.removeReservation(at: file.url) }
        }
    }

    final var file: AtomicStoreFile { AtomicStoreFile(url: url ?? URL(fileURLWithPath: "/dev/null")) }

    // MARK: What subclasses answer

    /// The number before that of the first object of a new store.
    class var firstReference: Int64 { fatalError("\(self) must override firstReference.") }

    /// Whether a store of this kind, be it damaged further on or cut off, may begin so.
    class func begins(with head: Data) -> Bool { fatalError("\(self) must override begins(with:).") }

    /// The metadata of a store's bytes.
    class func metadata(in data: Data) throws -> [String: Any] { fatalError("\(self) must override metadata(in:).") }

    /// A store's bytes with other metadata.
    class func replacingMetadata(in data: Data, with metadata: [String: Any]) throws -> Data {
        fatalError("\(self) must override replacingMetadata(in:with:).")
    }

    /// Takes the bytes apart as far as that is possible without a model, and keeps what ``consumeObjects(for:)`` needs.
    func open(_ data: Data) throws -> (metadata: [String: Any], lastReference: Int64) {
        fatalError("\(Swift.type(of: self)) must override open(_:).")
    }

    /// The objects of the bytes that were opened. The bytes are then released.
    func consumeObjects(for layout: ModelLayout) throws -> [StoredObject] {
        fatalError("\(Swift.type(of: self)) must override consumeObjects(for:).")
    }

    /// The bytes of metadata and nodes.
    func serialized(_ nodes: [FileCacheNode]) throws -> Data {
        fatalError("\(Swift.type(of: self)) must override serialized(_:).")
    }

    /// Throws where no file of this kind can hold objects of the model.
    class func check(_ layout: ModelLayout) throws {}

    // MARK: Opening

    override final func loadMetadata() throws {
        guard !file.isNull else { return }
        guard file.exists || isReadOnly else { return }
        let data = try naming(file.url) { isReadOnly ? try file.readStore() : try file.read() }
        guard !data.isEmpty else { return }
        knownState = FileStamp(path: file.url.path)
        if !file.isWritable { isReadOnly = true }
        try naming(file.url) { (metadata, lastReference) = try open(data) }
        isInFile = true
    }

    override final func prepare(for layout: ModelLayout) throws {
        try AtomicStoreModelCheck.check(layout.model, configuration: requestedConfiguration, storeType: type)
        try Swift.type(of: self).check(layout)
        try super.prepare(for: layout)
    }

    override final func load() throws {
        guard isInFile else {
            lastReference = Swift.type(of: self).firstReference
            if !file.isNull, !file.exists { try file.reserve() }
            return
        }
        guard let layout = persistentStoreCoordinator?.layout else { return }
        try naming(file.url) { try install(try consumeObjects(for: layout)) }
    }

    // MARK: Nodes

    /// Objects of unrelated entities may have the same number (seen in a fixture, haraldmartin__things-rb).
    private struct NumberInHierarchy: Hashable {
        let reference: Int64
        let rootIndex: Int

        init(_ reference: Int64, _ entity: EntityLayout) {
            self.reference = reference
            rootIndex = entity.root.index
        }
    }

    private func install(_ objects: [StoredObject]) throws {
        var nodes: [NumberInHierarchy: FileCacheNode] = [:]
        nodes.reserveCapacity(objects.count)
        var orders: Set<[Int]> = []
        for object in objects {
            let reference = NSNumber(value: object.reference)
            let node = FileCacheNode(objectID: objectID(for: object.entity.entity, withReferenceObject: reference))
            node.propertyOrder = orders.insert(object.propertyOrder).memberAfterInsert
            for (property, value) in object.values { node.setValue(value, forKey: property.name) }
            let number = NumberInHierarchy(object.reference, object.entity)
            guard nodes.updateValue(node, forKey: number) == nil else {
                throw ModelFileError(
                    .malformed, "another object has the number \(object.reference) too", at: object.place)
            }
            highestReference = max(highestReference, object.reference)
        }
        let numbers = Set(objects.map(\.reference))
        for object in objects {
            guard let node = nodes[NumberInHierarchy(object.reference, object.entity)] else { continue }
            for relationship in object.relationships {
                // A file edited by hand may lead to objects that aren't there (seen in a fixture, haraldmartin__things-rb).
                let references = relationship.destinations.filter(numbers.contains)
                try connect(relationship.property, references, of: node, object, nodes)
            }
        }
        addCacheNodes(Set(nodes.values))
    }

    private func connect(
        _ property: PropertyLayout, _ references: [Int64], of node: FileCacheNode, _ object: StoredObject,
        _ nodes: [NumberInHierarchy: FileCacheNode]
    ) throws {
        let destinations = try references.compactMap { reference -> FileCacheNode? in
            let inHierarchy = property.destination.flatMap { nodes[NumberInHierarchy(reference, $0)] }
            // One that is below another root is an error, so that this search is made once.
            guard let destination = inHierarchy ?? nodes.first(where: { $0.key.reference == reference })?.value else {
                return nil
            }
            if let expected = property.destination, !destination.objectID.layout.isKind(of: expected) {
                throw ModelFileError(
                    .malformed,
                    "\(property.name) leads to the object \(reference), which is a "
                        + "\(destination.objectID.layout.name) and no \(expected.name)", at: object.place)
            }
            return destination
        }
        if property.kind == .toMany {
            // Unordered ones too: the file's order is kept when it is written again.
            node.setMembers(NodeMembers(destinations, isOrdered: true), of: property)
        } else if let destination = destinations.first {
            guard destinations.count == 1 else {
                throw ModelFileError(.malformed, "\(property.name) leads to more than one object", at: object.place)
            }
            node.setValue(destination, forKey: property.name)
        }
    }

    override final func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        lastReference = max(lastReference, highestReference) + 1
        return NSNumber(value: lastReference)
    }

    override final func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = FileCacheNode(objectID: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    override final func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        let before = (node as? FileCacheNode).map { orderedMembers(of: $0) } ?? []
        super.updateCacheNode(node, from: managedObject)
        for (property, order) in before { keep(order, of: property, in: node) }
        for property in managedObject.layout.properties where property.isPersistent {
            if property.kind == .transformable {
                if let archived = archived(property, of: managedObject) {
                    node.setValue(archived, forKey: property.name)
                }
            } else if property.storesTransformables {
                let values = property.composed {
                    archived($0, of: managedObject) ?? managedObject.primitiveValue(of: $0)
                }
                node.setValue(values, forKey: property.name)
            }
        }
    }

    /// What the file has of a transformable, which stays where it can't be read just now.
    private func archived(_ property: PropertyLayout, of object: NSManagedObject) -> ArchivedTransformable? {
        guard property.kind == .transformable, case .data(let data) = object.storedField(property) else { return nil }
        return ArchivedTransformable(data)
    }

    /// The members of unordered relationships, which the file has in an order all the same.
    private func orderedMembers(of node: FileCacheNode) -> [(property: PropertyLayout, order: NodeMembers)] {
        node.objectID.layout.relationships.filter { $0.kind == .toMany && !$0.isOrdered }
            .map { ($0, node.members(of: $0)) }.filter(\.1.isOrdered)
    }

    /// Members that were there keep their order; new ones come behind.
    private func keep(_ order: NodeMembers, of relationship: PropertyLayout, in node: NSAtomicStoreCacheNode) {
        let members = node.members(of: relationship)
        guard !members.isOrdered else { return }
        let added = members.nodes.filter { !order.contains($0) }.inOrderOfHandles()
        node.setMembers(
            NodeMembers(order.nodes.filter(members.contains) + added, isOrdered: true), of: relationship)
    }

    // MARK: Saving

    override final func save(
        _ changes: StoreChanges, beforeCommit others: () throws -> Void
    ) throws {
        try ObjectIDAttributes.refuseValues(in: changes)
        try super.save(changes, beforeCommit: others)
    }

    override final var traits: StoreTraits { super.traits.union([.takesBackSaves, .commitsSurely]) }

    override final func stage() throws {
        guard !file.isNull else { return }
        let nodes = cacheNodes().compactMap { $0 as? FileCacheNode }
        do {
            staged = try file.staged(serialized(nodes.sorted(by: Self.precedes)))
        } catch let error as ModelFileError {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "\(error.located(in: file.url))", [NSFilePathErrorKey: file.url.path])
        }
    }

    override final func unstage() {
        staged?.discard()
        staged = nil
    }

    override final func save() throws {
        guard !file.isNull else { return }
        if staged == nil { try stage() }
        warnOfOtherWriters()
        try staged?.commit()
        staged = nil
        knownState = FileStamp(path: file.url.path)
        isInFile = true
    }

    /// A store that is written as a whole knows nothing of what others have written since it was read. As on Apple's platforms
    /// the last one prevails; but not without a word.
    private func warnOfOtherWriters() {
        guard let knownState, let present = FileStamp(path: file.url.path), present != knownState else { return }
        CoreDataLog.write(
            "\(file.url.path) was written by another program or coordinator since it was read; a store of type \(type) is "
                + "written as a whole, so what that has written is replaced",
            atLevel: 0)
    }

    private static func precedes(_ left: FileCacheNode, _ right: FileCacheNode) -> Bool {
        (left.objectID.handle, left.objectID.layout.index) < (right.objectID.handle, right.objectID.layout.index)
    }

    override final class var isReplacedByRenaming: Bool { true }

    // MARK: Files of stores that are not open

    override final class var takesEmptyFiles: Bool { true }
    override final class var optionRange: StoreOptionRange { .general }

    override final class func destroyPersistentStore(at url: URL, options: [AnyHashable: Any]?) throws {
        StoreFiles.recover(url)
        try requireStore(at: url, for: "destroyed", options)
        try StoreFiles.remove(url)
    }

    override final class func replacePersistentStore(
        at url: URL, options: [AnyHashable: Any]?, withPersistentStoreFrom source: URL,
        sourceOptions: [AnyHashable: Any]?
    ) throws {
        try AtomicStoreFile(url: source).requireFile(for: "copied")
        StoreFiles.recover(url)
        StoreFiles.recover(source)
        // A copy of what can't be read would be worse than the store that it replaces.
        if AtomicStoreFile(url: source).exists { _ = try metadataForPersistentStore(with: source) }
        try requireStore(at: url, for: "replaced", options)
        try StoreFiles.replace(url, withCopyOf: source)
    }

    private class func requireStore(at url: URL, for purpose: String, _ options: [AnyHashable: Any]?) throws {
        let file = AtomicStoreFile(url: url)
        try file.requireFile(for: purpose)
        if options?.isSet(NSPersistentStoreForceDestroyOption) == true || RefusedFiles.contains(url) { return }
        try file.requireContents(for: purpose) { begins(with: $0) }
    }

    override final class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try naming(url) { try metadata(in: AtomicStoreFile(url: url).readStore()) }
    }

    override final class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        let file = AtomicStoreFile(url: url)
        try file.write(
            try naming(url) {
                let data = try file.readStore()
                let complete = StoreMetadata.completed(metadata ?? [:], as: try self.metadata(in: data))
                return try replacingMetadata(in: data, with: complete)
            })
    }
}

/// Adds the file's name to errors about its contents.
/// - Throws: an error of Cocoa's, as every store throws, that names the file.
private func naming<T>(_ url: URL, _ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as ModelFileError {
        let located = error.located(in: url)
        throw NSError.describing(located.description, code: located.errorCode, userInfo: located.errorUserInfo)
    }
}

/// What models of XML and binary stores can't have: derived attributes and uniqueness constraints need a database
/// (Apple: "NSDerivedAttributeDescription", "NSEntityDescription.uniquenessConstraints").
enum AtomicStoreModelCheck {
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` (134020), which names entity and property.
    static func check(_ model: NSManagedObjectModel, configuration: String?, storeType: String) throws {
        for entity in model.storedEntities(forConfigurationName: configuration) ?? [] {
            let name = entity.name ?? ""
            if let derived = entity.properties.first(where: { $0 is NSDerivedAttributeDescription }) {
                throw refusal("derived attributes", "\(name).\(derived.name) is one", storeType)
            }
            guard entity.uniquenessConstraints.isEmpty else {
                throw refusal("uniqueness constraints", "the entity \(name) has one", storeType)
            }
        }
    }

    private static func refusal(_ what: String, _ which: String, _ storeType: String) -> any Error {
        CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "Stores of the type \(storeType) don't support \(what), and \(which). Use a SQLite store, or a model without."
        )
    }
}
