@_spi(Engine) import CoreDataRows
import Foundation

/// A node of the XML and binary stores.
final class FileCacheNode: NSAtomicStoreCacheNode {
    /// The places, in the entity's layout, of the properties that the file has for the object, in the file's order.
    ///
    /// Nodes with the same order share the array.
    var propertyOrder: [Int] = []

    override func value(forKey key: String) -> Any? {
        let value = super.value(forKey: key)
        if let archived = value as? ArchivedTransformable, let property = objectID.layout.property(named: key) {
            return Self.unarchived(archived, of: property)
        }
        guard let values = value as? [String: Any], let property = objectID.layout.property(named: key) else {
            return value
        }
        return property.mappingTransformables(in: values) { element, value in
            (value as? ArchivedTransformable).map { Self.unarchived($0, of: element) } ?? value
        }
    }

    private static func unarchived(_ archived: ArchivedTransformable, of property: PropertyLayout) -> Any? {
        TransformableCoder.value(from: archived.data, of: property, in: nil)
    }

    override func storedValue(of property: PropertyLayout) -> Any? { super.value(forKey: property.name) }

    override var isPropertyCacheAlone: Bool { true }

    /// The nodes that a relationship leads to, in order.
    ///
    /// Without an inverse it may still hold an object that was deleted; that is left out.
    func destinations(of relationship: PropertyLayout) -> [NSAtomicStoreCacheNode] {
        let store = objectID.persistentStore as? NSAtomicStore
        return ordered(members(of: relationship)).filter { store?.cacheNode(for: $0.objectID) === $0 }
    }

    private func ordered(_ members: NodeMembers) -> [NSAtomicStoreCacheNode] {
        members.isOrdered
            ? Array(members.nodes) : members.nodes.inOrderOfHandles()
    }
}
