@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

// What a parent does for its children, on its own queue.
extension NSManagedObjectContext {
    /// The objects with their rows, for a child.
    func copies(of objects: [NSManagedObject]) throws -> [ObjectCopy] {
        var packer = RowPacker(self, expecting: objects.count)
        return objects.map { object in
            ObjectCopy(identity: object.identity, row: object.copiedRow(by: &packer))
        }
    }

    /// The state of one object; nil when it has gone. A fault stays one.
    func copiedRow(of identity: ObjectIdentity) throws -> RowRef? {
        let (key, storeIndex) = registration(of: identity)
        let object = registeredObject(for: key, layout: identity.layout, storeIndex: storeIndex)
        if let object, object.isToBeDeleted || object.flags.contains(.inaccessible) { return nil }
        guard let object, !object.isFault else {
            return try parentStore.currentRow(of: self.identity(of: key, storeIndex: storeIndex), in: self)
        }
        guard try object.realize(in: self), !object.flags.contains(.inaccessible) else { return nil }
        var packer = RowPacker(self, expecting: 1)
        return object.copiedRow(by: &packer)
    }

    /// The states of many objects, in their order. Faults stay faults.
    func copiedRows(of identities: [ObjectIdentity]) throws -> [RowRef?] {
        var rows = [RowRef?](repeating: nil, count: identities.count)
        var packer = RowPacker(self, expecting: identities.count)
        var elsewhere: [(place: Int, identity: ObjectIdentity)] = []
        for (index, identity) in identities.enumerated() {
            let (key, storeIndex) = registration(of: identity)
            let object = registeredObject(for: key, layout: identity.layout, storeIndex: storeIndex)
            if let object, object.isToBeDeleted || object.flags.contains(.inaccessible) { continue }
            guard let object, !object.isFault else {
                elsewhere.append((index, self.identity(of: key, storeIndex: storeIndex)))
                continue
            }
            if try object.realize(in: self) { rows[index] = object.copiedRow(by: &packer) }
        }
        let found = try parentStore.currentRows(of: elsewhere.map(\.identity), in: self)
        for (place, row) in zip(elsewhere.map(\.place), found) { rows[place] = row }
        return rows
    }

    /// The destinations of a relationship of many objects, in their order.
    func copiedDestinations(of property: PropertyLayout, from identities: [ObjectIdentity]) throws
        -> [[ObjectIdentity]]
    {
        var destinations = [[ObjectIdentity]](repeating: [], count: identities.count)
        var elsewhere: [(place: Int, identity: ObjectIdentity)] = []
        for (index, identity) in identities.enumerated() {
            let (key, storeIndex) = registration(of: identity)
            guard let object = registeredObject(for: key, layout: identity.layout, storeIndex: storeIndex) else {
                elsewhere.append((index, self.identity(of: key, storeIndex: storeIndex)))
                continue
            }
            guard try object.realize(in: self) else { continue }
            if property.kind == .toOne {
                destinations[index] = object.toOne(property).map { [$0.identity] } ?? []
            } else {
                try object.fulfillFault(forRelationshipNamed: property.name)
                destinations[index] = object.members(property).ordered.map(\.identity)
            }
        }
        let found = try parentStore.destinations(of: property, from: elsewhere.map(\.identity), in: self)
        for ((place, owner), identities) in zip(elsewhere, found) {
            destinations[place] = holdsChanges ? identities.filter { isStill($0, in: property, of: owner) } : identities
        }
        return destinations
    }

    /// Whether an object is a destination of one that this context doesn't have, by what it has of the object's own changes.
    private func isStill(_ identity: ObjectIdentity, in property: PropertyLayout, of owner: ObjectIdentity) -> Bool {
        let (key, storeIndex) = registration(of: identity)
        guard let object = registeredObject(for: key, layout: identity.layout, storeIndex: storeIndex) else {
            return true
        }
        if object.isToBeDeleted { return false }
        guard let state = object.state, let inverse = object.inverse(of: property) else { return true }
        func isOwner(_ other: NSManagedObject) -> Bool { isSame(other.key, owner.key) }
        if inverse.kind == .toMany { return !(state.toManys[inverse.index]?.removed.contains(where: isOwner) ?? false) }
        return !object.isChanged(inverse, in: state) || object.toOne(inverse).map(isOwner) ?? false
    }

    /// The object of an identity with its values; nil when it has gone.
    func existing(_ identity: ObjectIdentity) throws -> NSManagedObject? {
        let object = object(for: identity)
        guard !object.isToBeDeleted, try object.realize(in: self), !object.flags.contains(.inaccessible) else {
            return nil
        }
        return object
    }
}

extension NSManagedObject {
    /// The row to hand to a child: the one that the object was read from, or one that is made of its changes.
    fileprivate final func copiedRow(by packer: inout RowPacker) -> RowRef? {
        guard let state, !state.current.isEmpty else { return snapshot }
        return packer.pack(self, version: snapshotVersion)
    }

    /// Takes on a row that a fetch has brought, unless the object has values already.
    final func receive(_ row: RowRef, refreshes: Bool) {
        guard canBeRead(from: row) else { return }
        if flags.contains(.fault) || refreshes && !hasChanges { adopt(row) }
    }
}
