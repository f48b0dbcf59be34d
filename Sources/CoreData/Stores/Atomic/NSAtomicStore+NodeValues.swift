@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// What the values of a saved object are in its node.
extension NSAtomicStore {
    /// Sets an object's value as nodes hold it; a destination that has no node yet is left out, and the node marked.
    func setValue(of property: PropertyLayout, in node: NSAtomicStoreCacheNode, from object: NSManagedObject) {
        switch property.kind {
        case .toOne:
            let destination = object.toOne(property)
            let found = destination.flatMap(savedNode)
            if destination != nil, found == nil { node.lacksDestinations = true }
            node.setValue(found, forKey: property.name)
        case .toMany:
            if let members = changedMembers(of: property, in: object, node) {
                node.setMembers(members, of: property)
            } else if !node.isPropertyCacheAlone {
                node.setValue(node.storedValue(of: property), forKey: property.name)
            }
        default: node.setValue(object.primitiveValue(of: property), forKey: property.name)
        }
    }

    /// Nil where the save changes none.
    private func changedMembers(
        of property: PropertyLayout, in object: NSManagedObject, _ node: NSAtomicStoreCacheNode
    ) -> NodeMembers? {
        if !object.flags.contains(.inserted) {
            guard let own = object.state?.toManys[property.index], own.hasChanges else { return nil }
            let stored = node.members(of: property)
            // Others may have saved members since the object's were read: its own changes are laid over those.
            if own.isLoaded, !holds(own.saved, inOrder: property.isOrdered, stored) { own.unload() }
            if own.isLoaded, !property.isOrdered {
                let added = own.added.compactMap(savedNode)
                if added.count < own.added.count { node.lacksDestinations = true }
                return NodeMembers(
                    stored, without: own.removed.compactMap(savedNode), with: added, isOrdered: false)
            }
        }
        let members = object.members(property).ordered
        let found = members.compactMap { savedNode(of: $0) }
        if found.count < members.count { node.lacksDestinations = true }
        return NodeMembers(found, isOrdered: property.isOrdered)
    }

    /// Whether the members that an object was read with are what its node has.
    private func holds(_ members: ContiguousArray<NSManagedObject>, inOrder: Bool, _ stored: NodeMembers) -> Bool {
        guard members.count == stored.nodes.count else { return false }
        for (place, member) in members.enumerated() {
            guard let node = savedNode(of: member) else { return false }
            let isHeld = inOrder && stored.isOrdered ? stored.nodes[place] === node : stored.contains(node)
            guard isHeld else { return false }
        }
        return true
    }
}
