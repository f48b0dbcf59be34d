@_spi(Engine) import CoreDataRows
import Synchronization

// Safe: what changes is behind a lock.
/// The identity of one unsaved object, and what became of it.
///
/// Everything that can look the object up by its temporary identity later retains this: IDs, objects that don't have
/// their permanent identity yet, and pages whose rows lead to the object. When all of them have gone, no look-up is
/// possible, and the identity goes too.
final class UnsavedIdentity: IdentityDomain, @unchecked Sendable {
    // Safe: a value of constants, whose store may be used on any thread.
    struct Permanent: @unchecked Sendable {
        let store: NSPersistentStore
        let key: ObjectKey
        /// Whether it is that of another object, which has taken the place of the unsaved one.
        var isOfReplacement = false
    }

    let handle: Int64
    private let saved = Mutex<Permanent?>(nil)

    init(handle: Int64, model: ModelLayout) {
        self.handle = handle
        super.init(model: model, store: nil)
    }

    /// The identity that a store has given out for the object since.
    var permanent: Permanent? {
        get { saved.withLock { $0 } }
        set { saved.withLock { $0 = newValue } }
    }
}

extension NSManagedObjectID {
    /// What became of a temporary ID's object; nil for a permanent ID.
    var unsavedIdentity: UnsavedIdentity? { isTemporaryID ? domain as? UnsavedIdentity : nil }

    /// The ID that the object has by now: another one where a temporary ID is older than the save.
    final var current: NSManagedObjectID {
        guard let permanent = unsavedIdentity?.permanent else { return self }
        return NSManagedObjectID(layout: layout, handle: permanent.key.handle, store: permanent.store)
    }
}

extension NSManagedObject {
    /// The object's temporary identity, which it then keeps until it has a permanent one; nil where it has that already.
    final var unsavedIdentity: UnsavedIdentity? { storeIndex == 0 ? objectID.unsavedIdentity : nil }

    /// The value in a form that is valid without the row that it was read from. (The row retains the temporary
    /// identities that it leads to.)
    final func lasting(_ field: FieldValue) -> FieldValue {
        guard case .reference(let key) = field, TemporaryIdentity.isTemporary(key.handle),
            let context = ownContext
        else { return field }
        return .destination(context.object(for: key, storeIndex: 0))
    }
}
