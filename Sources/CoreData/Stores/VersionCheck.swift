@_spi(Engine) import CoreDataRows

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
