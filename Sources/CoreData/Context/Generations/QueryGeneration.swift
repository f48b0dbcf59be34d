@_spi(Engine) import CoreDataRows
import Foundation

// Safe: the queue of the context that is pinned changes it.
/// What contexts that are pinned together see: one state of each store, taken when the first of them reads.
final class QueryGeneration: @unchecked Sendable {
    private weak var coordinator: NSPersistentStoreCoordinator?
    private let lock = NSLock()
    private var pinned: [ObjectIdentifier: PinnedStore]?

    private struct PinnedStore {
        weak var store: NSPersistentStore?
        /// Nil for a store that can't keep a state, which is read as it is.
        let state: (any StoreGeneration)?
        /// The rows of that state: those that other contexts share may be newer.
        let rows = RowCache()
    }

    init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

    func belongs(to coordinator: NSPersistentStoreCoordinator) -> Bool { self.coordinator === coordinator }

    /// How a store is to be read.
    ///
    /// - Throws: what a store throws whose state can't be taken.
    func state(of store: NSPersistentStore) throws -> ReadView.State {
        try lock.withLock {
            let stores = try pinnedStores()
            guard let known = stores[ObjectIdentifier(store)], known.store === store else {
                return store.traits.contains(.servesGenerations) ? .absent : .present
            }
            return known.state.map { .pinned($0) } ?? .present
        }
    }

    /// The rows that have been read in this generation; nil for a store that is read as it is.
    func rowCache(of store: NSPersistentStore) -> RowCache? {
        lock.withLock {
            guard let known = pinned?[ObjectIdentifier(store)], known.store === store, known.state != nil else {
                return nil
            }
            return known.rows
        }
    }

    /// Takes the states now, where that wasn't done before.
    ///
    /// - Throws: what a store throws whose state can't be taken; the next read tries it again.
    func pin() throws { try lock.withLock { _ = try pinnedStores() } }

    private func pinnedStores() throws -> [ObjectIdentifier: PinnedStore] {
        if let pinned { return pinned }
        var stores: [ObjectIdentifier: PinnedStore] = [:]
        for store in coordinator?.persistentStores ?? [] {
            stores[ObjectIdentifier(store)] = PinnedStore(store: store, state: try store.makeGeneration())
        }
        pinned = stores
        return stores
    }
}

extension NSManagedObjectContext {
    /// What the context sees of a store.
    ///
    /// - Throws: what a store throws whose state can't be taken.
    func view(of store: NSPersistentStore) throws -> ReadView {
        ReadView(model: model, state: try generation?.state(of: store) ?? .present)
    }
}
