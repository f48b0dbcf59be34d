import Foundation

/// The key of the stores that were added.
public let NSAddedPersistentStoresKey = "added"
/// The key of the stores that were removed.
public let NSRemovedPersistentStoresKey = "removed"
/// The key of a store that became another: the old one, the new one, and the IDs.
public let NSUUIDChangedPersistentStoresKey = "changedUUIDs"

extension NSPersistentStoreCoordinator {
    /// Posted before stores in iCloud are added or removed, with the same user info as the one after: never on Linux, where there
    /// are none (seen in tests of CoreDataPlus).
    static let storesWillChangeNotification = Notification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// Posted before a store leaves the coordinator. Its object is the store, and there is no user info (seen in the library
    /// CoreDataPlus, which relies on it; Apple's page names the coordinator).
    static let willRemoveStoreNotification = Notification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    /// Posted after stores were added, removed or exchanged.
    static let storesDidChangeNotification = Notification.Name(
        "NSPersistentStoreCoordinatorStoresDidChangeNotification")
}

extension Notification.Name {
    /// Posted before a coordinator's stores change.
    public static let NSPersistentStoreCoordinatorStoresWillChange =
        NSPersistentStoreCoordinator.storesWillChangeNotification
    /// Posted before a store leaves its coordinator.
    public static let NSPersistentStoreCoordinatorWillRemoveStore =
        NSPersistentStoreCoordinator.willRemoveStoreNotification
    /// Posted after a coordinator's stores have changed.
    public static let NSPersistentStoreCoordinatorStoresDidChange =
        NSPersistentStoreCoordinator.storesDidChangeNotification
}
