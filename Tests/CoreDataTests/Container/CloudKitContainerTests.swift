import CoreData
import Foundation
import Testing

@Suite("A CloudKit container is a plain one")
struct CloudKitContainerTests {
    @Test("It keeps objects in its store, with history")
    func objectsAreKept() throws {
        let folder = try TemporaryFolder()
        let container = NSPersistentCloudKitContainer(name: "Library", managedObjectModel: try Library.model())
        let description = NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Library.sqlite"))
        description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.x")
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        try container.initializeCloudKitSchema(options: [.dryRun])
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let book = context.makeBook("One")
            try context.save()
            #expect(container.canUpdateRecord(forManagedObjectWith: book.objectID))
        }
        #expect(container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil) != nil)
    }
}
