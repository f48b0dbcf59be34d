import CoreData
import Foundation
import Synchronization

/// A store as an author outside of the package would write it, which logs what the framework asks of it.
///
/// Its file is a property list of names by number; it knows authors and books by their first string alone, and which
/// author a book has.
final class RecordingStore: NSAtomicStore {
    static let storeType = "Recording"
    static let damaged = Data("damaged".utf8)

    /// What the framework called, by the store's place.
    private static let logs = Mutex<[URL: [String]]>([:])
    /// The places where saving fails.
    static let failing = Mutex<Set<URL>>([])

    struct Failure: Error {}

    private var isLoaded = false
    private var isCreating = false
    private var lastNumber = 0
    private var contents: [String: Any] = [:]

    /// The calls since the log was last taken.
    static func takeLog(of url: URL) -> [String] { logs.withLock { $0.removeValue(forKey: url) ?? [] } }

    private func record(_ call: String) {
        guard let url else { return }
        Self.logs.withLock { logs in
            // The framework may look at the metadata as often as it likes.
            if call == "metadata", isLoaded || logs[url]?.last == call { return }
            logs[url, default: []].append(call)
        }
    }

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        record("init")
        let data = (try? Data(contentsOf: url)) ?? Data()
        contents = (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any] ?? [:]
        super.metadata =
            contents["metadata"] as? [String: Any]
            ?? [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: Self.storeType]
    }

    override var type: String { Self.storeType }

    override var metadata: [String: Any]! {
        get {
            record("metadata")
            return super.metadata
        }
        set { super.metadata = newValue }
    }

    override func load() throws {
        record("load")
        isLoaded = true
        if let url, (try? Data(contentsOf: url)) == Self.damaged { throw Failure() }
        let objects = contents["objects"] as? [[String: Any]] ?? []
        var nodes: [Int: NSAtomicStoreCacheNode] = [:]
        for object in objects {
            guard let name = object["entity"] as? String, let number = object["number"] as? Int,
                let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
            else { throw Failure() }
            let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: number))
            node.setValue(object["text"], forKey: name == "Author" ? "name" : "title")
            nodes[number] = node
            lastNumber = max(lastNumber, number)
        }
        for object in objects {
            guard let author = object["author"] as? Int, let number = object["number"] as? Int else { continue }
            nodes[number]?.setValue(nodes[author], forKey: "author")
            let books = nodes[author]?.value(forKey: "books") as? NSSet ?? NSSet()
            nodes[author]?.setValue(books.adding(nodes[number]!), forKey: "books")
        }
        addCacheNodes(Set(nodes.values))
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        record("newReferenceObject")
        lastNumber += 1
        return lastNumber
    }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        record("newCacheNode")
        isCreating = true
        defer { isCreating = false }
        return super.newCacheNode(for: managedObject)
    }

    override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        if !isCreating { record("updateCacheNode") }
        super.updateCacheNode(node, from: managedObject)
    }

    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        record("willRemoveCacheNodes")
    }

    override func save() throws {
        record("save")
        guard let url else { return }
        if Self.failing.withLock({ $0.contains(url) }) { throw Failure() }
        let objects = cacheNodes().map { node in
            var object: [String: Any] = ["entity": node.objectID.entity.name ?? "", "number": number(of: node)]
            object["text"] = node.value(forKey: node.objectID.entity.name == "Author" ? "name" : "title")
            if let author = node.value(forKey: "author") as? NSAtomicStoreCacheNode {
                object["author"] = number(of: author)
            }
            return object
        }
        let list: [String: Any] = ["metadata": super.metadata ?? [:], "objects": objects]
        try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(to: url)
    }

    private func number(of node: NSAtomicStoreCacheNode) -> Int {
        (referenceObject(for: node.objectID) as? NSNumber)?.intValue ?? 0
    }

    override func didAdd(to coordinator: NSPersistentStoreCoordinator) { record("didAdd") }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        record(coordinator == nil ? "willRemove(from: nil)" : "willRemove")
        super.willRemove(from: coordinator)
    }
}
