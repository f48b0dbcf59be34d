@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Which object is meant, in whichever context of a stack.
struct ObjectIdentity {
    /// Nil while the identity is temporary.
    let store: NSPersistentStore?
    let key: ObjectKey
    let layout: EntityLayout
    /// What a temporary identity becomes, for as long as the object is on its way to another context.
    var unsaved: UnsavedIdentity?
}

/// An object as one context hands it to another: which one it is, and its row if there is one at hand.
struct ObjectCopy {
    let identity: ObjectIdentity
    let row: RowRef?
}

extension NSManagedObject {
    /// The identity within its store.
    final var key: ObjectKey { ObjectKey(handle: handle, entityIndex: layout.index) }

    final var identity: ObjectIdentity {
        // First, as it may bring the permanent identity.
        let unsaved = unsavedIdentity
        return ObjectIdentity(store: registry.store(at: storeIndex), key: key, layout: layout, unsaved: unsaved)
    }
}
