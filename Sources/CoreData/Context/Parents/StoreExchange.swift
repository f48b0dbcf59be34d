@_spi(Engine) import CoreDataRows
import FoundationCompat
import ManagedObjectModel
import Synchronization

// Safe: what it holds is constant, but for the contexts, which are behind a lock.
/// A store that has taken another one's place, and the identities that the old one's objects have in it.
final class StoreExchange: @unchecked Sendable {
    let old: NSPersistentStore
    let new: NSPersistentStore
    /// The identities in the new store by those in the old one.
    let identities: IdentityMap<ObjectKey>
    /// The contexts whose objects have them.
    private let adopters = Mutex<Set<ObjectIdentifier>>([])

    init(old: NSPersistentStore, new: NSPersistentStore, identities: IdentityMap<ObjectKey>) {
        self.old = old
        self.new = new
        self.identities = identities
    }

    fileprivate func isNew(to context: NSManagedObjectContext) -> Bool {
        adopters.withLock { $0.insert(ObjectIdentifier(context)).inserted }
    }
}

/// The exchanges of a coordinator's stores of which some context may not know yet. They live until every context has been told.
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
    /// Faults stay faults, and unsaved changes stay. An object that isn't in the new store, since its row had gone, keeps
    /// its old identity. To be called on the context's queue.
    ///
    /// - Returns: whether they hadn't got them yet.
    @discardableResult
    func adopt(_ exchange: StoreExchange) -> Bool {
        guard exchange.isNew(to: self) else { return false }
        let (oldIndex, newIndex) = (registry.index(of: exchange.old), registry.index(of: exchange.new))
        var unsaved: [NSManagedObject] = []
        for object in registry.allObjects() {
            if let state = object.state, state.assignedStore === exchange.old { state.assignedStore = exchange.new }
            guard object.storeIndex == oldIndex else { continue }
            if object.wasNeverSaved {
                unsaved.append(object)
                continue
            }
            guard let new = exchange.identities[object.key] else { continue }
            move(object, from: object.key, to: new, newIndex, exchange)
        }
        identify(unsaved, newIndex, exchange)
        // They hold values that lead to objects by their old identities.
        undoManager?.removeAllActions(withTarget: self)
        return true
    }

    /// Adopts what has taken a store's place while the context's queue was busy, so that what has met the old store's absence can be
    /// tried again.
    ///
    /// - Returns: whether there was any.
    @discardableResult
    func adoptExchanges() -> Bool {
        guard let coordinator = persistentStoreCoordinator else { return false }
        return coordinator.exchanges.current.reduce(false) { adopt($1) || $0 }
    }

    /// Does something once more where it has met the absence of a store that another queue has changed for another one meanwhile.
    func followingExchanges<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            guard adoptExchanges() else { throw error }
            return try followingExchanges(body)
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
        let isCurrent =
            switch exchange.old.rowCache.newest(old, root: object.layout.root) {
            case .row(let newest): newest.version == object.snapshotVersion
            // Other contexts may have moved before, so that nothing retains the page any more.
            case .gone(let version): version == object.snapshotVersion
            case .elsewhere, .deleted: false
            case .unknown: true
            }
        let before = object.snapshotRowValues()
        object.become(handle: new.handle, storeIndex: storeIndex)
        if object.isFault || object.flags.contains(.inaccessible) {
            object.snapshot = nil
            return
        }
        object.translate(exchange.identities)
        do {
            guard let row = try parentStore.currentRow(of: object.identity, in: self) else {
                return object.snapshot = nil
            }
            // A row that another writer saved in between is still a conflict.
            object.snapshot =
                isCurrent
                ? row : object.layout.row(before, new, version: row.version - 1, exchange.identities)
        } catch {
            object.snapshot = object.layout.row(before, new, version: 1, exchange.identities)
        }
    }

    /// Objects that have an ID, but were never saved, get one of the new store; where it gives none, a temporary one.
    private func identify(_ objects: [NSManagedObject], _ storeIndex: UInt16, _ exchange: StoreExchange) {
        if objects.isEmpty { return }
        for object in objects { object.translate(exchange.identities) }
        // Where the store gives no keys, the objects get temporary identities, and permanent ones in the next save.
        let keys = try? coordinator.obtainPermanentKeys(for: objects, in: exchange.new, context: self)
        for (place, object) in objects.enumerated() {
            if let keys, keys.count == objects.count {
                object.become(handle: keys[place].handle, storeIndex: storeIndex)
            } else {
                object.become(handle: TemporaryIdentity.next(), storeIndex: 0)
            }
        }
    }
}

extension NSManagedObject {
    /// Replaces the identities in the object's own row by the new ones.
    fileprivate final func translate(_ identities: IdentityMap<ObjectKey>) {
        guard let state else { return }
        layout.translate(&state.current, identities)
        if case .row(var values) = state.eventBase {
            layout.translate(&values, identities)
            state.eventBase = .row(values)
        }
    }
}

extension EntityLayout {
    fileprivate func translate(_ values: inout ContiguousArray<FieldValue>, _ identities: IdentityMap<ObjectKey>) {
        if values.isEmpty { return }
        for property in relationships where property.rowSlot >= 0 {
            guard case .reference(let key) = values[property.rowSlot], key.handle != StoreRowBuilder.unread else {
                continue
            }
            values[property.rowSlot] = identities[key].map { .reference($0) } ?? .null
        }
    }

    /// Makes a page of one row for values that were read from the old store.
    fileprivate func row(
        _ values: ContiguousArray<FieldValue>, _ key: ObjectKey, version: Int64, _ identities: IdentityMap<ObjectKey>
    ) -> RowRef {
        var values = values
        translate(&values, identities)
        let page = RowPage(model: model, slotCount: rowSlotCount, capacity: 1)
        page.appendRow(handle: key.handle, entityIndex: index, version: version)
        for property in storedLeaves { page.setValue(values[property.rowSlot], of: property) }
        return RowRef(page: page, row: 0)
    }
}
