import CoreData
import Foundation

/// A store whose nodes have their values in a form of their own, which only `updateCacheNode(_:from:)` fills, and unpack them
/// when they are asked for. It saves the forms and no other values.
final class FormStore: NSAtomicStore {
    static let storeType = "Form"
    /// The option that has the store push the values that have changed, rather than all.
    static let pushesChangesOnly = "PushesChangesOnly"

    struct Failure: Error {}

    var fails = false
    /// What the last save wrote: the forms by object.
    private(set) var saved: Set<[String: String]> = []

    override var type: String { Self.storeType }
    override func load() throws {}
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID() }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = FormNode(objectID: managedObject.objectID)
        node.store = self
        node.form = form(of: managedObject, Array(managedObject.entity.propertiesByName.keys))
        return node
    }

    override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        guard let node = node as? FormNode else { return }
        let all = Array(managedObject.entity.propertiesByName.keys)
        let isPartial = options?[Self.pushesChangesOnly] as? Bool ?? false
        let names = isPartial ? Array(managedObject.changedValues().keys) : all
        var changed = node.form
        for name in names { changed[name] = nil }
        node.form = changed.merging(form(of: managedObject, names)) { $1 }
        node.propertyCache = nil
    }

    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        for node in cacheNodes {
            (node as? FormNode)?.form = [:]
            node.propertyCache = nil
        }
    }

    override func save() throws {
        if fails { throw Failure() }
        saved = forms
    }

    /// The forms of all nodes.
    var forms: Set<[String: String]> { Set(cacheNodes().compactMap { ($0 as? FormNode)?.form }) }

    private func form(of object: NSManagedObject, _ names: [String]) -> [String: String] {
        var form: [String: String] = [:]
        for name in names {
            switch object.value(forKey: name) {
            case nil: continue
            case let member as NSManagedObject: form[name] = reference(member)
            case let members as NSOrderedSet where members.count > 0:
                form[name] = members.map { reference($0 as! NSManagedObject) }.joined(separator: " ")
            case let members as Set<NSManagedObject> where !members.isEmpty:
                form[name] = members.map(reference).sorted().joined(separator: " ")
            case is NSOrderedSet, is NSSet: continue
            case .some(let value): form[name] = "\(value)"
            }
        }
        return form
    }

    private func reference(_ object: NSManagedObject) -> String {
        "\(object.entity.name ?? "")/\(referenceObject(for: object.objectID))"
    }

    fileprivate func node(_ reference: Substring) -> NSAtomicStoreCacheNode? {
        let parts = reference.split(separator: "/")
        return persistentStoreCoordinator?.managedObjectModel.entitiesByName[String(parts[0])].flatMap { entity in
            UUID(uuidString: String(parts[1])).flatMap {
                cacheNode(for: objectID(for: entity, withReferenceObject: $0))
            }
        }
    }
}

private final class FormNode: NSAtomicStoreCacheNode {
    weak var store: FormStore?
    var form: [String: String] = [:]

    override func value(forKey key: String) -> Any? {
        if propertyCache == nil { unpack() }
        return super.value(forKey: key)
    }

    private func unpack() {
        let values = NSMutableDictionary()
        for (name, property) in objectID.entity.propertiesByName {
            guard let text = form[name] else { continue }
            guard let relationship = property as? NSRelationshipDescription else {
                values[name] =
                    (property as? NSAttributeDescription)?.attributeType == .stringAttributeType
                    ? text as Any : Int(text) as Any
                continue
            }
            let nodes = text.split(separator: " ").compactMap { store?.node($0) }
            values[name] =
                !relationship.isToMany
                ? nodes.first as Any : relationship.isOrdered ? NSOrderedSet(array: nodes) : NSSet(array: nodes)
        }
        propertyCache = values
    }
}
