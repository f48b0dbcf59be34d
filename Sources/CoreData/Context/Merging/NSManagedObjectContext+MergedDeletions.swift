@_spi(Engine) import CoreDataRows
import ManagedObjectModel

extension NSManagedObjectContext {
    /// Removes objects that other contexts or processes have deleted from the relationships of those that stay. Only
    /// memory is changed, and the objects don't count as updated: the save that deleted the rows has changed the rows
    /// that led to them.
    ///
    /// Takes one pass over the objects of the context.
    ///
    /// - Returns: the objects whose own rows have led to them.
    @discardableResult
    func forgetReferences(toDeletedElsewhere gone: Set<NSManagedObject>) -> Set<NSManagedObject> {
        if gone.isEmpty { return [] }
        var referring: Set<NSManagedObject> = []
        let places = Set(gone.map(DeletedRegistration.init))
        let roots = Set(gone.map(\.layout.rootIndex))
        for object in registry.allObjects() where !gone.contains(object) {
            for property in object.layout.relationships {
                guard let root = property.destination?.rootIndex, roots.contains(root) else { continue }
                let isForgotten =
                    property.kind == .toOne
                    ? object.forget(gone, places, ofToOne: property) : object.forget(gone, ofToMany: property)
                guard isForgotten else { continue }
                recordEvent(.refreshedInEvent, of: object)
                if property.kind == .toOne { referring.insert(object) }
            }
        }
        return referring
    }

    /// Finds the objects whose rows, as they were read, lead to what others have deleted and the context doesn't have. What it has
    /// looked at already, it has.
    func referring(toUnregistered ids: [NSManagedObjectID]) -> Set<NSManagedObject> {
        let places = Set(
            ids.compactMap { id -> DeletedRegistration? in
                guard !id.isTemporaryID, registeredObject(for: id) == nil,
                    let index = coordinator.store(of: id).flatMap(registry.knownIndex)
                else { return nil }
                return DeletedRegistration(storeIndex: index, rootIndex: id.layout.rootIndex, handle: id.handle)
            })
        if places.isEmpty { return [] }
        let roots = Set(places.map(\.rootIndex))
        return Set(
            registry.allObjects().filter { object in
                object.layout.relationships.contains { property in
                    guard let root = property.destination?.rootIndex, roots.contains(root) else { return false }
                    return object.readDestinations(of: property).contains {
                        places.contains(
                            DeletedRegistration(storeIndex: object.storeIndex, rootIndex: root, handle: $0.handle))
                    }
                }
            })
    }
}

/// Where a deleted object was registered.
private struct DeletedRegistration: Hashable {
    let storeIndex: UInt16
    let rootIndex: Int
    let handle: Int64

    init(_ object: NSManagedObject) {
        self.init(storeIndex: object.storeIndex, rootIndex: object.layout.rootIndex, handle: object.handle)
    }

    init(storeIndex: UInt16, rootIndex: Int, handle: Int64) {
        self.storeIndex = storeIndex
        self.rootIndex = rootIndex
        self.handle = handle
    }
}

extension NSManagedObject {
    /// Where a relationship leads by what was read for the object, and not looked at yet.
    fileprivate final func readDestinations(of property: PropertyLayout) -> [ObjectKey] {
        if property.kind == .toMany {
            return snapshotPage?.destinations(of: property, row: Int(snapshotRow)) ?? []
        }
        guard property.rowSlot >= 0, state?.toOnes[property.index] == nil, case .reference(let key) = field(property)
        else { return [] }
        return [key]
    }

    fileprivate final func forget(_ gone: Set<NSManagedObject>, ofToMany property: PropertyLayout) -> Bool {
        guard property.kind == .toMany, let members = state?.toManys[property.index], members.mentions(gone) else {
            return false
        }
        observably(property) { members.forget(gone) }
        return true
    }

    fileprivate final func forget(
        _ gone: Set<NSManagedObject>, _ places: Set<DeletedRegistration>, ofToOne property: PropertyLayout
    ) -> Bool {
        guard property.rowSlot >= 0 else { return false }
        if let known = state?.toOnes[property.index] {
            guard let known, gone.contains(known) else { return false }
        } else {
            guard case .reference(let key) = field(property), let root = property.destination?.rootIndex,
                places.contains(DeletedRegistration(storeIndex: storeIndex, rootIndex: root, handle: key.handle))
            else { return false }
        }
        observably(property) {
            // What the user has set has to be saved differently; what was read stays what was read.
            if case .destination = field(property) {
                setPrimitiveToOne(nil, of: property)
            } else {
                writableState.toOnes[property.index] = .some(nil)
            }
        }
        return true
    }
}
