@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// The members of to-many relationships that a child context has read from its parent in advance.
///
/// They are valid as long as nothing changes in the parent and neither context merges or refreshes, so that a relationship always
/// shows what the parent has when it is first read. The objects are retained until they are taken, or until others are read for the same
/// relationship: those of a few hundred owners at most.
struct PrefetchedMembers {
    private struct Relationship: Hashable {
        let root: Int
        let name: String
    }

    private struct Owner: Hashable {
        let storeIndex: UInt16
        let handle: Int64
    }

    private struct Batch {
        let revision: UInt64
        var members: [Owner: [NSManagedObject]]
    }

    private var batches: [Relationship: Batch] = [:]

    private func relationship(_ property: PropertyLayout) -> Relationship {
        Relationship(root: property.owner.rootIndex, name: property.name)
    }

    private func owner(_ object: NSManagedObject) -> Owner {
        Owner(storeIndex: object.storeIndex, handle: object.handle)
    }

    /// Takes out the members of an object, if they are known as the parent has them.
    mutating func consume(_ property: PropertyLayout, of object: NSManagedObject, at revision: UInt64)
        -> [NSManagedObject]?
    {
        let relationship = relationship(property)
        guard var batch = batches.removeValue(forKey: relationship), batch.revision == revision else { return nil }
        let members = batch.members.removeValue(forKey: owner(object))
        if !batch.members.isEmpty { batches[relationship] = batch }
        guard let members else { return nil }
        // After a reset the context has other objects.
        return members.contains { $0.flags.contains(.invalidated) } ? nil : members
    }

    /// Forgets what was read in advance of an object.
    mutating func forget(_ object: NSManagedObject) {
        let owner = owner(object)
        for place in batches.keys { batches[place]?.members.removeValue(forKey: owner) }
    }

    mutating func keep(
        _ members: some Sequence<(NSManagedObject, [NSManagedObject])>, of property: PropertyLayout,
        at revision: UInt64
    ) {
        let known = Dictionary(members.map { (owner($0.0), $0.1) }, uniquingKeysWith: { $1 })
        let place = relationship(property)
        batches[place] = Batch(revision: revision, members: known)
    }
}
