import Foundation
@_spi(Engine) import CoreDataRows

extension NSIncrementalStore {
    /// Compares the versions of the objects of a save with those that the store has now: what most stores begin a save with.
    ///
    /// An addition to Apple's API. What is to be updated or deleted and what was locked is asked for by
    /// ``newValuesForObjects(with:with:)``, all at once. The versions of the nodes must be those in the store, not in a cache.
    ///
    /// - Throws: `NSManagedObjectMergeError` with an `NSMergeConflict` for each object that has another version or has gone,
    ///   which the context's merge policy then resolves; and what reading the objects throws.
    public final func checkVersions(of request: NSSaveChangesRequest, with context: NSManagedObjectContext?) throws {
        let objects = (request.updatedObjects ?? []).union(request.deletedObjects ?? [])
            .union(request.lockedObjects ?? [])
        guard !objects.isEmpty, let context else { return }
        let nodes = try newValuesForObjects(with: objects.map(\.objectID), with: context)
        let versions = Dictionary(nodes.map { ($0.objectID, $0.version) }) { first, _ in first }
        let conflicts = objects.compactMap { object -> NSMergeConflict? in
            let (now, known) = (versions[object.objectID] ?? 0, version(of: object))
            guard now != known else { return nil }
            return NSMergeConflict(
                source: object, newVersion: Int(clamping: now), oldVersion: Int(clamping: known), cachedSnapshot: nil,
                persistedSnapshot: nil)
        }
        if !conflicts.isEmpty {
            throw CoreDataError.make(
                NSManagedObjectMergeError,
                "Could not save: others have changed what is to be saved.\n"
                    + conflicts.prefix(20).map { "  - \($0)" }.joined(separator: "\n"),
                [NSPersistentStoreSaveConflictsErrorKey: conflicts])
        }
    }
}

/// Optimistic locking for stores that don't compare versions themselves: against the newest rows in the cache.
enum VersionCheck {
    /// - Throws: ``StoreConflicts`` with every object that another context has saved since this one read it.
    static func check(_ changes: StoreChanges, in store: NSPersistentStore) throws {
        var conflicts: [StoreConflict] = []
        for object in changes.updated + changes.deleted + changes.locked {
            guard let newest = store.rowCache.row(for: object.savedKey, root: object.layout.root),
                newest.version > object.snapshotVersion
            else { continue }
            conflicts.append(StoreConflict(object: object, persisted: newest))
        }
        if !conflicts.isEmpty { throw StoreConflicts(conflicts: conflicts) }
    }
}
