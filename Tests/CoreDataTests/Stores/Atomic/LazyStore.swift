import CoreData
import Foundation
import Synchronization

/// A store whose nodes unpack their values when they are asked for, as those of Apple's sample
/// CustomAtomicStoreSubclass do. It has authors with a book each, and no file.
final class LazyStore: NSAtomicStore {
    static let storeType = "Lazy"
    static let count = 10

    /// How many nodes have been unpacked.
    let unpacked = Mutex(0)
    /// How often a node was asked for a value, by key.
    let asked = Mutex<[String: Int]>([:])

    override var type: String { Self.storeType }
    override func save() throws {}
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID() }

    override func load() throws {
        guard let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName,
            let author = entities["Author"], let book = entities["Book"]
        else { return }
        for number in 0..<Self.count {
            let authorID = objectID(for: author, withReferenceObject: "author \(number)")
            let bookID = objectID(for: book, withReferenceObject: "book \(number)")
            addCacheNodes([
                LazyNode(authorID, in: self, ["name": "Author \(number)"], ["books": [bookID]]),
                LazyNode(bookID, in: self, ["title": "Book \(number)"], ["author": [authorID]]),
            ])
        }
    }
}

/// A node that holds identities until its values are asked for.
private final class LazyNode: NSAtomicStoreCacheNode {
    private let attributes: [String: Any]
    private let destinations: [String: [NSManagedObjectID]]
    private weak var store: LazyStore?

    init(
        _ id: NSManagedObjectID, in store: LazyStore, _ attributes: [String: Any],
        _ destinations: [String: [NSManagedObjectID]]
    ) {
        self.attributes = attributes
        self.destinations = destinations
        self.store = store
        super.init(objectID: id)
    }

    override func value(forKey key: String) -> Any? {
        store?.asked.withLock { $0[key, default: 0] += 1 }
        if propertyCache == nil { unpack() }
        return super.value(forKey: key)
    }

    private func unpack() {
        store?.unpacked.withLock { $0 += 1 }
        let values = NSMutableDictionary(dictionary: attributes)
        for (name, ids) in destinations {
            let nodes = ids.compactMap { store?.cacheNode(for: $0) }
            values[name] = name == "author" ? nodes.first as Any : NSSet(array: nodes)
        }
        propertyCache = values
    }
}
