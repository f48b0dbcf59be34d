@_spi(Engine) import CoreDataRows
import FoundationCompat
import ManagedObjectModel
import Synchronization

// Safe: what it holds is constant, but for what contexts add, which is behind locks.
/// A store that has taken another one's place, and the identities that the old one's objects have in it.
final class StoreExchange: @unchecked Sendable {
    let old: NSPersistentStore
    let new: NSPersistentStore
    /// The identities in the new store by those in the old one.
    let identities: IdentityMap<ObjectKey>
    /// The versions of the rows that were copied, by identities in the old store.
    private let versions: IdentityMap<Int64>
    /// The contexts whose objects have them.
    private let adopters = Mutex<Set<ObjectIdentifier>>([])
    /// The identities of objects that the old store had given one and never saved. Their context's children have them, too.
    private let unsaved: Mutex<IdentityMap<ObjectKey>>

    init(
        old: NSPersistentStore, new: NSPersistentStore, identities: IdentityMap<ObjectKey>, versions: IdentityMap<Int64>
    ) {
        self.old = old
        self.new = new
        self.identities = identities
        self.versions = versions
        unsaved = Mutex(IdentityMap(identities.model))
    }

    /// What an object of the old store is known by now; a temporary identity where the new store gave it none.
    subscript(key: ObjectKey) -> ObjectKey? {
        identities[key] ?? unsaved.withLock { $0[key] }
    }

    /// Which version of an object of the old store was copied; nil where it had no row.
    fileprivate func version(of key: ObjectKey) -> Int64? { versions[key] }

    fileprivate func record(_ key: ObjectKey, ofUnsaved old: ObjectKey) { unsaved.withLock { $0[old] = key } }

    /// Records a key without a row for an object whose row had gone. Contexts know it by the same one.
    fileprivate func record(_ key: ObjectKey, ofGone old: ObjectKey) -> ObjectKey {
        unsaved.withLock { known in
            if let first = known[old] { return first }
            known[old] = key
            return key
        }
    }

    /// The ID that an object of the old store has now; another ID as it is.
    func following(_ id: NSManagedObjectID) -> NSManagedObjectID {
        guard !id.isTemporaryID, id.belongs(to: old), let key = self[id.key], !TemporaryIdentity.isTemporary(key.handle)
        else { return id }
        return NSManagedObjectID(
            layout: identities.model.entities[Int(key.entityIndex)], handle: key.handle, store: new)
    }

    fileprivate func isNew(to context: NSManagedObjectContext) -> Bool {
        adopters.withLock { $0.insert(ObjectIdentifier(context)).inserted }
    }
}

/// The exchanges of a coordinator's stores of which some context may not know yet. They live until every context has been told, and
/// has done what its queue had to do then.
final class ExchangeList: Sendable {
    private struct Entry {
        weak var exchange: StoreExchange?
    }

    private let entries = Mutex<[Entry]>([])

    /// Those that were carried out before stay, as looking at one may release it: no store is to go while a lock is held.
    func add(_ exchange: StoreExchange) { entries.withLock { $0.append(Entry(exchange: exchange)) } }

    /// Oldest first.
    var current: [StoreExchange] { entries.withLock { $0 }.compactMap(\.exchange) }
}

extension NSManagedObjectContext {
    /// Gives the objects of a store the identities that they have in the store which took its place.
    ///
    /// Faults stay faults, and unsaved changes stay. An object that isn't in the new store, since its row had gone, has an identity
    /// without a row, which its changes meet when they are saved. To be called on the context's queue.
    func adopt(_ exchange: StoreExchange) {
        // The permanent identities that the family knows follow with the root.
        if let parent { parent.runOnQueue { parent.adopt(exchange) } }
        guard exchange.isNew(to: self) else { return }
        adoptedExchanges += 1
        // The state that it is pinned to is the old store's.
        advanceGeneration()
        let (oldIndex, newIndex) = (registry.index(of: exchange.old), registry.index(of: exchange.new))
        var (unsaved, moving): ([NSManagedObject], [NSManagedObject]) = ([], [])
        for object in registry.allObjects() {
            if let state = object.state, state.assignedStore === exchange.old { state.assignedStore = exchange.new }
            guard object.storeIndex == oldIndex else { continue }
            if object.wasNeverSaved {
                unsaved.append(object)
                continue
            }
            moving.append(object)
        }
        // References to them are exchanged with the others'.
        identify(unsaved, newIndex, exchange)
        moveGone(moving.filter { exchange[$0.key] == nil }, newIndex, exchange)
        for object in moving where object.storeIndex == oldIndex {
            guard let new = exchange[object.key] else { continue }
            let isTemporary = TemporaryIdentity.isTemporary(new.handle)
            move(object, from: object.key, to: new, isTemporary ? 0 : newIndex, exchange)
        }
        for object in unsaved { object.translate(exchange) }
        if parent == nil { family?.follow(exchange) }
        // They hold values that lead to objects by their old identities.
        undoManager?.removeAllActions(withTarget: self)
        // They refer to this one's unsaved objects as well.
        coordinator.contexts.perform { [self] in if $0.parent === self { $0.adopt(exchange) } }
        // What waits on the queue may be merged by the old identities.
        queue.async { withExtendedLifetime(exchange) {} }
    }

    /// Adopts what has taken a store's place while the context's queue was busy, so that what has met the old store's absence can be
    /// tried again.
    func adoptExchanges() {
        guard let exchanges = persistentStoreCoordinator?.exchanges.current, !exchanges.isEmpty else { return }
        if let parent { parent.runOnQueue { parent.adoptExchanges() } }
        for exchange in exchanges { adopt(exchange) }
    }

