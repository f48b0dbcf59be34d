import Foundation
import FoundationCompat

/// What says that properties such as `hasChanges` may have changed, for those who observe them (Apple's page of `hasChanges`:
/// the property is key-value observable).

extension NSManagedObjectContext: StateAnnouncing {
    package final var stateAnnouncements: [(name: Notification.Name, object: AnyObject?)] {
        [Self.didChangeObjectsNotification, Self.didSaveObjectsNotification].map { ($0, self) }
    }
}

extension NSManagedObject: StateAnnouncing {
    package final var stateAnnouncements: [(name: Notification.Name, object: AnyObject?)] {
        managedObjectContext?.stateAnnouncements ?? []
    }
}

extension NSPersistentStoreCoordinator: StateAnnouncing {
    package final var stateAnnouncements: [(name: Notification.Name, object: AnyObject?)] {
        [(.NSPersistentStoreCoordinatorStoresDidChange, self)]
    }
}
