@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension NSManagedObjectContext {
    func saveToParent() throws {
        checkQueue("save()")
        adoptPermanentIdentities()
        guard holdsChanges || !eventObjects.isEmpty else { return try saveNothing() }
        try requireParentStore()
        if let readFailure { throw readFailure }
        guard saving != .changes else {
            throw CoreDataError.unsupportedRequest("The context is being saved; a save inside a save can't be had.")
        }
        let phase = saving
        saving = .changes
        defer { saving = phase }
        processPendingChanges()
        try askObjects()
        ContextNotifications.postWillSave(in: self)
        processPendingChanges()
        propagateDeletes()
        processPendingChanges()
        guard holdsChanges else { return try finishWithoutChanges() }
        // Delete rules read values, and so does validation, whose failures to read are treated otherwise than those of
        // delete rules.
        if let failure = readFailure ?? deleteRuleFailures.first { throw failure }
        if !savesUnvalidated { try validateChanges() }
        if let readFailure { throw readFailure }
        forgetReferencesToInaccessible()
        try refuseDanglingReferences()
        try write()
    }

    /// Saves metadata that was changed, and posts that it has saved, with no objects (seen in tests of CoreDataPlus).
    private func saveNothing() throws {
        // An observer may save whatever it is told, and would be told of that again.
        guard saving == .none else { return try storedParentStore?.saveMetadata(in: self) ?? () }
        saving = .nothing
        defer { saving = .none }
        ContextNotifications.postWillSave(in: self)
        if holdsChanges || !eventObjects.isEmpty { return try saveToParent() }
        try finishWithoutChanges()
    }

    private func finishWithoutChanges() throws {
        try storedParentStore?.saveMetadata(in: self)
        mergedDeletions.forget()
        replaceAbsorbedObjects()
        ContextNotifications.postDidSave(ChangeSets(), historyToken: nil, in: self)
    }

    // MARK: Before

    /// Calls `willSave()` until no call changes an object any more. The changes are part of the save, and make an event
    /// of their own.
    private func askObjects() throws {
        var asked: [NSManagedObject] = []
        defer { for object in asked { object.flags.remove(.askedInSave) } }
        var unasked = changedObjects
        for _ in 0..<Self.willSaveLimit {
            if unasked.isEmpty { return }
            for object in unasked {
                if object.flags.insert(.askedInSave).inserted { asked.append(object) }
                object.willSave()
            }
            let touched = Set(eventObjects.filter { $0.flags.contains(.updatedInEvent) })
            processPendingChanges()
            unasked = changedObjects.filter { !$0.flags.contains(.askedInSave) || touched.contains($0) }
        }
        throw CoreDataError.endlessWillSave(Self.willSaveLimit)
    }

    /// Calls `willSave()` of objects that a merge policy has changed, and validates them, once a save.
    private func ask(again objects: [NSManagedObject]) throws {
        for object in objects where object.hasChanges { object.willSave() }
        let touched = eventObjects.filter { !objects.contains($0) }
        processPendingChanges()
        propagateDeletes()
        processPendingChanges()
        if let failure = readFailure ?? deleteRuleFailures.first { throw failure }
        if savesUnvalidated { return }
        try validate((objects + touched).filter { $0.ownContext === self && $0.hasChanges })
        processPendingChanges()
        if let readFailure { throw readFailure }
    }

    private static var willSaveLimit: Int { 1000 }

    private var changedObjects: [NSManagedObject] {
        Array(inserted.objects) + Array(updated.objects) + Array(deleted.objects)
    }

    /// Validates all changes, then those that validation has made, until there are none. Each round is an event of its
    /// own.
    ///
    /// An object that validation has changed is validated once more, and not again: a validation that always sets a
    /// value mustn't prevent the save.
    private func validateChanges() throws {
        var (once, twice) = (Set<NSManagedObject>(), Set<NSManagedObject>())
        var rest = changedObjects
        for _ in 0..<Self.willSaveLimit {
            try validate(rest)
            if eventObjects.isEmpty { return }
            for object in rest where !once.insert(object).inserted { twice.insert(object) }
            let touched = Set(eventObjects)
            processPendingChanges()
            rest = changedObjects.filter { !once.contains($0) || touched.contains($0) && !twice.contains($0) }
        }
        throw CoreDataError.endlessWillSave(Self.willSaveLimit)
    }

    private func validate(_ objects: [NSManagedObject]) throws {
        var failures: [any Error] = []
        for object in objects {
            do {
                if object.flags.contains(.inserted) {
                    try object.validateForInsert()
                } else if object.flags.contains(.updated) {
                    try object.validateForUpdate()
                } else if object.flags.contains(.deleted), !object.flags.contains(.inaccessible) {
                    try object.validateForDelete()
                }
            } catch {
                failures.append(error)
            }
        }
        try ObjectValidation.throwCombined(failures)
    }

    // MARK: Writing

    private func write() throws {
        // A parent would take the changes for those of other objects.
        if parent != nil { adoptExchanges() }
        // What was saved in part ends the save.
        try followingExchanges(while: { saving == .changes }, writeOnce)
    }

    private func writeOnce() throws {
        let operation = try parentStore.beginSave(of: self)
        defer { operation.end() }
        let pinned = generation
        do {
            try write(operation)
        } catch {
            // Nothing was saved: the context goes on with the state that it has seen.
            generation = pinned
            // What another store has already is saved: a further save would write it a second time.
            if let committed = operation.committed { finish(operation, committed) }
            throw error
        }
    }

    private func write(_ operation: any SaveOperation) throws {
        var known: [Int64] = []
        var (rounds, allRounds) = (0, 0)
        var askedAgain: Set<NSManagedObject> = []
        var changedAtFirst: Set<NSManagedObject>?
        while true {
            do {
                try UnsavedDuplicates.check(self)
                if let coordinator = coordinatorToAsk {
                    try askToSave(coordinator) { try operation.commit() }
                } else {
                    try operation.commit()
                }
                return finish(operation)
            } catch let conflicts as StoreConflicts {
                // Where other contexts save all the time, it may take many rounds: each of their saves brings newer
                // versions.
                let versions = conflicts.conflicts.map { $0.persisted?.version ?? 0 }
                rounds = versions == known ? rounds + 1 : 0
                known = versions
                allRounds += 1
                guard rounds < Self.conflictLimit, allRounds < Self.conflictLimitWithChanges else {
                    throw ConflictResolution.error(for: conflicts, in: self)
                }
                // A pinned context sees what it is in conflict with (Apple's header of NSManagedObjectContext: saving advances it to
                // the most recent version for the operation).
                advanceGeneration()
                let own = changedAtFirst ?? Set(updated.objects)
                changedAtFirst = own
                let settled = try ConflictResolution.resolve(conflicts, in: self, changedAtFirst: own)
                if !holdsChanges { return try finishWithoutChanges() }
                if conflicts.constraints.isEmpty { continue }
                try ask(again: settled.filter { askedAgain.insert($0).inserted })
                try operation.includeNewObjects()
            }
        }
    }

    /// How often the same conflicts may come back before the policy counts as not having resolved them.
    private static var conflictLimit: Int { 16 }
    /// The same where they are other ones each time. A trigger in a stranger's file can change what was just resolved, without end.
    private static var conflictLimitWithChanges: Int { 256 }

    /// Makes the rows that the parent now holds the snapshots of the objects.
    private func finish(_ operation: any SaveOperation) {
        var sets = ChangeSets()
        sets.inserted = inserted.set
        sets.updated = updated.set
        sets.deleted = deleted.set
        let saved = CommittedChanges(inserted: inserted.objects, updated: updated.objects, deleted: deleted.objects)
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        locked = []
        doubts = SaveDoubts(absorbed: doubts.absorbed)
        mergedDeletions.forget()
        finish(operation, saved, sets)
    }

    /// The same for a part of the objects, where the rest couldn't be saved.
    private func finish(_ operation: any SaveOperation, _ saved: CommittedChanges) {
        var sets = ChangeSets()
        sets.inserted = Set(saved.inserted)
        sets.updated = Set(saved.updated)
        sets.deleted = Set(saved.deleted)
        for object in saved.inserted { inserted.remove(object) }
        for object in saved.updated { updated.remove(object) }
        for object in saved.deleted { deleted.remove(object) }
        finish(operation, saved, sets)
    }

    /// Lets an object go whose deletion was saved, unless its `didSave()`, or that of another, has inserted it again.
    private func leave(deleted object: NSManagedObject) {
        let isTakenBack = !object.flags.contains(.deleted)
        updated.remove(object)
        object.flags.remove([.updated, .deleted, .deletePropagated])
        object.leaveContext()
        if isTakenBack { insert(object) }
    }

    private func finish(_ operation: any SaveOperation, _ saved: CommittedChanges, _ sets: ChangeSets) {
        advanceGeneration()
        // What others save before the next read isn't in the state after this save. Where that can't be taken, the read says so.
        try? generation?.pin()
        let (new, changed, gone) = (saved.inserted, saved.updated, saved.deleted)
        keepUntilEndOfBlock(new)
        let unwritten = Set(operation.unwritten)
        for object in new {
            adoptKey(of: object)
            object.flags.insert(.savedAsNew)
        }
        replaceAbsorbedObjects()
        SavedRows.install(new, in: self)
        SavedRows.install(
            unwritten.isEmpty ? changed : ContiguousArray(changed.filter { !unwritten.contains($0) }), in: self)
        for object in changed where unwritten.contains(object) { object.state?.didSave() }
        operation.finish()
        recordRenewed(new, areNew: true)
        recordRenewed(changed, areNew: false)
        for objects in [new, changed] {
            for object in objects {
                object.flags.remove([.inserted, .updated])
                object.giveUpReservation()
                if object.state?.isEmpty == true { object.state = nil }
            }
        }
        if !gone.isEmpty { parentStore.evictRows(of: gone) }
        for object in gone {
            registry.unregister(object)
            retained.remove(object)
        }
        // Of what a relationship leads to, others may have read the end that the store has changed.
        let corrected = operation.corrected
        var sets = sets
        sets.updated.formUnion(corrected)
        // From here on the context can be changed, and saved, again.
        saving = .none
        for object in corrected { refresh(object, mergeChanges: true) }
        recordRenewed(corrected.map(\.objectID))
        // A `didSave()` may make others lead to what has gone.
        if !gone.isEmpty { doubts.hasMetStrangers = true }
        for objects in [new, changed, gone] {
            for object in objects { object.didSave() }
        }
        for object in gone { leave(deleted: object) }
        advanceRevision()
        // First of all: who waits for the notification on the main queue finds there what a context of that queue has merged.
        parentStore.notifyContexts(ofSave: sets, by: self)
        ContextNotifications.postDidSave(sets, historyToken: operation.historyToken, in: self)
        mergingChildren.merge(sets, savedBy: self)
        for object in gone { object.putValuesAside() }
    }
}

