import ManagedObjectModel
import Synchronization

/// What a root context and its children know in common: which permanent identities temporary ones have become.
///
/// A context may give an object its permanent identity while its children still know the temporary one; they take it over
/// when they next look something up. The family lasts as long as there are children. Thread-safe.
final class ContextFamily: @unchecked Sendable {
    struct PermanentIdentity {
        let store: NSPersistentStore
        let key: ObjectKey
    }

    private let lock = ExclusiveLock()
    private var identities: [Int64: PermanentIdentity] = [:]
    private let changes = Atomic<Int>(0)

    /// Counts up with every identity that becomes permanent.
    var generation: Int { changes.load(ordering: .acquiring) }

    func note(temporary handle: Int64, became key: ObjectKey, in store: NSPersistentStore) {
        lock.withLock { identities[handle] = PermanentIdentity(store: store, key: key) }
        changes.add(1, ordering: .releasing)
    }

    func permanentIdentity(of temporary: Int64) -> PermanentIdentity? { lock.withLock { identities[temporary] } }
}

/// A context's way to its family, which its children keep alive.
final class FamilyLink: @unchecked Sendable {
    private let lock = ExclusiveLock()
    private weak var current: ContextFamily?
    private let exists = Atomic(false)

    /// The family, if the context has or had children.
    var family: ContextFamily? { exists.load(ordering: .acquiring) ? lock.withLock { current } : nil }

    /// Whether any change may have to be shown by a child.
    @inline(__always)
    var hadChildren: Bool { exists.load(ordering: .relaxed) }

    /// The family that a new child joins.
    func join(_ existing: ContextFamily?) -> ContextFamily {
        lock.withLock {
            let family = existing ?? current ?? ContextFamily()
            current = family
            exists.store(true, ordering: .releasing)
            return family
        }
    }
}

extension NSManagedObjectContext {
    /// What the context, its parents and its children know in common; nil where it has neither parent nor children.
    var family: ContextFamily? { storedParentStore?.family ?? familyLink.family }

    /// Takes over the permanent identities that objects of this context have got in a parent.
    func adoptPermanentIdentities() {
        guard let family = storedParentStore?.family else { return }
        let generation = family.generation
        guard generation != knownIdentities else { return }
        knownIdentities = generation
        for object in registry.temporaryObjects() {
            guard let identity = family.permanentIdentity(of: object.handle) else { continue }
            object.become(identity.key, in: identity.store)
        }
    }
}

extension NSManagedObject {
    /// Takes on an identity that a store has given out.
    final func become(_ key: ObjectKey, in store: NSPersistentStore) {
        become(handle: key.handle, storeIndex: registry.index(of: store))
    }

    /// Exchanges the identity for another one: the registry knows the object by it.
    final func become(handle: Int64, storeIndex: UInt16) {
        registry.unregister(self)
        self.handle = handle
        self.storeIndex = storeIndex
        cachedID = nil
        registry.register(self)
    }
}
