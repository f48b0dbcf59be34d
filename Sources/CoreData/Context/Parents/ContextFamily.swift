@_spi(Engine) import CoreDataRows
import ManagedObjectModel
import Synchronization

// Safe: the table is behind a lock.
/// What a root context and its children know in common: which permanent identities temporary ones have become.
///
/// A context may give an object its permanent identity while its children still know the temporary one; they take it
/// over when they next look something up. The family retains none of the identities: an identity lives as long as an
/// ID, an object or a page refers to it. The family lives as long as there are children. Thread-safe.
final class ContextFamily: @unchecked Sendable {
    private struct Entry {
        weak var identity: UnsavedIdentity?
    }

    private let lock = ExclusiveLock()
    private var entries: [Int64: Entry] = [:]
    private var sizeAtNextSweep = ContextFamily.smallestSweep
    private let changes = Atomic<Int>(0)

    private static let smallestSweep = 256

    /// Counts up with every identity that becomes permanent.
    var generation: Int { changes.load(ordering: .acquiring) }

    /// How many identities are remembered.
    var identityCount: Int { lock.withLock { entries.count } }

    /// The one identity that the family's contexts know an unsaved object by.
    func identity(of handle: Int64, in model: ModelLayout) -> UnsavedIdentity {
        lock.withLock {
            if let known = entries[handle]?.identity { return known }
            let identity = UnsavedIdentity(handle: handle, model: model)
            add(identity)
            return identity
        }
    }

    /// Makes an identity known that is older than the family, unless there is another one by now.
    func join(_ identity: UnsavedIdentity) {
        lock.withLock { if entries[identity.handle]?.identity == nil { add(identity) } }
    }

    /// - Parameters:
    ///   - known: the identity that the saved object's own ID has; it may be older than the family.
    ///   - isOfReplacement: whether the key is that of another object, which has taken the place of this one.
    func recordPermanentKey(
        of handle: Int64, _ known: UnsavedIdentity?, _ key: ObjectKey, in store: NSPersistentStore,
        isOfReplacement: Bool = false
    ) {
        let permanent = UnsavedIdentity.Permanent(store: store, key: key, isOfReplacement: isOfReplacement)
        known?.permanent = permanent
        lock.withLock {
            if let entered = entries[handle]?.identity {
                entered.permanent = permanent
            } else if let known {
                add(known)
            }
        }
        changes.add(1, ordering: .releasing)
    }

    /// Exchanges the identities of a store for those in the one that has taken its place.
    func follow(_ exchange: StoreExchange) {
        let identities = lock.withLock { entries.values.compactMap(\.identity) }
        for identity in identities {
            guard let known = identity.permanent, known.store === exchange.old, let key = exchange[known.key],
                !TemporaryIdentity.isTemporary(key.handle)
            else { continue }
            identity.permanent = UnsavedIdentity.Permanent(
                store: exchange.new, key: key, isOfReplacement: known.isOfReplacement)
        }
    }

    func permanentIdentity(of temporary: Int64) -> UnsavedIdentity.Permanent? {
        lock.withLock { entries[temporary]?.identity }?.permanent
    }

    private func add(_ identity: UnsavedIdentity) {
        entries[identity.handle] = Entry(identity: identity)
        guard entries.count >= sizeAtNextSweep else { return }
        entries = entries.filter { $0.value.identity != nil }
        sizeAtNextSweep = max(Self.smallestSweep, entries.count * 2)
    }
}

// Safe: the reference is behind a lock.
/// A context's way to its family, which its children keep alive.
final class FamilyLink: @unchecked Sendable {
    private let lock = ExclusiveLock()
    private weak var current: ContextFamily?
    private let exists = Atomic(false)
    /// What the context has saved and merged since it has children.
    let renewals = RenewedVersions()

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
        var replaced: [ReplacedObject] = []
        for object in registry.temporaryObjects() {
            // The family's follows a store that takes another one's place; that of an ID may be older than the family.
            func current() -> UnsavedIdentity.Permanent? {
                family.permanentIdentity(of: object.handle) ?? object.cachedID?.unsavedIdentity?.permanent
            }
            guard var identity = current() else { continue }
            if registry.knownIndex(of: identity.store) == nil {
                // To look for the store may tell the family of another one in its place.
                _ = storeIndex(of: identity.store)
                identity = current() ?? identity
            }
            let storeIndex = storeIndex(of: identity.store)
            if identity.isOfReplacement {
                replaced.append(ReplacedObject(object: object, key: identity.key, storeIndex: storeIndex))
            } else {
                object.become(handle: identity.key.handle, storeIndex: storeIndex)
            }
        }
        // Last of all, as it looks up others.
        replace(replaced)
    }
}

extension NSManagedObject {
    /// Takes on an identity that a store has given out.
    final func become(_ key: ObjectKey, in store: NSPersistentStore) {
        become(handle: key.handle, storeIndex: registry.index(of: store))
    }

    /// Exchanges the identity of an object that isn't registered for a temporary one. It is to be saved in the same store.
    final func takeNewIdentity() {
        if storeIndex != 0 { writableState.assignedStore = registry.store(at: storeIndex) }
        handle = TemporaryIdentity.next()
        storeIndex = 0
        cachedID = nil
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
