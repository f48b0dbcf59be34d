@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

// The properties of the framework's own classes that Apple's pages call observable, such as whether a context has changes.

extension NSManagedObjectContext: NotifyingOfChanges {
    static let notificationsOfChanges: [Notification.Name] = [
        .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidSave,
    ]

    /// The context's own properties are looked at when it has processed changes, or saved.
    package func occasions(forKey key: String?) -> ChangeOccasions? {
        key == nil ? .notifications(Self.notificationsOfChanges, of: self) : nil
    }
}

extension NSManagedObject: NotifyingOfChanges {
    /// What an object has beside the model's properties is looked at when its context has processed changes, or saved.
    package func occasions(forKey key: String?) -> ChangeOccasions? {
        // What is inherited has no name as a key path of a subclass.
        if let key, layout.property(named: key) != nil || !Self.unmodeledKeys.contains(key) { return nil }
        return ownContext.map { .notifications(NSManagedObjectContext.notificationsOfChanges, of: $0) } ?? .never
    }

    /// Makes the key paths known to what every managed object has. Evaluated once.
    static let unmodeledKeyPaths: Void = KeyPathNames.register(later: {
        [
            \NSManagedObject.objectID: "objectID", \NSManagedObject.entity: "entity",
            \NSManagedObject.hasChanges: "hasChanges", \NSManagedObject.isInserted: "isInserted",
            \NSManagedObject.isUpdated: "isUpdated", \NSManagedObject.isDeleted: "isDeleted",
            \NSManagedObject.isFault: "isFault", \NSManagedObject.managedObjectContext: "managedObjectContext",
        ]
    })
}

extension NSPersistentStoreCoordinator: NotifyingOfChanges {
    /// The coordinator's own properties are looked at when stores have come or gone.
    package func occasions(forKey key: String?) -> ChangeOccasions? {
        key == nil ? .notifications([.NSPersistentStoreCoordinatorStoresDidChange], of: self) : nil
    }
}