/// Makes what a save has written the objects' new snapshots, and the row cache's new rows.
enum SavedRows {
    static func install(_ objects: ContiguousArray<NSManagedObject>, in context: NSManagedObjectContext) {
        let parentStore = context.parentStore
        let keepsValues = context.model.hasTransformables
        // A child's save writes no row of a store: what it has is based on the same version as before.
        let advance: Int64 = context.parent == nil ? 1 : 0
        var packer = RowPacker(context, expecting: objects.count) { page, root, store in
            parentStore.cacheRows(page, of: root, in: store, wereSaved: true)
        }
        for object in objects {
            if let row = object.state?.writtenRow {
                parentStore.cacheRows(
                    row.page, of: object.layout.root, in: context.registry.store(at: object.storeIndex), wereSaved: true
                )
                object.observably(object.propertiesChanged(by: row, keepsState: true)) { adopt(row, in: object) }
                continue
            }
            object.snapshot = packer.pack(object, version: object.versionBeforeSave + advance)
            if keepsValues { object.keepTransformables() }
            object.state?.didSave()
        }
        packer.finish()
    }

    /// Takes over the row that the store has written, which may have other values, such as those that a server has
    /// added.
    private static func adopt(_ row: RowRef, in object: NSManagedObject) {
        object.snapshot = row
        guard let state = object.state else { return }
        state.writtenRow = nil
        state.didSave()
        state.toOnes = [:]
        state.decoded = [:]
        for index in state.toManys.keys {
            let property = object.layout.properties[index]
            if row.page.destinations(of: property, row: row.row) != nil { state.toManys[index] = nil }
        }
    }
}
