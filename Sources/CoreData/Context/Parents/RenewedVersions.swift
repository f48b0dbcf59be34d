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
    }

    private let versions = Mutex<[Place: Int64]>([:])

    /// What is recorded where the version isn't known: whatever the store has then counts as merged.
    static let unknown = Int64.max

    private static func place(_ identity: ObjectIdentity) -> Place? {
        identity.store.map {
            Place(store: ObjectIdentifier($0), rootIndex: identity.layout.rootIndex, handle: identity.key.handle)
        }
    }

    func record(_ objects: some Sequence<(ObjectIdentity, Int64)>) {
        versions.withLock { versions in
            for (identity, version) in objects { if let place = Self.place(identity) { versions[place] = version } }
        }
    }

    func version(of identity: ObjectIdentity) -> Int64? {
        guard let place = Self.place(identity) else { return nil }
        return versions.withLock { $0[place] }
    }

    func forget() { versions.withLock { $0 = [:] } }
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
    func recordRenewed(_ merged: some Sequence<NSManagedObjectID>) {
        renewalsForChildren?.record(
            merged.filter { !$0.isTemporaryID }.map { id in
                let identity = ObjectIdentity(store: id.persistentStore, key: id.key, layout: id.layout)
                return (identity, RenewedVersions.unknown)
            })
    }

    /// The version of an object that the context or one above it has come to know by a save or a merge.
    fileprivate func renewedVersion(of identity: ObjectIdentity) -> Int64 {
        var version = Int64.min
        var level: NSManagedObjectContext? = self
        while let context = level {
            version = max(version, context.familyLink.renewals.version(of: identity) ?? .min)
            level = context.parent
        }
        return version
    }
}

extension NSManagedObject {
    /// Takes on the row that a child has read of the unchanged object, where others have saved the object since: the next save is to find
    /// the conflict that it would find if this context had kept what it read for the child.
    final func takeBase(of copy: NSManagedObject) {
        guard let context = ownContext, copy.snapshotPage != nil, !hasChanges else { return }
        let known = max(copy.snapshotVersion, context.renewedVersion(of: identity))
        guard snapshotVersion > known else { return }
        let values = copy.snapshotRowValues()
        // What the child has read of unsaved objects is no row of a store.
        let leadsToUnsaved = values.contains {
            if case .reference(let key) = $0 { TemporaryIdentity.isTemporary(key.handle) } else { false }
        }
        if !leadsToUnsaved { snapshot = layout.row(values, key, version: known) }
    }
}
