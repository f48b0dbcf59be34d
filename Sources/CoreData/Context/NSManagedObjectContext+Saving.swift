import Foundation
import ManagedObjectModel

extension NSManagedObjectContext {
    /// Saves all changes to the stores: all of them, or none.
    ///
    /// Objects get `willSave()`, are validated, written and get `didSave()`; a failed save leaves the context as it was.
    ///
    /// - Throws: validation errors (1550 … 1680, several under 1560), conflicts that the merge policy doesn't resolve
    ///   (133020), or what a store throws.
    public func save() throws {
        checkQueue()
        guard hasChanges || !eventObjects.isEmpty else { return try saveMetadata() }
        if let readFailure { throw readFailure }
        guard !isSaving else {
            throw CoreDataError.unsupportedRequest("The context is being saved; a save inside a save can't be had.")
        }
        isSaving = true
        defer { isSaving = false }
        processPendingChanges()
        try askObjects()
        ContextNotifications.postWillSave(in: self)
        processPendingChanges()
        propagateDeletes()
        processPendingChanges()
        guard hasChanges else { return try saveMetadata() }
        if !savesUnvalidated { try validateObjects() }
        // Delete rules and validation read values too.
        if let readFailure { throw readFailure }
        try write()
    }

    /// Metadata that was set goes along with the next save, whether or not that has objects for the store (Apple:
    /// `setMetadata(_:for:)`).
    private func saveMetadata() throws {
        guard let coordinator = persistentStoreCoordinator, coordinator.hasUnsavedMetadata else { return }
        try coordinator.saveMetadata(in: self)
    }

    // MARK: Before

    /// Calls `willSave()` until no object changes another any more.
    private func askObjects() throws {
        var asked: [NSManagedObject] = []
        defer { for object in asked { object.flags.remove(.askedInSave) } }
        for _ in 0..<Self.willSaveLimit {
            let before = changedObjects
            let unasked = before.filter { !$0.flags.contains(.askedInSave) || $0.flags.contains(.updatedInEvent) }
            for object in unasked { object.flags.remove(.updatedInEvent) }
            eventObjects.removeAll { $0.flags.isDisjoint(with: .changedInEvent) }
            if unasked.isEmpty { return }
            for object in unasked {
                if object.flags.insert(.askedInSave).inserted { asked.append(object) }
                object.willSave()
            }
            let touched = eventObjects.contains { $0.flags.contains(.updatedInEvent) }
            if !touched, changedObjects.count == before.count { return processPendingChanges() }
        }
        throw CoreDataError.endlessWillSave(Self.willSaveLimit)
    }

    private static var willSaveLimit: Int { 1000 }

    private var changedObjects: [NSManagedObject] {
        Array(inserted.objects) + Array(updated.objects) + Array(deleted.objects)
    }

    private func validateObjects() throws {
        var failures: [NSError] = []
        func check(_ body: () throws -> Void) {
            do { try body() } catch { failures.append(error as NSError) }
        }
        for object in inserted.objects { check(object.validateForInsert) }
        for object in updated.objects { check(object.validateForUpdate) }
        for object in deleted.objects where !object.flags.contains(.inaccessible) { check(object.validateForDelete) }
        try ObjectValidation.throwCombined(failures)
    }

    // MARK: Writing

    private func write() throws {
        let plan = try SavePlan(self)
        defer { plan.releaseReservations() }
        var known: [Int64] = []
        var rounds = 0
        while true {
            do {
                let changes = plan.changes()
                try coordinator.save(changes, in: self)
                finish(plan, changes)
                return try saveMetadata()
            } catch let conflicts as StoreConflicts {
                // Where others save all the time, it may take many rounds; each of theirs brings newer versions.
                let versions = conflicts.conflicts.map { $0.persisted?.version ?? 0 }
                rounds = versions == known ? rounds + 1 : 0
                known = versions
                guard rounds < Self.conflictLimit else { throw ConflictResolution.error(for: conflicts, in: self) }
                try ConflictResolution.resolve(conflicts, in: self)
                if !hasChanges { return }
            }
        }
    }

    /// How often the same conflicts may come back before the policy counts as not having resolved them.
    private static var conflictLimit: Int { 16 }

    /// What the stores now hold becomes what the objects were read from.
    private func finish(_ plan: SavePlan, _ changes: [StoreChanges]) {
        advanceGeneration()
        var sets = ChangeSets()
        sets.inserted = inserted.set
        sets.updated = updated.set
        sets.deleted = deleted.set
        let (new, changed, gone) = (inserted.objects, updated.objects, deleted.objects)
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        locked = []
        for object in new { adoptKey(of: object) }
        SavedRows.install(new, in: self)
        SavedRows.install(changed, in: self)
        for part in changes {
            for key in part.recomputed.keys {
                part.store.rowCache.forget(handle: key.handle, root: model.entities[Int(key.entityIndex)].root)
            }
        }
        for object in new + changed {
            object.flags.remove([.inserted, .updated])
            object.giveUpReservation()
        }
        for object in gone {
            if let store = registry.store(at: object.storeIndex) {
                store.rowCache.forget(handle: object.handle, root: object.layout.root)
            }
            registry.unregister(object)
            retained.remove(object)
        }
        for object in new + changed + gone { object.didSave() }
        for object in gone {
            object.flags.remove([.deleted, .deletePropagated])
            object.flags.insert(.invalidated)
        }
        ContextNotifications.postDidSave(sets, in: self)
        coordinator.contextDidSave(sets, in: self)
    }

    /// Gives an inserted object the identity that its store has given out.
    private func adoptKey(of object: NSManagedObject) {
        guard object.storeIndex == 0, let (store, key) = object.state?.reservedKey else { return }
        registry.unregister(object)
        object.handle = key.handle
        object.storeIndex = registry.index(of: store)
        registry.register(object)
    }

    /// Gives inserted objects their permanent IDs now, without saving them.
    ///
    /// - Throws: what the store throws; the objects then keep their temporary IDs.
    public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        let plan = try SavePlan(self, only: objects.filter { $0.objectID.isTemporaryID })
        defer { plan.releaseReservations() }
        for object in objects { adoptKey(of: object) }
    }
}
