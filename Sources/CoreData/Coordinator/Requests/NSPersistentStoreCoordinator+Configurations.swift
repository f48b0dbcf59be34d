@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Which stores have objects of an entity: those whose configuration of the model has it.
extension NSPersistentStoreCoordinator {
    /// The stores that can have results of a fetch.
    func stores(for fetch: StoreFetch, affected: [NSPersistentStore]?) -> [NSPersistentStore] {
        stores(holding: fetch.entity, affected: affected)
    }

    func stores(holding entity: EntityLayout, affected: [NSPersistentStore]?) -> [NSPersistentStore] {
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
