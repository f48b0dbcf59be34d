import CoreData
import Foundation

/// The Library domain at its next version, and stores of the present one with objects in them.
enum MigrationLibrary {
    /// Authors are writers; books have a shelf mark, which has a default, and no summary of copies; a loan has a note.
    static func nextModel() throws -> NSManagedObjectModel {
        let model = try Library.model().copy() as! NSManagedObjectModel
        let author = model.entitiesByName["Author"]!
        author.name = "Writer"
        author.renamingIdentifier = "Author"
        let mark = attribute("mark", .stringAttributeType)
        mark.isOptional = false
        mark.defaultValue = "none"
        let book = model.entitiesByName["Book"]!
        book.properties += [mark]
        let name = book.attributesByName["title"]!
        name.renamingIdentifier = "title"
        name.name = "name"
        for entity in model.entities { entity.indexes = [] }
        return model
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    /// Makes a store with so many authors and three times as many books.
    static func makeStore(
        at url: URL, authors: Int, storeType: String = NSSQLiteStoreType, options: [String: Any] = [:]
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Library.model(for: storeType))
        let store = try coordinator.addPersistentStore(
            ofType: storeType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for number in 0..<authors {
                let author = context.make("Author", ["name": "Author \(number)"])
                for place in 0..<3 { context.makeBook("Book \(number)-\(place)", ["author": author]) }
            }
            try context.save()
        }
        try coordinator.remove(store)
    }
}
