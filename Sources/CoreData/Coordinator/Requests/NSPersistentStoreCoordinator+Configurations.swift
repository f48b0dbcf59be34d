@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Which stores have objects of an entity: those whose configuration of the model has it.
extension NSPersistentStoreCoordinator {
    /// The stores that can have results of a fetch.
    func stores(for fetch: StoreFetch, affected: [NSPersistentStore]?) -> [NSPersistentStore] {
        stores(holding: fetch.entity, affected: affected)
    }

    private func stores(holding entity: EntityLayout, affected: [NSPersistentStore]?) -> [NSPersistentStore] {
        persistentStores.filter { store in
            if let affected, !affected.contains(where: { $0 === store }) { return false }
            return holds(entity, store)
        }
    }

    func holds(_ entity: EntityLayout, _ store: NSPersistentStore) -> Bool {
        guard let configuration = store.requestedConfiguration else { return true }
        let members = managedObjectModel.entities(forConfigurationName: configuration) ?? []
        var ancestor: EntityLayout? = entity
        while let layout = ancestor {
            if members.contains(where: { $0.name == layout.name }) { return true }
            ancestor = layout.superlayout
        }
        return false
    }

    /// The store that an inserted object goes to: the one it was assigned to, or the first writable one that takes its entity.
    func storeForInserting(_ object: NSManagedObject) throws -> NSPersistentStore {
        try object.state?.assignedStore ?? storeForInserting(object.layout)
    }

    /// The first writable store that takes objects of an entity.
    func storeForInserting(_ layout: EntityLayout, affected: [NSPersistentStore]? = nil) throws -> NSPersistentStore {
        let holders = stores(holding: layout, affected: affected)
        if let store = holders.first(where: { !$0.isReadOnly }) { return store }
        if let readOnly = holders.first { throw CoreDataError.readOnly(readOnly) }
        throw CoreDataError.noStore(for: layout)
    }

    /// The stores in which objects of an entity may have to be changed.
    ///
    /// - Throws: an error where there is none, or one of them is read-only.
    func storesForChanging(_ layout: EntityLayout, affected: [NSPersistentStore]?) throws -> [NSPersistentStore] {
        let holders = stores(holding: layout, affected: affected)
        if holders.isEmpty { throw CoreDataError.noStore(for: layout) }
        if let readOnly = holders.first(where: \.isReadOnly) { throw CoreDataError.readOnly(readOnly) }
        return holders
    }
}
