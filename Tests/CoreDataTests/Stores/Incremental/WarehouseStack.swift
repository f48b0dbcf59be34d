import CoreData
import Foundation

/// A stack over a warehouse, and a context that tests use from their own thread.
struct WarehouseStack {
    let coordinator: NSPersistentStoreCoordinator
    let store: WarehouseStore
    let context: NSManagedObjectContext
    let warehouse: Warehouse

    init(_ warehouse: Warehouse = Warehouse(), model: NSManagedObjectModel? = nil) throws {
        WarehouseStore.register()
        self.warehouse = warehouse
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model ?? Self.model())
        let added = try coordinator.addPersistentStore(
            ofType: WarehouseStore.storeType, configurationName: nil, at: warehouse.url)
        store = added as! WarehouseStore
        context = Self.context(of: coordinator)
    }

    /// The library, in which everything is optional.
    static func model() throws -> NSManagedObjectModel {
        let model = try Library.model(for: WarehouseStore.storeType)
        for property in model.entities.flatMap(\.properties) { property.isOptional = true }
        return model
    }

    /// A context with a queue, into which another queue may merge.
    static func queueContext(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// A context that the test uses from its own thread.
    static func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func otherContext() -> NSManagedObjectContext { Self.context(of: coordinator) }

    func object(_ key: Warehouse.Key) -> NSManagedObject { context.object(with: store.id(key)) }

    /// Three books, two of them by one author.
    func addBooks() {
        let ursula = Warehouse.Key("Author", 1)
        let books = (11...13).map { Warehouse.Key("Book", $0) }
        warehouse.add("Author", 1, ["name": "Ursula"], ["books": [books[0], books[1]]])
        warehouse.add("Book", 11, ["title": "Tehanu", "pages": 226], ["author": [ursula]])
        warehouse.add("Book", 12, ["title": "Rocannon", "pages": 117], ["author": [ursula]])
        warehouse.add("Book", 13, ["title": "Emma", "pages": 474])
        _ = warehouse.takeLog()
    }
}

extension Error {
    var cocoa: NSError { self as NSError }
}
