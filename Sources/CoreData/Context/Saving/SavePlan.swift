@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// The changes of one save, by store, and under which identity each object is saved.
final class SavePlan: SaveOperation {
    private let context: NSManagedObjectContext
    private var reserved: [NSManagedObject] = []
    private var archived: [NSManagedObject] = []
    private var isFirstTry = true
    private var written: [StoreChanges] = []
    private(set) var unwritten: [NSManagedObject] = []
    /// The stores that have committed their part, while a conflict in another is still to be resolved.
    private var done: [NSPersistentStore] = []

    /// Assigns every inserted object to a store and has the stores reserve identities.
    ///
    /// - Throws: an error that names the entity when no store takes it, or what a store throws.
    init(_ context: NSManagedObjectContext, only objects: [NSManagedObject]? = nil) throws {
        self.context = context
        try reserveIdentities(for: objects)
    }

    func includeNewObjects() throws { try reserveIdentities(for: nil) }

    private func reserveIdentities(for objects: [NSManagedObject]?) throws {
        let new = objects ?? Array(context.inserted.objects.filter { $0.savedStoreIndex == 0 })
        let isSave = objects == nil
        let spansStores = context.coordinator.persistentStores.count > 1
        let byStore = try context.storesForInserting(new, spansStores: spansStores)
        do {
            if isSave { try archiveTransformables() }
            for (store, objects) in byStore {
                if isSave, store.traits.contains(.givesKeysInSave) {
                    if store.isReadOnly { throw CoreDataError.readOnly(store) }
                    let index = context.storeIndex(of: store)
                    for object in objects { object.expectKey(ofStoreAt: index) }
                    reserved += objects
                    continue
                }
                let keys = try context.coordinator.obtainPermanentKeys(for: objects, in: store, context: context)
                let index = context.storeIndex(of: store)
                for (object, key) in zip(objects, keys) { object.reserve(key, storeIndex: index) }
                reserved += objects
            }
            if spansStores, isSave { try checkRelationships() }
        } catch {
            end()
            throw error
        }
    }

    /// A relationship can't lead from one store to another.
    private func checkRelationships() throws {
        for object in context.inserted.objects + context.updated.objects {
            for property in object.layout.relationships where !property.isTransient {
                let destinations = object.newDestinations(of: property)
                for destination in destinations {
                    guard let store = destination.savedStore, store !== object.savedStore else { continue }
                    throw CoreDataError.relationshipAcrossStores(property, from: object, to: destination)
                }
            }
        }
    }

    /// Archives transformable values, so that one which can't be archived is found before any store is called. A merge
    /// policy may have changed values since the last attempt.
    private func archiveTransformables() throws {
        guard context.model.hasTransformables else { return }
        for object in context.inserted.objects where !object.layout.transformables.isEmpty {
            archived.append(object)
            try object.archiveTransformables()
        }
        for object in context.updated.objects where !object.layout.transformables.isEmpty {
            archived.append(object)
            try object.archiveTransformables()
        }
    }

    func commit() throws {
        if !isFirstTry { try archiveTransformables() }
        try context.refuseSecondRows()
        written = changes()
        let settlesInverses = !isFirstTry || context.doubts.inversesMayDisagree
        if settlesInverses { for place in written.indices { written[place].settlesInverses = true } }
        isFirstTry = false
        try context.coordinator.save(written, in: context, written: &done)
    }

    var committed: CommittedChanges? {
        if done.isEmpty { return nil }
        var changes = CommittedChanges()
        for part in written where done.contains(where: { $0 === part.store }) {
            changes.inserted += part.inserted
            changes.updated += part.updated
            changes.deleted += part.deleted
        }
        return changes
    }

    var historyToken: NSPersistentHistoryToken? {
        var numbers: [String: Int64] = [:]
        for part in written {
            guard let number = part.report.outcome.transactionNumber, let store = part.store.identifier else {
                continue
            }
            numbers[store] = number
        }
        return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
    }

    var corrected: [NSManagedObject] {
        written.flatMap { part -> [NSManagedObject] in
            let keys = part.report.outcome.recomputed
            guard !keys.isEmpty else { return [] }
            let own = Set((part.inserted + part.updated + part.deleted).map(\.savedKey))
            let storeIndex = context.storeIndex(of: part.store)
            return keys.filter { !own.contains($0) }.map { context.object(for: $0, storeIndex: storeIndex) }
        }
    }

    /// Values that the store has computed anew are in none of this context's rows.
    func finish() {
        for part in written {
            for key in part.report.outcome.recomputed where !part.report.readAgain.contains(key) {
                part.store.rowCache.forget(handle: key.handle, root: context.model.entities[Int(key.entityIndex)].root)
            }
        }
    }