    /// Does something once more where it has met the absence of a store that another queue has changed for another one meanwhile:
    /// that has the objects under other identities.
    ///
    /// - Parameter names: whether it names objects, as the values of a predicate, which the new store has under others.
    func followingExchanges<Result>(
        naming names: Bool = false, while canRepeat: () -> Bool = { true }, _ body: () throws -> Result
    ) throws -> Result {
        while true {
            let known = adoptedExchanges
            do {
                let result = try body()
                if names { adoptExchanges() }
                if !names || adoptedExchanges == known { return result }
            } catch {
                guard canRepeat() else { throw error }
                // It may have adopted one itself.
                adoptExchanges()
                guard adoptedExchanges > known else { throw error }
            }
        }
    }

    /// The number by which the context's objects refer to a store. Where that has taken the place of one whose objects the context has,
    /// they get their new identities first: otherwise there would be two objects of one identity.
    func storeIndex(of store: NSPersistentStore) -> UInt16 {
        if let known = registry.knownIndex(of: store) { return known }
        adoptExchanges()
        return registry.index(of: store)
    }

    private func move(
        _ object: NSManagedObject, from old: ObjectKey, to new: ObjectKey, _ storeIndex: UInt16,
        _ exchange: StoreExchange
    ) {
        // Whoever wrote the row since the context read it, also by a batch or in another process.
        let copied = exchange.version(of: old)
        let isCurrent = copied.map { $0 == knownVersion(of: object, copied: $0) } ?? true
        let showsCopied = copied == nil || copied == object.snapshotVersion
        let before = object.snapshotRowValues()
        object.become(handle: new.handle, storeIndex: storeIndex)
        if object.isFault || object.flags.contains(.inaccessible) {
            object.snapshot = nil
            return
        }
        object.translate(exchange)
        do {
            guard let row = try parentStore.currentRow(of: object.identity, in: self) else {
                return object.snapshot = object.layout.row(before, new, version: 1, exchange)
            }
            // A row that another writer saved in between is still a conflict.
            object.snapshot =
                isCurrent && showsCopied
                ? row : object.layout.row(before, new, version: row.version - (isCurrent ? 0 : 1), exchange)
        } catch {
            // That store's place was taken, too, which the context adopts next.
            let next = coordinator.exchanges.current.first { $0.old === exchange.new }?.version(of: new) ?? 1
            object.snapshot = object.layout.row(before, new, version: isCurrent ? next : next - 1, exchange)
        }
    }

    /// The version in the old store that an object is based on, for a child with what its parents know.
    private func knownVersion(of object: NSManagedObject, copied: Int64) -> Int64 {
        guard let parent else { return object.snapshotVersion }
        return parent.knownVersion(of: object.identity, after: object.snapshotVersion, present: copied)
    }

    /// Objects whose rows had gone get identities that no row has. Where the store gives none, they can't be saved.
    private func moveGone(_ objects: [NSManagedObject], _ storeIndex: UInt16, _ exchange: StoreExchange) {
        guard parent == nil, !objects.isEmpty else { return }
        let keys: [ObjectKey]
        let isOpen = coordinator.isOpen(exchange.new)
        if isOpen {
            // Without keys they stay what they are, and the next save says that their store has gone.
            keys = (try? coordinator.obtainPermanentKeys(for: objects, in: exchange.new, context: self)) ?? []
        } else {
            // Its place was taken, too, by one that gives them keys.
            keys = objects.map { ObjectKey(handle: TemporaryIdentity.next(), entityIndex: $0.key.entityIndex) }
        }
        guard keys.count == objects.count else { return }
        for (object, obtained) in zip(objects, keys) {
            let (before, old) = (object.snapshotRowValues(), object.key)
            let key = isOpen ? exchange.record(obtained, ofGone: old) : obtained
            object.become(handle: key.handle, storeIndex: storeIndex)
            if object.isFault { continue }
            object.translate(exchange)
            object.snapshot = object.layout.row(before, key, version: 1, exchange)
        }
    }

    /// Objects that have an ID, but were never saved, get one of the new store; where it gives none, a temporary one.
    private func identify(_ objects: [NSManagedObject], _ storeIndex: UInt16, _ exchange: StoreExchange) {
        if objects.isEmpty { return }
        // Where the store gives no keys, the objects get temporary identities, and permanent ones in the next save.
        let keys = try? coordinator.obtainPermanentKeys(for: objects, in: exchange.new, context: self)
        for (place, object) in objects.enumerated() {
            let old = object.key
            defer { exchange.record(object.key, ofUnsaved: old) }
            if let keys, keys.count == objects.count {
                object.become(handle: keys[place].handle, storeIndex: storeIndex)
            } else {
                object.become(handle: TemporaryIdentity.next(), storeIndex: 0)
            }
        }
    }
}

/// The values of objects and rows when another store has taken the place of theirs: they refer to rows by the identities that these have
/// in the new one.
extension NSManagedObject {
    /// Replaces the identities in the object's own row by the new ones.
    final func translate(_ exchange: StoreExchange) {
        guard let state else { return }
        layout.translate(&state.current, exchange)
        if case .row(var values) = state.eventBase {
            layout.translate(&values, exchange)
            state.eventBase = .row(values)
        }
    }
}

extension EntityLayout {
    func translate(_ values: inout ContiguousArray<FieldValue>, _ exchange: StoreExchange) {
        if values.isEmpty { return }
        for property in relationships where property.rowSlot >= 0 {
            guard case .reference(let key) = values[property.rowSlot], key.handle != StoreRowBuilder.unread,
                !TemporaryIdentity.isTemporary(key.handle)
            else { continue }
            values[property.rowSlot] = exchange[key].map { .reference($0) } ?? .null
        }
    }
}
