import CoreData

/// The stack that most apps have, in a form of its own.
final class CoreDataStack {
    let container: NSPersistentContainer

    var viewContext: NSManagedObjectContext { container.viewContext }

    /// - Parameter file: the name of the store's file; one of its own where there is none.
    init(inMemory: Bool = true, file: String = UUID().uuidString) {
        container = NSPersistentContainer(name: "Company")
        if inMemory {
            container.persistentStoreDescriptions.first!.url = URL(fileURLWithPath: "/dev/null")
        } else {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(file).sqlite")
            container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        }
        container.loadPersistentStores { _, error in
            if let error = error as NSError? { fatalError("Unresolved error \(error), \(error.userInfo)") }
        }
        container.viewContext.automaticallyMergesChangesFromParent = true
    }

    func saveContext() {
        let context = container.viewContext
        guard context.hasChanges else { return }
        do {
            try context.save()
        } catch {
            let nserror = error as NSError
            fatalError("Unresolved error \(nserror), \(nserror.userInfo)")
        }
    }
}