    /// The changes as the merge policy has left them.
    private func changes() -> [StoreChanges] {
        var byStore: [StoreChanges] = []
        func position(of store: NSPersistentStore) -> Int {
            if let place = byStore.firstIndex(where: { $0.store === store }) { return place }
            var changes = StoreChanges(store: store, of: context)
            changes.author = context.transactionAuthor
            changes.contextName = context.name
            byStore.append(changes)
            return byStore.count - 1
        }
        func add(
            _ objects: some Collection<NSManagedObject>, to list: WritableKeyPath<StoreChanges, [NSManagedObject]>
        ) {
            for (index, objects) in Self.byStoreIndex(objects) {
                if let store = context.registry.store(at: index) {
                    byStore[position(of: store)][keyPath: list] = objects
                }
            }
        }
        add(context.inserted.objects, to: \.inserted)
        let updated = context.updated.objects
        unwritten = updated.allSatisfy(\.hasChangesToSave) ? [] : updated.filter { !$0.hasChangesToSave }
        add(unwritten.isEmpty ? updated : ContiguousArray(updated.filter(\.hasChangesToSave)), to: \.updated)
        add(
            context.deleted.objects.filter { !$0.wasNeverSaved && !$0.flags.contains(.inaccessible) }, to: \.deleted)
        let unchanged = Set(unwritten)
        add(context.comparable.filter { !$0.hasChanges || unchanged.contains($0) }, to: \.locked)
        return byStore
    }

    /// The objects by the registry's number of the store that holds them, or will.
    private static func byStoreIndex(_ objects: some Collection<NSManagedObject>) -> [(UInt16, [NSManagedObject])] {
        var groups: [(UInt16, [NSManagedObject])] = []
        var place = 0
        for object in objects {
            let index = object.savedStoreIndex
            if groups.isEmpty || groups[place].0 != index {
                place = groups.firstIndex { $0.0 == index } ?? groups.count
                if place == groups.count {
                    groups.append((index, []))
                    groups[place].1.reserveCapacity(objects.count)
                }
            }
            groups[place].1.append(object)
        }
        return groups
    }

    /// Takes back the identities of objects that were not saved after all.
    func end() {
        for object in reserved where object.state?.reservation != nil { object.giveUpReservation() }
        reserved = []
        for object in archived { object.forgetArchives() }
        archived = []
    }
}

/// The changes that one save asks of one store.
struct StoreChanges {
    let store: NSPersistentStore
    /// The context whose changes they are.
    let context: NSManagedObjectContext
    var inserted: [NSManagedObject] = []
    var updated: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    /// Unchanged objects whose versions are to be checked.
    var locked: [NSManagedObject] = []
    let report = SaveReport()
    /// Whether other stores commit their parts of the save before this one does.
    var othersFollow = false
    /// Whether a merge policy has put the objects in a state that can be saved, or only one end of a pair was known: what the
    /// changes lead to may not agree with them.
    var settlesInverses = false
    /// Who saves, for the store's history.
    var author: String?
    var contextName: String?

    init(store: NSPersistentStore, of context: NSManagedObjectContext) {
        self.store = store
        self.context = context
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && locked.isEmpty }

    /// Gives a saved object the row that the store has corrected.
    func correct(_ object: NSManagedObject, by row: RowRef) {
        object.writableState.writtenRow = row
        report.readAgain.insert(object.savedKey)
    }
}

extension NSManagedObject {
    /// Assigns the object to a store that gives it its key inside the save.
    fileprivate final func expectKey(ofStoreAt storeIndex: UInt16) {
        writableState.reservation = ObjectState.Reservation(storeIndex: storeIndex)
    }

    /// Whether the store of a save under way is still to give the object its identity.
    final var expectsKey: Bool {
        guard let reservation = state?.reservation else { return false }
        return reservation.handle == nil
    }

    /// Forgets a key that was rolled back with the save, so that the store gives another one.
    final func expectAnotherKey() {
        guard let reservation = state?.reservation, reservation.handle != nil else { return }
        giveUpReservation()
        expectKey(ofStoreAt: reservation.storeIndex)
    }

    /// Sets the key that a save under way has obtained for the object.
    final func reserve(_ key: ObjectKey, storeIndex: UInt16) {
        writableState.reservation = ObjectState.Reservation(
            storeIndex: storeIndex, handle: key.handle, identity: cachedID?.unsavedIdentity)
        cachedID = nil
    }

    /// Removes the reserved key: the save failed, or has given it to the object as its own.
    final func giveUpReservation() {
        let reservation = state?.reservation
        state?.reservation = nil
        let identity = reservation?.identity
        if storeIndex == 0, reservation?.handle != nil {
            cachedID = identity.map { NSManagedObjectID(layout: layout, handle: handle, in: $0) }
        }
    }

    /// The identity under which a save writes the object: the reserved one of a new object.
    final var savedKey: ObjectKey {
        ObjectKey(handle: state?.reservation?.handle ?? handle, entityIndex: layout.index)
    }

    /// The registry's number of the store that holds the object, or for which a save under way has an identity.
    final var savedStoreIndex: UInt16 { state?.reservation?.storeIndex ?? storeIndex }

    /// The store that holds the object, or will when it is saved.
    final var savedStore: NSPersistentStore? { registry.store(at: savedStoreIndex) ?? state?.assignedStore }
}

/// What a store reports after a save.
final class SaveReport {
    var outcome = SaveOutcome()
    /// The saved objects that have got the rows which the store has corrected.
    var readAgain: Set<ObjectKey> = []
}
