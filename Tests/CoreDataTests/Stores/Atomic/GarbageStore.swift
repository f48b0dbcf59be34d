import CoreData
import Foundation

/// A store that hands back what no store may: which garbage it is says the option.
final class GarbageStore: NSAtomicStore {
    static let storeType = "Garbage"
    static let option = "Garbage"

    enum Kind: String, CaseIterable {
        case nodeOfAnotherStore, temporaryNode, nodeOfAbstractEntity, nodesForOneObject
        case textForNumber, objectForText, textForToOne, collectionForToOne, textForToMany, textsInToMany
        case nodeOfWrongEntity, nodeOfWrongEntityInToMany
        case repeatedReference, unusableReference, nodeForAnotherObject
        case metadataOfWrongTypes

        /// Whether the garbage comes with a save; otherwise with opening or reading.
        var isInSave: Bool { [.repeatedReference, .unusableReference, .nodeForAnotherObject].contains(self) }
    }

    private struct NotHashable {}

    private var kind: Kind? { (options?[Self.option] as? String).flatMap(Kind.init(rawValue:)) }

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        if kind == .metadataOfWrongTypes {
            metadata = [NSStoreTypeKey: 5, NSStoreUUIDKey: 6, NSStoreModelVersionHashesKey: "none"]
        }
    }

    override var type: String { Self.storeType }
    override func save() throws {}

    private func id(_ entity: String, _ reference: Any) throws -> NSManagedObjectID {
        guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[entity] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return objectID(for: entity, withReferenceObject: reference)
    }

    override func load() throws {
        let author = NSAtomicStoreCacheNode(objectID: try id("Author", 1))
        author.setValue("Ursula", forKey: "name")
        let book = NSAtomicStoreCacheNode(objectID: try id("Book", 1))
        book.setValue("Tehanu", forKey: "title")
        book.setValue(author, forKey: "author")
        author.setValue(NSSet(object: book), forKey: "books")
        switch kind {
        case .nodeOfAnotherStore: addCacheNodes([NSAtomicStoreCacheNode(objectID: try foreignID())])
        case .temporaryNode: addCacheNodes([NSAtomicStoreCacheNode(objectID: try temporaryID())])
        case .nodeOfAbstractEntity: addCacheNodes([NSAtomicStoreCacheNode(objectID: try id("Thing", 9))])
        case .nodesForOneObject: addCacheNodes([NSAtomicStoreCacheNode(objectID: try id("Book", 1))])
        case .textForNumber: book.setValue("many", forKey: "pages")
        case .objectForText: book.setValue(NSObject(), forKey: "title")
        case .textForToOne: book.setValue("Ursula", forKey: "author")
        case .collectionForToOne: book.setValue(NSSet(object: author), forKey: "author")
        case .textForToMany: author.setValue("Tehanu", forKey: "books")
        case .textsInToMany: author.setValue(NSSet(array: ["Tehanu"]), forKey: "books")
        case .nodeOfWrongEntity: book.setValue(book, forKey: "author")
        case .nodeOfWrongEntityInToMany: author.setValue(NSSet(object: author), forKey: "books")
        default: break
        }
        addCacheNodes([author, book])
    }

    private func foreignID() throws -> NSManagedObjectID {
        guard let coordinator = persistentStoreCoordinator else { throw CocoaError(.fileReadCorruptFile) }
        let other = InMemoryLibrary(coordinator.managedObjectModel)
        return try other.id(of: "Book", isTemporary: false)
    }

    private func temporaryID() throws -> NSManagedObjectID {
        guard let coordinator = persistentStoreCoordinator else { throw CocoaError(.fileReadCorruptFile) }
        return try InMemoryLibrary(coordinator.managedObjectModel).id(of: "Book", isTemporary: true)
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        switch kind {
        case .repeatedReference: 1
        case .unusableReference: NotHashable()
        default: UUID()
        }
    }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        if kind == .nodeForAnotherObject, let node = cacheNodes().first { return node }
        return super.newCacheNode(for: managedObject)
    }
}

/// Another stack, for IDs that don't belong.
private struct InMemoryLibrary {
    let coordinator: NSPersistentStoreCoordinator

    init(_ model: NSManagedObjectModel) { coordinator = NSPersistentStoreCoordinator(managedObjectModel: model) }

    func id(of entity: String, isTemporary: Bool) throws -> NSManagedObjectID {
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let object = context.make(entity)
            if !isTemporary { try context.obtainPermanentIDs(for: [object]) }
            return object.objectID
        }
    }
}
