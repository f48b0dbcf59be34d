import CoreData
import Foundation
import Testing

@Suite("A relationship that becomes ordered takes the order of keys")
struct BecomingOrderedTests {
    private static func model(isOrdered: Bool) throws -> NSManagedObjectModel {
        let model = Shelves.model()
        let books = try #require(model.entitiesByName["Author"]?.relationshipsByName["books"])
        books.isOrdered = isOrdered
        return model
    }

    @Test("in place and by a manager, into every store type", arguments: Library.storeTypes.dropLast())
    func order(type: String) throws {
        let folder = try TemporaryFolder()
        let source = folder.url.appendingPathComponent("source")
        let old = try Self.model(isOrdered: false)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: source)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let author = context.make("Author", ["name": "a"])
        let names = (0..<20).map { "b\($0)" }
        for name in names {
            context.make("Book", ["name": name, "author": author])
            // One save each, so that keys go by the numbers.
            try context.save()
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let new = try Self.model(isOrdered: true)
        let destination = folder.url.appendingPathComponent("destination")
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: source, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: destination,
            destinationType: type, destinationOptions: nil)
        func order(_ url: URL, _ type: String) throws -> [String] {
            let stack = NSPersistentStoreCoordinator(managedObjectModel: new)
            try stack.addPersistentStore(
                ofType: type, configurationName: nil, at: url,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ])
            let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            context.persistentStoreCoordinator = stack
            let author = try #require(try context.all("Author").first)
            let books = try #require(author.value(forKey: "books") as? NSOrderedSet)
            return books.compactMap { ($0 as? NSManagedObject)?.text("name") }
        }
        #expect(try order(destination, type) == names)
        #expect(try order(source, NSSQLiteStoreType) == names)
    }
}
