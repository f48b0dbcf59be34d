import CoreData
import Foundation

enum StackOpening {
    /// A container over one store.
    static func container(
        _ url: URL, model: NSManagedObjectModel, isReadOnly: Bool = false, tracksHistory: Bool = false
    ) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Child", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.isReadOnly = isReadOnly
        description.timeout = 5
        if tracksHistory { description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }
}
