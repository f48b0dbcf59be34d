import Foundation

extension Notification.Name {
    /// Posted when a context has processed changes; the user info has sets of objects.
    public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
        "NSObjectsChangedInManagingContextNotification")
    /// Posted before a context saves. It has no user info; observers may still make changes.
    public static let NSManagedObjectContextWillSave = Notification.Name("NSManagingContextWillSaveChangesNotification")
    /// Posted after a context has saved; the user info has sets of objects.
    public static let NSManagedObjectContextDidSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
    /// Posted after a context has saved; the user info has sets of object IDs.
    public static let NSManagedObjectContextDidSaveObjectIDs = Notification.Name(
        "NSManagedObjectContextDidSaveObjectIDsNotification")
    /// Posted after a context has taken over what another one saved; the user info has sets of object IDs.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = Notification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

/// The key of the inserted objects in a context's notifications.
public let NSInsertedObjectsKey = "inserted"
/// The key of the updated objects in a context's notifications.
public let NSUpdatedObjectsKey = "updated"
/// The key of the deleted objects in a context's notifications.
public let NSDeletedObjectsKey = "deleted"
/// The key of the objects that were refreshed but not changed.
public let NSRefreshedObjectsKey = "refreshed"
/// The key of the objects that are no longer what they were.
public let NSInvalidatedObjectsKey = "invalidated"
/// The key that says that all objects are invalid, with their IDs.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// The key of the IDs of the inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The key of the IDs of the updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The key of the IDs of the deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The key of the IDs of the objects that were refreshed but not changed.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The key of the IDs of the objects that are no longer what they were.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

extension NSManagedObjectContext {
    /// Posted when the context has processed changes.
    public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
    /// Posted before the context saves.
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    /// Posted after the context has saved.
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    /// Posted after the context has saved, with IDs in place of objects.
    public static let didSaveObjectIDsNotification = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
    /// Posted after the context has taken over what another one saved, with IDs.
    public static let didMergeChangesObjectIDsNotification =
        Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

    /// The keys of the user info of a context's notifications.
    public enum NotificationKey: String, Sendable {
        /// The context that changed or was saved.
        case sourceContext = "managedObjectContext"
        /// The query generation of the context after its save.
        case queryGeneration = "newQueryGeneration"
        /// All objects of the context are invalid, as after a reset.
        case invalidatedAllObjects = "invalidatedAll"
        /// The objects that were inserted.
        case insertedObjects = "inserted"
        /// The objects that were changed.
        case updatedObjects = "updated"
        /// The objects that were deleted.
        case deletedObjects = "deleted"
        /// The objects that were refreshed and had no unsaved changes.
        case refreshedObjects = "refreshed"
        /// The objects whose values are no longer valid.
        case invalidatedObjects = "invalidated"
        /// The IDs of the objects that were inserted.
        case insertedObjectIDs = "inserted_objectIDs"
        /// The IDs of the objects that were changed.
        case updatedObjectIDs = "updated_objectIDs"
        /// The IDs of the objects that were deleted.
        case deletedObjectIDs = "deleted_objectIDs"
        /// The IDs of the objects that were refreshed.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// The IDs of the objects whose values are no longer valid.
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }
}

/// Posts a context's notifications, on the thread that the context is used on.
enum ContextNotifications {
    /// - Parameter areMerged: whether the changes are others', which Apple's says by a key that it doesn't document (seen in public
    ///   code, which looks whether it is there).
    static func postDidChange(_ sets: ChangeSets, areMerged: Bool, in context: NSManagedObjectContext) {
        var info = objects(sets, in: context)
        if areMerged {
            let merged = [sets.refreshed, sets.inserted, sets.updated, sets.deleted].filter { !$0.isEmpty }
            // One set as a rule, which then isn't copied.
            info["NSObjectsChangedByMergeChangesKey"] = merged.dropFirst().reduce(merged.first ?? []) { $0.union($1) }
        }
        post(.NSManagedObjectContextObjectsDidChange, info, in: context)
    }

    /// Posts which objects are invalid because their store was removed.
    static func postInvalidated(_ objects: Set<NSManagedObject>, in context: NSManagedObjectContext) {
        post(
            .NSManagedObjectContextObjectsDidChange,
            [NSInvalidatedObjectsKey: objects, "managedObjectContext": context], in: context)
    }

    /// Posts that all objects are invalid.
    static func postInvalidatedAll(_ ids: [NSManagedObjectID], in context: NSManagedObjectContext) {
        post(
            .NSManagedObjectContextObjectsDidChange,
            [NSInvalidatedAllObjectsKey: ids, "managedObjectContext": context], in: context)
    }

    static func postWillSave(in context: NSManagedObjectContext) {
        post(.NSManagedObjectContextWillSave, nil, in: context)
    }

    /// - Parameter historyToken: the save's place in the history of its stores, which Apple's puts there under a name that it
    ///   doesn't document (seen in public code).
    static func postDidSave(
        _ sets: ChangeSets, historyToken: NSPersistentHistoryToken?, in context: NSManagedObjectContext
    ) {
        // The state that a pinned context sees from now on.
        let generation = context.queryGenerationToken.map {
            [NSManagedObjectContextQueryGenerationKey as AnyHashable: $0]
        }
        func info(_ info: [AnyHashable: Any]) -> [AnyHashable: Any] {
            info.merging(generation ?? [:]) { first, _ in first }
        }
        var saved = info(objects(sets, in: context))
        if let historyToken { saved["newChangeToken"] = historyToken }
        post(.NSManagedObjectContextDidSave, saved, in: context)
        post(
            NSManagedObjectContext.didSaveObjectIDsNotification, info(ids(SavedObjectIDs(sets), in: context)),
            in: context)
    }

    /// - Parameter refreshed: the objects of the context that the merge has changed.
    static func postDidMerge(
        _ saved: SavedObjectIDs, refreshed: [NSManagedObjectID], in context: NSManagedObjectContext
    ) {
        var info = ids(saved, in: context)
        if !refreshed.isEmpty {
            info[NSManagedObjectContext.NotificationKey.refreshedObjectIDs.rawValue] = Set(refreshed)
        }
        post(NSManagedObjectContext.didMergeChangesObjectIDsNotification, info, in: context)
    }

    private static func ids(_ saved: SavedObjectIDs, in context: NSManagedObjectContext) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = ["managedObjectContext": context]
        func add(_ ids: [NSManagedObjectID], _ key: NSManagedObjectContext.NotificationKey) {
            if !ids.isEmpty { info[key.rawValue] = Set(ids) }
        }
        add(saved.inserted, .insertedObjectIDs)
        add(saved.updated, .updatedObjectIDs)
        add(saved.deleted, .deletedObjectIDs)
        return info
    }

    private static func objects(_ sets: ChangeSets, in context: NSManagedObjectContext) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = ["managedObjectContext": context]
        if !sets.inserted.isEmpty { info[NSInsertedObjectsKey] = sets.inserted }
        if !sets.updated.isEmpty { info[NSUpdatedObjectsKey] = sets.updated }
        if !sets.deleted.isEmpty { info[NSDeletedObjectsKey] = sets.deleted }
        if !sets.refreshed.isEmpty { info[NSRefreshedObjectsKey] = sets.refreshed }
        return info
    }

    private static func post(_ name: Notification.Name, _ info: [AnyHashable: Any]?, in context: NSManagedObjectContext)
    {
        NotificationCenter.default.post(name: name, object: context, userInfo: info)
    }
}
