import CoreData
import Foundation
import Synchronization

/// What a context says that its saves have changed, gathered from its notifications.
final class RecordedSaves: Sendable {
    /// A row, by the table that its hierarchy shares.
    struct Key: Hashable, Sendable {
        var table: String
        var key: Int64
    }

    struct Changes: Sendable {
        var inserted: Set<Key> = []
        var deleted: Set<Key> = []
        /// How many saves have changed a row.
        var updates: [Key: Int64] = [:]
        var touched: Set<URL> = []
    }

    private let recorded = Mutex(Changes())
    /// The objects of the save that is under way whose rows are going to be written: those that differ from what was saved.
    private let differing = Mutex<Set<ObjectIdentifier>>([])

    var changes: Changes { recorded.withLock { $0 } }

    func observe(_ context: NSManagedObjectContext) -> [NSObjectProtocol] {
        let before = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.willSaveObjectsNotification, object: context, queue: nil
        ) { [self] notification in
            let updated = (notification.object as? NSManagedObjectContext)?.updatedObjects ?? []
            let found = Set(updated.filter(\.hasPersistentChangedValues).map { ObjectIdentifier($0) })
            differing.withLock { $0 = found }
        }
        let after = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didSaveObjectsNotification, object: context, queue: nil
        ) { [self] notification in
            func objects(_ key: String, only chosen: Set<NSManagedObject>? = nil) -> [(Key, URL)] {
                (chosen ?? notification.userInfo?[key] as? Set<NSManagedObject> ?? []).map { object in
                    let table = "Z" + PlainLayout.root(of: object.entity).name!.uppercased()
                    return (Key(table: table, key: object.rowKey), object.objectID.uriRepresentation())
                }
            }
            let inserted = objects(NSInsertedObjectsKey)
            let differing = differing.withLock { $0 }
            let written = (notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? [])
                .filter { differing.contains(ObjectIdentifier($0)) }
            let updated = objects(NSUpdatedObjectsKey, only: written)
            let deleted = objects(NSDeletedObjectsKey)
            recorded.withLock { changes in
                changes.inserted.formUnion(inserted.map(\.0))
                changes.deleted.formUnion(deleted.map(\.0))
                for (key, _) in updated { changes.updates[key, default: 0] += 1 }
                changes.touched.formUnion((inserted + updated).map(\.1))
                changes.touched.subtract(deleted.map(\.1))
            }
        }
        return [before, after]
    }
}
