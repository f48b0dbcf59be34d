@_spi(Engine) import CoreDataRows
import ManagedObjectModel
import Synchronization

/// The versions of objects that a context with children has saved or merged, and may have let go of since: a child's copy that is older
/// is no sign that somebody else has changed the object. Thread-safe.
final class RenewedVersions: Sendable {
    private struct Place: Hashable {
        let store: ObjectIdentifier
        let rootIndex: Int
        let handle: Int64

        init?(_ identity: ObjectIdentity) {
            guard let store = identity.store else { return nil }
            self.store = ObjectIdentifier(store)
            rootIndex = identity.layout.rootIndex
            handle = identity.key.handle
        }
    }

    /// Stands for the version that the store has when it is next asked for: that of a store of the program's own, which may have to
    /// ask a server, isn't looked up by a merge.
    static let next = Int64.max

    private struct Renewal {
        let key: ObjectKey
        var version: Int64
    }

    private let renewals = Mutex<[Place: Renewal]>([:])

    func record(_ objects: some Sequence<(ObjectIdentity, Int64)>) {
        renewals.withLock { renewals in
            for (identity, version) in objects {
                if let place = Place(identity) { renewals[place] = Renewal(key: identity.key, version: version) }
            }
        }
    }

    /// - Parameter present: the version that the store has now.
    func version(of identity: ObjectIdentity, present: Int64) -> Int64? {
        guard let place = Place(identity) else { return nil }
        return renewals.withLock { renewals in
            if renewals[place]?.version == Self.next { renewals[place]?.version = present }
            return renewals[place]?.version
        }
    }

    /// What was known of an object as the old store had it when it was copied is known of its first version in the new one.
    func follow(_ exchange: StoreExchange, in model: ModelLayout) {
        renewals.withLock { renewals in
            var followed: [Place: Renewal] = [:]
            for (place, renewal) in renewals {
                guard place.store == ObjectIdentifier(exchange.old) else {
                    followed[place] = renewal
                    continue
                }
                guard let key = exchange[renewal.key], let copied = exchange.version(of: renewal.key),
                    copied <= renewal.version,
                    let new = Place(
                        ObjectIdentity(store: exchange.new, key: key, layout: model.entities[Int(key.entityIndex)]))
                else { continue }
                let isToCome = renewal.version == Self.next
                followed[new] = Renewal(key: key, version: isToCome ? Self.next : Self.first)
            }
            renewals = followed
        }
    }

    /// The version of a row that a copy of a store has written.
    private static let first: Int64 = 1

    func forget() { renewals.withLock { $0 = [:] } }
}

extension NSManagedObjectContext {
    /// Nil where there is no child that could have read anything.
    private var renewalsForChildren: RenewedVersions? {
        guard familyLink.hadChildren else { return nil }
        if familyLink.family == nil {
            familyLink.renewals.forget()
            return nil
        }
        return familyLink.renewals
    }

    /// Records what the context has saved.
    func recordRenewed(_ saved: ContiguousArray<NSManagedObject>) {
        renewalsForChildren?.record(saved.lazy.map { ($0.identity, $0.snapshotVersion) })
    }

    /// Records what the context has merged, or the store has changed beside what was saved.
    ///
    /// - Parameter inserted: those that others have saved as new ones. No child has read an older version of what isn't registered.
    func recordRenewed(_ changed: [NSManagedObjectID], inserted: [NSManagedObjectID] = []) {
        guard let renewals = renewalsForChildren else { return }
        var found: [(ObjectIdentity, Int64)] = []
        var missing: [ObjectIdentity] = []
        for (ids, areNew) in [(changed, false), (inserted, true)] {
            for id in ids where !id.isTemporaryID {
                let identity = ObjectIdentity(store: id.persistentStore, key: id.key, layout: id.layout)
                if let version = versionInMemory(of: identity) {
                    found.append((identity, version))
                } else if !areNew {
                    missing.append(identity)
                }
            }
        }
        let isAsked = Dictionary(grouping: missing) { $0.store.map(readsManyCheaply) ?? false }
        found += (isAsked[false] ?? []).map { ($0, RenewedVersions.next) }
        if let asked = isAsked[true] {
            // What can't be read isn't known either: a child's change of it is a conflict.
            let rows = (try? parentStore.currentRows(of: asked, in: self)) ?? []
            found += zip(asked, rows).compactMap { identity, row in row.map { (identity, $0.version) } }
        }
        renewals.record(found)
    }

    /// The version that the context has of an object, or of its own row that is in memory; nil where the store is to be asked.
    private func versionInMemory(of identity: ObjectIdentity) -> Int64? {
        let (key, storeIndex) = registration(of: identity)
        if let object = registeredObject(for: key, layout: identity.layout, storeIndex: storeIndex),
            object.snapshotPage != nil, !object.isFault
        {
            return object.snapshotVersion
        }
        guard parent == nil, let store = identity.store else { return nil }
        switch store.rowCache.newest(identity.key, root: identity.layout.root) {
        case .row(let row): return row.version
        case .gone(let version): return version
        case .elsewhere, .deleted, .unknown: return nil
        }
    }

    /// The version of an object that the context or one above it has come to know by a save or a merge.
    func renewedVersion(of identity: ObjectIdentity, present: Int64) -> Int64 {
        var version = Int64.min
        var level: NSManagedObjectContext? = self
        while let context = level {
            version = max(version, context.familyLink.renewals.version(of: identity, present: present) ?? .min)
            level = context.parent
        }
        return version
    }
}
