@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension NSPersistentStoreCoordinator {
    /// The ID of a URI's object, whether or not it is there; nil where none of the stores can have it under that entity.
    func objectID(of uri: ObjectURI) -> NSManagedObjectID? {
        guard let identifier = uri.storeIdentifier,
            let store = persistentStores.first(where: { $0.identifier == identifier }),
            let entity = layout.entity(named: uri.entityName), !entity.isAbstract,
            let handle = store.handle(ofReferenceText: uri.reference), !isOfAnotherEntity(handle, entity, in: store)
        else { return nil }
        return NSManagedObjectID(layout: entity, handle: handle, store: store)
    }

    /// Whether a store is known to have the row under another entity of the hierarchy, in which case an ID of this one would stand
    /// in the place of the row's own.
    func isOfAnotherEntity(_ handle: Int64, _ entity: EntityLayout, in store: NSPersistentStore) -> Bool {
        let root = entity.root
        guard root.lastDescendantIndex > root.index else { return false }
        // Where the store can't be read, reading the object says why.
        let found = try? ask(store) {
            try store.entityIndex(of: ObjectKey(handle: handle, entityIndex: root.index), in: layout)
        }
        return found.flatMap(\.self).map { $0 != entity.index } ?? false
    }
}
