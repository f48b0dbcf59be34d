import CoreData
import Foundation

/// Everything that makes files of stores, beside migrations: the copies are named after the store, in its folder.
struct Administering {
    let url: URL
    let model: NSManagedObjectModel
    let type: String

    func run() throws {
        // Only SQLite stores have them.
        if type != NSSQLiteStoreType { for entity in model.entities { entity.uniquenessConstraints = [] } }
        model.entitiesByName["Author"]?.attributesByName["portrait"]?.allowsExternalBinaryDataStorage = true
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: [NSPersistentHistoryTrackingKey: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("A", forKey: "name")
            author.setValue(Data(count: 200_000), forKey: "portrait")
            try context.save()
        }
        let moved = try coordinator.migratePersistentStore(store, to: beside("moved"), options: nil, withType: type)
        try coordinator.remove(moved)
        func replace(_ name: String) throws {
            try coordinator.replacePersistentStore(
                at: beside(name), destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil,
                ofType: type)
        }
        try replace("copy")
        try replace("copy")
        // What no connection can open is replaced as a file.
        let damaged = try FileHandle(forWritingTo: beside("copy"))
        try damaged.truncate(atOffset: 2_000)
        try damaged.close()
        // It fails, as it is to: the process has found the damage itself then.
        _ = try? NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: beside("copy"))
        try replace("copy")
        if type == NSSQLiteStoreType {
            _ = try NSPersistentStoreCoordinator.repairStore(at: beside("copy"), model: model)
        }
        try coordinator.destroyPersistentStore(at: beside("copy"), ofType: type, options: nil)
        Output.line("end")
    }

    private func beside(_ name: String) -> URL {
        url.deletingLastPathComponent().appendingPathComponent("\(url.lastPathComponent)-\(name)")
    }
}
