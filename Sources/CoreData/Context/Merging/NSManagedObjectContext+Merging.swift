@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension NSManagedObjectContext {
    func merge(savedBy notification: Notification) {
        guard let info = notification.userInfo else { return }
        let saved = SavedObjectIDs(info)
        // A save by way of this coordinator has left its rows in the row cache; others' rows there may be out of date.
        let saver = (notification.object as? NSManagedObjectContext)?.persistentStoreCoordinator
        if saver == nil || saver !== persistentStoreCoordinator { forgetRows(of: saved) }
        merge(saved)
    }

    func merge(savedElsewhere changes: [AnyHashable: Any]) {
        performAndWait {
            let saved = SavedObjectIDs(changes, resolvedBy: coordinator)
            forgetRows(of: saved)
            merge(saved)
        }
    }

    /// Merges a save of another context of the same coordinator or parent, and makes the children do the same.
    func merge(_ saved: SavedObjectIDs) {
        let exchanges = coordinator.exchanges.current
        if !exchanges.isEmpty { adoptExchanges() }
        let saved = exchanges.reduce(saved) { $0.following($1) }
        advanceGeneration()
        // What the children and this context have read in advance may be of objects that aren't registered.
        parentStore.forgetReadAhead(of: nil)
        advanceRevision()
        processPendingChanges()
        var met: [NSManagedObject] = []
        for id in saved.inserted where isReachable(id) {
            let object = object(with: id)
            makeAccessible(object)
            if !object.flags.contains(.savedAsNew) { recordEvent(.insertedInEvent, of: object) }
            if !object.isFault || object.snapshotPage != nil { met.append(object) }
        }
        var changed = outOfDate(met)
        for object in met { object.readMembersThatWereLeftOut() }
        changed += saved.updated.filter(isReachable).compactMap { registeredObject(for: $0) }
        withExtendedLifetime(currentRowsOfEdited(changed)) {
            refreshingTogether {
                for object in changed {
                    if object.isToBeDeleted { renewRow(ofDeleted: object) } else { refresh(object, mergeChanges: true) }
                }
            }
        }
        let deleted = saved.deleted.filter(isReachable).compactMap(objectOfEntity).filter { !$0.isInserted }
        let again = thereAgain(deleted)
        let gone = deleted.filter { !again.contains($0) }
        let leadingToUnregistered = referring(toUnregistered: saved.deleted).subtracting(changed)
        let leadingToGone = forgetReferences(toDeletedElsewhere: Set(gone)).subtracting(changed)
        for object in leadingToGone.union(leadingToUnregistered) { forgetCachedRow(of: object) }
        renewRows(of: havingOtherRows(leadingToGone).union(leadingToUnregistered))
        for object in gone { forget(deletedElsewhere: object) }
        endEvent(registersUndo: false, isMerge: true)
        // Observers of the deletion may still look the object up, as results controllers do.
        for object in gone {
            registry.unregister(object)
            retained.remove(object)
        }
        recordRenewed(saved.updated, inserted: saved.inserted)
        ContextNotifications.postDidMerge(saved, refreshed: changed.map(\.objectID), in: self)
        mergingChildren.merge(saved, savedBy: self)
    }

    /// Those of the objects that led to what others have deleted whose rows are others by now, though nobody has said so: a batch
    /// delete names what it deletes only.
    private func havingOtherRows(_ objects: Set<NSManagedObject>) -> Set<NSManagedObject> {
        let stored = objects.filter { !$0.wasNeverSaved && canBeLookedUp($0) }
        if stored.isEmpty { return [] }
        let ordered = Array(stored)
        do {
            let rows = try parentStore.currentRows(of: ordered.map(\.identity), in: self)
            return Set(
                zip(ordered, rows).compactMap { object, row in
                    row.map { $0.version != object.snapshotVersion } ?? false ? object : nil
                })
        } catch {
            recordReadFailure(error, of: "objects that led to what others have deleted")
            return []
        }
    }

    private func renewRows(of objects: Set<NSManagedObject>) {
        let stored = objects.filter { !$0.wasNeverSaved && !$0.isToBeDeleted }
        if stored.isEmpty { return }
        withExtendedLifetime(currentRowsOfEdited(Array(stored))) {
            refreshingTogether { for object in stored { refresh(object, mergeChanges: true) } }
        }
    }

    private func forgetCachedRow(of object: NSManagedObject) {
        registry.store(at: object.storeIndex)?.rowCache.forget(handle: object.handle, root: object.layout.root)
    }

    /// Removes rows that were written elsewhere from the cache, so that they are read anew.
    private func forgetRows(of saved: SavedObjectIDs) {
        for id in saved.inserted + saved.updated + saved.deleted where !id.isTemporaryID {
            coordinator.store(of: id)?.rowCache.forget(handle: id.handle, root: id.layout.root)
        }
    }

    /// The object of an ID by its very entity: what has gone under the name of one above, which a stranger's ID had, isn't the row's.
    private func objectOfEntity(_ id: NSManagedObjectID) -> NSManagedObject? {
        registeredObject(for: id).flatMap { $0.layout.name == id.entityName ? $0 : nil }
    }

    private func isReachable(_ id: NSManagedObjectID) -> Bool {
        id.isTemporaryID ? parent != nil : coordinator.store(of: id) != nil
    }

    /// Those objects that others have saved as new ones after this context had read them: from its parent, which had them unsaved,
    /// or from a store that had them before they were deleted and brought back. The context has inserted some of them itself.
    private func outOfDate(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard !objects.isEmpty else { return [] }
        do {
            let rows = try parentStore.currentRows(of: objects.map(\.identity), in: self)
            var (changed, same): ([NSManagedObject], [NSManagedObject]) = ([], [])
            for case (let object, let row?) in zip(objects, rows) where object.canBeRead(from: row) {
                if isOther(row, than: object) { changed.append(object) } else { same.append(object) }
            }
            return parent == nil ? changed : changed + (try havingOtherMembers(same))
        } catch {
            recordReadFailure(error, of: "objects that others have saved")
            return []
        }
    }

    /// Whether a row that is read now says something else than what an object was read from.
    private func isOther(_ row: RowRef, than object: NSManagedObject) -> Bool {
        if parent == nil {
            if row.version != object.snapshotVersion { return true }
            // Where the version is the same, what differs are the object's own changes.
            if object.hasChanges { return false }
        }
        // A parent's objects change without their versions changing.
        return !object.propertiesChanged(by: row, keepsState: true).isEmpty
    }

    /// The rows that the changes of objects are to be laid over, read by one query. While they are kept, no object reads its row alone.
    private func currentRowsOfEdited(_ objects: [NSManagedObject]) -> [RowRef?] {
        let edited = objects.filter { $0.hasChanges && !$0.wasNeverSaved && !$0.isFault }
        guard parent == nil, edited.count > 1 else { return [] }
        // What can't be read together is read, and told of, one by one.
        return (try? parentStore.currentRows(of: edited.map(\.identity), in: self)) ?? []
    }

    /// Those objects whose to-many relationships, as far as the context has read them, have other members in the parent.
    private func havingOtherMembers(_ objects: [NSManagedObject]) throws -> [NSManagedObject] {
        var found: Set<NSManagedObject> = []
        for objects in Dictionary(grouping: objects, by: { ObjectIdentifier($0.layout) }).values {
            for property in objects[0].layout.relationships where property.kind == .toMany {
                let readers = objects.filter {
                    $0.state?.toManys[property.index]?.isLoaded ?? false && !found.contains($0)
                }
                guard !readers.isEmpty else { continue }
                let members = try parentStore.destinations(of: property, from: readers.map(\.identity), in: self)
                for (object, identities) in zip(readers, members) {
                    let (now, known) = (identities.map { self.object(for: $0) }, object.toMany(property).saved)
                    if property.isOrdered ? now != Array(known) : Set(now) != Set(known) { found.insert(object) }
                }
            }
        }
        return objects.filter(found.contains)
    }

    /// Those objects that others have deleted and that were saved anew since, as a merge policy or an undo inserts them: the older
    /// save is merged late then.
    private func thereAgain(_ objects: [NSManagedObject]) -> Set<NSManagedObject> {
        var (found, doubtful): (Set<NSManagedObject>, [NSManagedObject]) = ([], [])
        for object in objects {
            if object.flags.contains(.insertedAgain) {
                doubtful.append(object)
            } else if parent == nil, let store = registry.store(at: object.storeIndex) {
                switch store.rowCache.newest(object.key, root: object.layout.root) {
                case .row, .gone: found.insert(object)
                // Of other processes' saves, what is told counts.
                case .elsewhere, .deleted, .unknown: break
                }
            }
        }
        return found.union(havingRows(doubtful))
    }

    /// Those objects that the store or the parent has rows of; none where it can't be read, which the next save meets.
    func havingRows(_ objects: [NSManagedObject]) -> Set<NSManagedObject> {
        let objects = objects.filter(canBeLookedUp)
        if objects.isEmpty { return [] }
        // What a save has told counts then, and what an undo brings back counts as new.
        let rows = (try? parentStore.currentRows(of: objects.map(\.identity), in: self)) ?? []
        return Set(zip(objects, rows).compactMap { $1 == nil ? nil : $0 })
    }

    /// Whether it costs little to ask whether an object has a row. A store of a program's own may ask a server, object by object, and
    /// have errors of its own for those that aren't there.
    func canBeLookedUp(_ object: NSManagedObject) -> Bool {
        if parent != nil { return true }
        return registry.store(at: object.storeIndex).map(readsManyCheaply) ?? false
    }

    func readsManyCheaply(_ store: NSPersistentStore) -> Bool {
        !store.traits.isDisjoint(with: [.readsManyAtOnce, .holdsObjectsInMemory])
    }

    /// An object that another context has deleted leaves this one without having to be saved.
    func forget(deletedElsewhere object: NSManagedObject) {
        if object.flags.contains(.updated) { updated.remove(object) }
        if object.flags.contains(.deleted) { deleted.remove(object) }
        object.flags.remove([.updated, .deleted, .deletePropagated])
        recordEvent(.deletedInEvent, of: object)
        object.leaveContext()
        mergedDeletions.append(object)
    }
}
