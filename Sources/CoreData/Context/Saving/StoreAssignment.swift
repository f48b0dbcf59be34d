@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

// Which store takes a new object: the one that the program says, or that of an object which it is related to, or the first that takes
// its entity.

extension NSManagedObjectContext {
    /// Assigns an object that was never saved to a store (Apple: `assign(_:to:)`).
    func setStore(_ store: NSPersistentStore, ofNew object: Any) {
        guard let object = object as? NSManagedObject, object.wasNeverSaved else {
            fatalError("Can't assign an object to a store once it has been saved.")
        }
        object.writableState.assignedStore = store
    }

    /// Finds the store of each new object.
    ///
    /// - Parameter spansStores: whether there are several, so that an object goes where those are that it is related to.
    /// - Throws: an error that names the entity when no store takes it.
    func storesForInserting(_ new: [NSManagedObject], spansStores: Bool) throws
        -> [(store: NSPersistentStore, objects: [NSManagedObject])]
    {
        var byStore: [(store: NSPersistentStore, objects: [NSManagedObject])] = []
        // Objects of one entity mostly come one after the other, and go to one store.
        var last: (layout: EntityLayout, place: Int)?
        for object in new {
            if spansStores { object.followRelatedObjects() }
            let isAssigned = object.state?.assignedStore != nil
            if !isAssigned, let last, last.layout === object.layout {
                byStore[last.place].objects.append(object)
                continue
            }
            let store = try coordinator.storeForInserting(object)
            let place = byStore.firstIndex { $0.store === store } ?? byStore.count
            if place == byStore.count { byStore.append((store, [])) }
            byStore[place].objects.append(object)
            last = isAssigned ? nil : (object.layout, place)
        }
        return byStore
    }
}

extension NSManagedObject {
    /// Assigns the object to the store of an object that it refers to, unless it was assigned to one.
    fileprivate final func followRelatedObjects() {
        guard state?.assignedStore == nil else { return }
        for property in layout.relationships {
            let destinations = destinations(of: property)
            if let store = destinations.lazy.compactMap(\.savedStore).first(where: {
                !$0.isReadOnly && ownContext?.coordinator.holds(layout, $0) == true
            }) {
                writableState.assignedStore = store
                return
            }
        }
    }
}

extension NSPersistentStoreCoordinator {
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
}
