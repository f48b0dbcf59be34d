import CoreData
import Foundation

/// The store of Apple's "Initializing a Store and Loading Data", step by step as the guide has it: lines such as
/// `Person,Robert,Tibbot,86349382003`, and no initializer of its own.
///
/// As "Atomic Store Life-cycle" says of customised nodes, it adds those of new objects itself.
final class GuideStore: NSAtomicStore {
    static let storeType = "Guide"
    override var type: String { Self.storeType }
    private var lines: [String] {
        guard let url, let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    override func load() throws {
        guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Person"] else { return }
        var nodes: Set<NSAtomicStoreCacheNode> = []
        for line in lines {
            let fields = line.split(separator: ",").map(String.init)
            let data = NSMutableDictionary(dictionary: ["firstName": fields[1], "lastName": fields[2]])
            let id = objectID(for: entity, withReferenceObject: Int(fields[3]) ?? 0)
            let node = NSAtomicStoreCacheNode(objectID: id)
            node.propertyCache = data
            nodes.insert(node)
        }
        addCacheNodes(nodes)
    }

    /// The number can't be counted up, as nobody saves how far: it is that of the highest person and one.
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        given = max(given, cacheNodes().map(number).max() ?? 0) + 1
        return given
    }
    private var given = 0

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
        for name in ["firstName", "lastName"] { node.setValue(managedObject.value(forKey: name), forKey: name) }
        addCacheNodes([node])
        return node
    }

    override func save() throws {
        guard let url, url.path != "/dev/null" else { return }
        let lines = cacheNodes().sorted { number($0) < number($1) }.map { node in
            let names = ["firstName", "lastName"].map { node.value(forKey: $0) as? String ?? "" }
            return "Person,\(names[0]),\(names[1]),\(number(node))\n"
        }
        try lines.joined().write(to: url, atomically: true, encoding: .utf8)
    }

    private func number(_ node: NSAtomicStoreCacheNode) -> Int {
        (referenceObject(for: node.objectID) as? NSNumber)?.intValue ?? 0
    }
}
