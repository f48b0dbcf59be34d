import CoreData
import Foundation

@testable import CoreDataPostgreSQL

/// The same requests to a PostgreSQL and a SQLite store of one model.
final class Twins {
    let server: NSManagedObjectContext
    let file: NSManagedObjectContext
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Twins-\(UUID().uuidString)")

    init(_ makeModel: () -> NSManagedObjectModel, policy: NSMergePolicy? = nil, options: [String: Any] = [:]) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try ServerStack(
            TestServer.shared.url(schema: TestServer.freshSchema()), makeModel(), options: options
        ).context()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("file.sqlite"),
            options: options as [AnyHashable: Any])
        file = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        file.persistentStoreCoordinator = coordinator
        if let policy { for context in [server, file] { context.mergePolicy = policy } }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What both answer, as lines: the number of rows, or the code of the error.
    func both(_ body: (NSManagedObjectContext) throws -> Int) -> [String] {
        [server, file].map { context in
            context.performAndWait {
                do {
                    return "\(try body(context))"
                } catch let error as NSError {
                    return "error \(error.code)"
                }
            }
        }
    }

    /// What a program gives over each of the two.
    func each<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> (server: Result, file: Result) {
        (try server.performAndWait { try body(server) }, try file.performAndWait { try body(file) })
    }

    /// All objects as texts, with the names of what they lead to.
    func contents(_ entity: String, _ keys: [String]) throws -> [[String]] {
        try [server, file].map { context in
            try context.performAndWait {
                context.reset()
                return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).map { object in
                    keys.map { key in
                        switch object.value(forKeyPath: key) {
                        case let set as Set<NSManagedObject>:
                            set.map { $0.value(forKey: "name") as? String ?? "nil" }.sorted().joined(separator: "+")
                        case let set as NSOrderedSet:
                            set.array.map { ($0 as? NSManagedObject)?.value(forKey: "name") as? String ?? "nil" }
                                .joined(separator: ">")
                        case let value?: "\(value)"
                        case nil: "nil"
                        }
                    }.joined(separator: " | ")
                }.sorted()
            }
        }
    }
}
