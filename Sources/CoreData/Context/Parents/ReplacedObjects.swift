@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// An object of a child whose counterpart a merge policy has given up, as a row had its unique values, and the place of that row.
struct ReplacedObject {
    let object: NSManagedObject
    let key: ObjectKey
    let storeIndex: UInt16
}

extension NSManagedObjectContext {
    /// Tells the children which objects stand for those that a merge policy has given up. These are faults from now on, as what was
    /// deleted (seen in the tests of LoopKit).
    func replaceAbsorbedObjects() {
        // One that a later save has failed to write may have been inserted again.
        let absorbed = doubts.absorbed.filter { $0.object.ownContext == nil }
        doubts.absorbed = []
        if absorbed.isEmpty { return }
        let keepers = Dictionary(absorbed.map { (ObjectIdentifier($0.object), $0.kept) }) { $1 }
        for (object, keeper) in absorbed.map({ ($0.object, $0.kept) }) {
            // Of several new objects the one that stayed was given up for the row in turn.
            var kept = keeper
            while let next = keepers[ObjectIdentifier(kept)] { kept = next }
            if let family, object.storeIndex == 0, let store = registry.store(at: kept.storeIndex) {
                family.recordPermanentKey(
                    of: object.handle, object.cachedID?.unsavedIdentity, kept.key, in: store, isOfReplacement: true)
            }
            object.putValuesAside()
        }
    }

    /// Makes objects that this child has inserted stand for the rows that have taken their place in the parent, as by a merge: it is no
    /// change of the program's.
    func replace(_ replaced: [ReplacedObject]) {
        if replaced.isEmpty { return }
        processPendingChanges()
        // An undo of the insertion would delete a row that was there before.
        undoManager?.removeAllActions(withTarget: self)
        // Of several for one row the one that was inserted first takes the place.
        let leaving = replaced.sorted { $0.object.handle < $1.object.handle }.compactMap(standIn(for:))
        let keepers = Dictionary(leaving.map { ($0.object, $0.kept) }) { $1 }
        if !leaving.isEmpty {
            let gone = Set(keepers.keys)
            for owner in registry.allObjects() where !gone.contains(owner) { owner.redirect(gone, to: keepers) }
        }
        for (object, kept) in leaving {
            let isDeleted = object.isToBeDeleted
            if object.hasChanges, !isDeleted { object.giveChanges(to: kept) }
            forget(deletedElsewhere: object)
            if isDeleted { delete(kept) }
        }
        endEvent(registersUndo: false, isMerge: true)
        for (object, _) in leaving {
            registry.unregister(object)
            retained.remove(object)
            object.putValuesAside()
        }
    }

    /// Makes the object the one of the row, with what the child has changed since.
    ///
    /// - Returns: where there is another instance for the row, the object, which is to leave, and that one; nil otherwise.
    private func standIn(for replaced: ReplacedObject) -> (object: NSManagedObject, kept: NSManagedObject)? {
        let (object, key, storeIndex) = (replaced.object, replaced.key, replaced.storeIndex)
        let other = registry.object(store: storeIndex, layout: object.layout, handle: key.handle)
        if other == nil, object.layout === model.entities[Int(key.entityIndex)] {
            object.become(handle: key.handle, storeIndex: storeIndex)
            refresh(object, mergeChanges: true)
            return nil
        }
        let kept = other ?? self.object(for: key, storeIndex: storeIndex)
        kept.fireIfNeeded()
        return (object, kept)
    }
}

extension NSManagedObject {
    /// Makes the changes that the object has, and the parent hasn't, those of another one.
    fileprivate final func giveChanges(to kept: NSManagedObject) {
        for property in layout.properties {
            guard let state, isChanged(property, in: state), let target = kept.layout.property(named: property.name)
            else { continue }
            guard property.kind == .toMany else {
                kept.setValue(property.kind == .toOne ? toOne(property) : value(of: property), of: target)
                continue
            }
            guard let members = state.toManys[property.index] else { continue }
            for member in members.removed { kept.removeMember(member, of: target) }
            for member in property.isOrdered ? members.ordered.filter(members.added.contains) : Array(members.added) {
                kept.addMember(member, to: target)
            }
        }
    }

    /// Makes what is in memory of the object's relationships lead to some objects in others' places.
    fileprivate final func redirect(_ gone: Set<NSManagedObject>, to keepers: [NSManagedObject: NSManagedObject]) {
        guard let state else { return }
        for property in layout.relationships {
            if property.kind == .toOne {
                let hasOwn = property.rowSlot >= 0 && !state.current.isEmpty
                if hasOwn, let kept = field(property).destination.flatMap({ keepers[$0] }) {
                    observably(property) { setPrimitiveToOne(kept, of: property) }
                } else if let known = state.toOnes[property.index] ?? nil, keepers[known] != nil {
                    state.toOnes[property.index] = nil
                }
            } else if let members = state.toManys[property.index] {
                guard members.mentions(gone) else { continue }
                if members.hasChanges {
                    observably(property) { members.replace(by: keepers) }
                } else {
                    state.toManys[property.index] = nil
                }
            }
        }
    }
}
