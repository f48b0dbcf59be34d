import CoreData
import Foundation
import WebStore

/// A web service, and a stack over it whose context tests use on the main actor.
struct WebStack {
    let service: LibraryService
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(_ service: LibraryService? = nil, options: [AnyHashable: Any]? = nil) throws {
        NSPersistentStoreCoordinator.registerStoreClass(
            WebStore.self, type: NSPersistentStore.StoreType(rawValue: WebStore.storeType))
        self.service = try service ?? LibraryService()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model())
        try coordinator.addPersistentStore(
            ofType: WebStore.storeType, configurationName: nil, at: self.service.server.url, options: options)
        context = Self.context(of: coordinator)
    }

    static func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func otherContext() -> NSManagedObjectContext { Self.context(of: coordinator) }

    static func model() throws -> NSManagedObjectModel {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let model = try ModelFile.read(root.appendingPathComponent("Examples/Library/Library.xcdatamodeld"))
        for entity in model.entities { entity.uniquenessConstraints = [] }
        return model
    }

    /// Two authors with books, 20 each; nobody knows them in this process afterwards.
    func addBooks() throws {
        let context = otherContext()
        for name in ["Ursula", "Jane"] {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue(name, forKey: "name")
            for number in 1...20 {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("\(name) \(number)", forKey: "title")
                book.setValue(UUID(), forKey: "identifier")
                book.setValue(number * 10, forKey: "pages")
                book.setValue(author, forKey: "author")
            }
        }
        try context.save()
        context.reset()
        _ = service.takeRequests()
    }

    func all(_ entity: String, _ format: String? = nil, sort: String = "title") throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [NSSortDescriptor(key: sort, ascending: true)]
        return try context.fetch(request)
    }
}

extension NSManagedObject {
    func text(_ key: String) -> String? { value(forKey: key) as? String }
}
