import CoreData
import Foundation

/// A store that can't keep reference objects: it derives them from the entity and the name or title of an object.
final class DerivedReferenceStore: NSAtomicStore {
    static let storeType = "DerivedReference"

    private var contents: [String: Any] = [:]

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        let data = (try? Data(contentsOf: url)) ?? Data()
        contents = (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any] ?? [:]
        metadata = contents["metadata"] as? [String: Any] ?? [NSStoreUUIDKey: UUID().uuidString]
    }

    override var type: String { Self.storeType }

    private static func key(_ entity: NSEntityDescription) -> String { entity.name == "Book" ? "title" : "name" }

    override func load() throws {
        for object in contents["objects"] as? [[String: String]] ?? [] {
            guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[object["entity"] ?? ""]
            else {
                continue
            }
            let name = object["name"] ?? ""
            let id = objectID(for: entity, withReferenceObject: "\(entity.name ?? "") \(name)")
            let node = NSAtomicStoreCacheNode(objectID: id)
            node.setValue(name, forKey: Self.key(entity))
            addCacheNodes([node])
        }
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        let entity = managedObject.entity
        return "\(entity.name ?? "") \(managedObject.value(forKey: Self.key(entity)) ?? "")"
    }

    override func save() throws {
        guard let url else { return }
        let objects = cacheNodes().map { node in
            let entity = node.objectID.entity
            return ["entity": entity.name ?? "", "name": node.value(forKey: Self.key(entity)) as? String ?? ""]
        }
        let list: [String: Any] = ["metadata": metadata ?? [:], "objects": objects]
        try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(to: url)
    }
}

/// A store that writes half of its file and then fails.
final class UnsavableStore: NSAtomicStore {
    static let storeType = "Unsavable"
    struct Failure: Error {}

    private var last = 0

    override var type: String { Self.storeType }
    override func load() throws {}
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        last += 1
        return last
    }
    override func save() throws {
        if let url { try Data("half".utf8).write(to: url) }
        throw Failure()
    }
}
