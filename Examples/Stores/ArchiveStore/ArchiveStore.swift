import CoreData
import Foundation

/// An atomic store that keeps its objects in a keyed archive, as Apple's sample CustomAtomicStoreSubclass does.
///
/// The archive holds a dictionary:
///
/// ```
/// { "Metadata" = { "NSStoreUUID" = …, "NSStoreType" = "Archive", … },
///   "Objects"  = ( { "idRefData" = 1, "entityName" = "Book", "propertyData" = { … } }, … ) }
/// ```
///
/// Objects are known by numbers, counted up in the metadata, so that no number comes twice.
public final class ArchiveStore: NSAtomicStore {
    /// The type to register the class under.
    public static let storeType = "Archive"

    private static let lastReferenceKey = "ArchiveStoreLastReference"

    private var archive = StoreArchive()
    /// Why the file can't be read; thrown when the store is loaded.
    private var readFailure: (any Error)?
    private var isInFile = false

    // MARK: Opening

    /// Called for new stores and for existing ones. A file of zero length is a reservation for a new store.
    public override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        do {
            if let existing = try StoreArchive.read(from: url) {
                archive = existing
                isInFile = true
            }
        } catch {
            readFailure = error
        }
        // The coordinator asks for the metadata next, so it has to be right by now.
        metadata = archive.metadata.merging([
            NSStoreTypeKey: Self.storeType,
            NSStoreUUIDKey: archive.metadata[NSStoreUUIDKey] ?? UUID().uuidString,
            Self.lastReferenceKey: archive.metadata[Self.lastReferenceKey] ?? NSNumber(value: 0),
        ]) { $1 }
    }

    public override var type: String { Self.storeType }

    /// Makes a node for each object of the archive. They keep the archived form until they are asked for a value.
    public override func load() throws {
        if let readFailure { throw readFailure }
        if !isInFile, isReadOnly { throw ArchiveStoreError.missing(url) }
        if let attribute = unsupportedAttribute { throw ArchiveStoreError.unsupported(attribute, url) }
        let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
        var nodes: Set<NSAtomicStoreCacheNode> = []
        var known: Set<NSManagedObjectID> = []
        for object in archive.objects {
            guard let entity = entities[object.entityName], !entity.isAbstract else {
                throw ArchiveStoreError.unknownEntity(object.entityName, url)
            }
            let id = objectID(for: entity, withReferenceObject: object.reference)
            guard known.insert(id).inserted else { throw ArchiveStoreError.twice(object.reference, url) }
            nodes.insert(ArchiveCacheNode(objectID: id, propertyData: object.propertyData, in: self))
        }
        addCacheNodes(nodes)
        // The nodes have the data now.
        archive.objects = []
    }

    /// One whose values no keyed archive can hold.
    private var unsupportedAttribute: NSAttributeDescription? {
        let entities = persistentStoreCoordinator?.managedObjectModel.entities ?? []
        return entities.flatMap(\.attributesByName.values).first { attribute in
            !attribute.isTransient
                && [.objectIDAttributeType, .undefinedAttributeType].contains(attribute.attributeType)
        }
    }

    // MARK: Saving

    /// The next number. It is unique among all objects, which is more than has to be.
    public override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        let next = NSNumber(value: (metadata[Self.lastReferenceKey] as? NSNumber ?? 0).int64Value + 1)
        metadata[Self.lastReferenceKey] = next
        return next
    }

    public override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        ArchiveCacheNode(
            objectID: managedObject.objectID,
            propertyData: propertyData(of: managedObject.entity) { managedObject.value(forKey: $0) }, in: self)
    }

    /// Pushes the archived form of an object's values into its node.
    public override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        guard let node = node as? ArchiveCacheNode else { return }
        node.propertyData = propertyData(of: managedObject.entity) { managedObject.value(forKey: $0) }
    }

    public override func save() throws {
        guard let url, url.path != "/dev/null" else { return }
        archive.metadata = metadata
        let nodes = cacheNodes().compactMap { $0 as? ArchiveCacheNode }
        archive.objects = nodes.map { node in
            ArchivedObject(
                reference: referenceObject(for: node.objectID) as? NSNumber ?? 0,
                entityName: node.objectID.entity.name ?? "", propertyData: node.propertyData)
        }
        defer { archive.objects = [] }
        try archive.write(to: url)
        isInFile = true
    }

    // MARK: Leaving

    /// Nodes lead to each other in circles once they are unpacked.
    public override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        for node in cacheNodes { (node as? ArchiveCacheNode)?.forgetUnpackedValues() }
    }

    /// Removes the reservation of a store that was never saved.
    public override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        if !isInFile, readFailure == nil, let url { StoreArchive.removeReservation(at: url) }
        willRemoveCacheNodes(cacheNodes())
        super.willRemove(from: coordinator)
    }

    // MARK: Metadata without a stack

    public override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        guard let archive = try StoreArchive.read(from: url) else { throw ArchiveStoreError.missing(url) }
        return archive.metadata
    }

    public override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        guard var archive = try StoreArchive.read(from: url) else { throw ArchiveStoreError.missing(url) }
        let own = archive.metadata.filter { [NSStoreUUIDKey, NSStoreTypeKey, lastReferenceKey].contains($0.key) }
        archive.metadata = own.merging(metadata ?? [:]) { $1 }
        try archive.write(to: url)
    }

    // MARK: Archived values

    /// The archived form of an object's values: attributes by ``AttributeArchiving``, relationships as the reference
    /// objects of their destinations.
    func propertyData(of entity: NSEntityDescription, value: (String) -> Any?) -> [String: Any] {
        var data: [String: Any] = [:]
        for property in entity.propertiesByName.values where !property.isTransient {
            guard let value = value(property.name) else { continue }
            if let attribute = property as? NSAttributeDescription {
                data[property.name] = AttributeArchiving.archived(value, of: attribute)
            } else if let relationship = property as? NSRelationshipDescription {
                data[property.name] = references(in: value, toMany: relationship.isToMany)
            }
        }
        return data
    }

    private func references(in value: Any, toMany: Bool) -> Any? {
        let ids = RelationshipMembers.of(value).compactMap { member in
            (member as? NSManagedObject)?.objectID ?? (member as? NSAtomicStoreCacheNode)?.objectID
        }
        let references = ids.map { referenceObject(for: $0) }
        return toMany ? references : references.first
    }

    /// The node of a destination.
    func node(_ reference: NSNumber, of relationship: NSRelationshipDescription) -> NSAtomicStoreCacheNode? {
        relationship.destinationEntity.flatMap { cacheNode(for: objectID(for: $0, withReferenceObject: reference)) }
    }
}
