import ManagedObjectModel

/// The changes of one save, by store: which store takes each object, and under which identity.
final class SavePlan {
    private let context: NSManagedObjectContext
    private var reserved: [NSManagedObject] = []

    /// Assigns every inserted object to a store and has the stores reserve identities.
    ///
    /// - Throws: an error that names the entity when no store takes it, or what a store throws.
    init(_ context: NSManagedObjectContext, only objects: [NSManagedObject]? = nil) throws {
        self.context = context
        let new = objects ?? Array(context.inserted.objects.filter { $0.storeIndex == 0 })
        var byStore: [(store: NSPersistentStore, objects: [NSManagedObject])] = []
        for object in new {
            let store = try context.coordinator.storeForInserting(object)
            if let index = byStore.firstIndex(where: { $0.store === store }) {
                byStore[index].objects.append(object)
            } else {
                byStore.append((store, [object]))
            }
        }
        do {
            for (store, objects) in byStore {
                let keys = try context.coordinator.obtainPermanentKeys(for: objects, in: store, context: context)
                for (object, key) in zip(objects, keys) {
                    object.reserve(key, in: store)
                    reserved.append(object)
                }
            }
        } catch {
            releaseReservations()
            throw error
        }
    }

    /// The changes as the merge policy has left them.
    func changes() -> [StoreChanges] {
        var byStore: [StoreChanges] = []
        func changes(for store: NSPersistentStore) -> Int {
            if let index = byStore.firstIndex(where: { $0.store === store }) { return index }
            var changes = StoreChanges(store: store)
            changes.author = context.transactionAuthor
            changes.contextName = context.name
            byStore.append(changes)
            return byStore.count - 1
        }
        for object in context.inserted.objects {
            let store = object.state?.reservedKey?.store ?? context.registry.store(at: object.storeIndex)
            if let store { byStore[changes(for: store)].inserted.append(object) }
        }
        for object in context.updated.objects {
            if let store = context.registry.store(at: object.storeIndex) {
                byStore[changes(for: store)].updated.append(object)
            }
        }
        for object in context.deleted.objects where !object.wasNeverSaved && !object.flags.contains(.inaccessible) {
            if let store = context.registry.store(at: object.storeIndex) {
                byStore[changes(for: store)].deleted.append(object)
            }
        }
        for object in context.locked where !object.hasChanges {
            if let store = context.registry.store(at: object.storeIndex) {
                byStore[changes(for: store)].locked.append(object)
            }
        }
        return byStore
    }

    /// Takes back the identities of objects that were not saved after all.
    func releaseReservations() {
        for object in reserved where object.state?.reservedKey != nil { object.giveUpReservation() }
        reserved = []
    }
}

/// The changes that one save asks of one store.
struct StoreChanges {
    let store: NSPersistentStore
    var inserted: [NSManagedObject] = []
    var updated: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    /// Unchanged objects whose versions are to be checked.
    var locked: [NSManagedObject] = []
    /// The rows besides whose values the store has computed anew while it saved.
    let recomputed = RecomputedKeys()
    /// Who saves, for the store's history.
    var author: String?
    var contextName: String?

    init(store: NSPersistentStore) { self.store = store }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && locked.isEmpty }
}

extension NSManagedObject {
    /// From now on the object says that it has the identity which a save under way has obtained.
    final func reserve(_ key: ObjectKey, in store: NSPersistentStore) {
        writableState.reservedKey = (store, key)
        cachedID = NSManagedObjectID(layout: layout, handle: key.handle, store: store)
    }

    /// The save failed, or has made the identity the object's own.
    final func giveUpReservation() {
        state?.reservedKey = nil
        if storeIndex == 0 { cachedID = nil }
    }

    /// The identity under which a save writes the object: the reserved one of a new object.
    final var savedKey: ObjectKey {
        state?.reservedKey?.key ?? ObjectKey(handle: handle, entityIndex: layout.index)
    }

    /// The value of a row slot as a store writes it: destinations as keys, transformables as data.
    final func storedField(_ property: PropertyLayout) -> FieldValue {
        let field = self.field(property)
        switch field {
        case .destination(let destination): return .reference(destination.savedKey)
        case .object(let box) where property.kind == .transformable:
            return TransformableCoder.data(from: box.value, of: property).map { .data($0) } ?? .null
        default: return field
        }
    }
}

/// What a store tells of a save when it's done.
final class RecomputedKeys {
    var keys: [ObjectKey] = []
}
