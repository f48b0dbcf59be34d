@_spi(Engine) import CoreDataRows
import ManagedObjectModel
import Synchronization

/// What a context with children has saved or merged of objects, and may have let go of since: a child's copy that is older is no sign
/// that somebody else has changed the object. Thread-safe.
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

    /// The versions of an object that came about by what the context has done or was told of.
    struct Span {
        /// The version before these. Who knows an older one only doesn't know what others have saved between the two.
        var start: Int64
        var end: Int64

        /// All that has led to a version, by a merge.
        static func upTo(_ end: Int64) -> Span { Span(start: .min, end: end) }

        /// A merge of what isn't looked up, as a store of the program's own may have to ask a server for it: it ends with the version that
        /// the store has when it is next asked for.
        static let open = Span.upTo(.max)
    }

    private let spans = Mutex<[Place: Span]>([:])

    /// A span that goes on where the one before ends is one with it.
    func record(_ objects: some Sequence<(ObjectIdentity, Span)>) {
        spans.withLock { spans in
            for (identity, span) in objects {
                guard let place = Place(identity) else { continue }
                let isContinued = spans[place].map { $0.start <= span.start && span.start <= $0.end } ?? false
                spans[place] = Span(start: isContinued ? spans[place]?.start ?? span.start : span.start, end: span.end)
            }
        }
    }

    /// The newest version of an object of which somebody who has read another one knows.
    ///
    /// - Parameter present: the version that the store has now.
    func version(of identity: ObjectIdentity, after read: Int64, present: Int64) -> Int64 {
        guard let place = Place(identity) else { return read }
        return spans.withLock { spans in
            guard let span = spans[place] else { return read }
            if span.end == Span.open.end { spans[place]?.end = present }
            guard read >= span.start else { return read }
            return max(read, min(span.end, present))
        }
    }

    func forget() { spans.withLock { $0 = [:] } }
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

    /// Records what the context has saved. A context that has a parent has made no new version.
    ///
    /// - Parameter areNew: whether they were inserted: what was brought back after a deletion has a version far from those before it.
    func recordRenewed(_ saved: ContiguousArray<NSManagedObject>, areNew: Bool) {
        guard parent == nil, let renewals = renewalsForChildren else { return }
        renewals.record(
            saved.lazy.map { object in
                let identity = object.identity
                let version = object.snapshotVersion
                // Another store than those of this package may count as it likes.
                let counts = !areNew && identity.store.map(self.readsManyCheaply) ?? false
                return (identity, counts ? .init(start: version - 1, end: version) : .upTo(version))
            })
    }

    /// Records what the context has merged, or the store has changed beside what was saved.
    ///
    /// - Parameter inserted: those that others have saved as new ones. No child has read an older version of what isn't registered.
    func recordRenewed(_ changed: [NSManagedObjectID], inserted: [NSManagedObjectID] = []) {
        guard let renewals = renewalsForChildren else { return }
        var found: [(ObjectIdentity, RenewedVersions.Span)] = []
        var missing: [ObjectIdentity] = []
        for (ids, areNew) in [(changed, false), (inserted, true)] {
            for id in ids where !id.isTemporaryID {
                let identity = ObjectIdentity(store: id.persistentStore, key: id.key, layout: id.layout)
                if let version = versionInMemory(of: identity) {
                    found.append((identity, .upTo(version)))
                } else if !areNew {
                    missing.append(identity)
                }
            }
        }
        let isAsked = Dictionary(grouping: missing) { $0.store.map(readsManyCheaply) ?? false }
        found += (isAsked[false] ?? []).map { ($0, .open) }
        if let asked = isAsked[true] {
            // What can't be read isn't known either: a child's change of it is a conflict.
            let rows = (try? parentStore.currentRows(of: asked, in: self)) ?? []
            found += zip(asked, rows).compactMap { identity, row in row.map { (identity, .upTo($0.version)) } }
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

    /// The newest version of an object of which a child knows that has read another one: by what this context, or one above it, has
    /// saved or merged since.
    func knownVersion(of identity: ObjectIdentity, after read: Int64, present: Int64) -> Int64 {
        var known = read
        while true {
            let before = known
            var level: NSManagedObjectContext? = self
            while let context = level {
                known = context.familyLink.renewals.version(of: identity, after: known, present: present)
                level = context.parent
            }
            if known == before { return known }
        }
    }
}
