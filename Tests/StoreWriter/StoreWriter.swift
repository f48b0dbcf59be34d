import CoreData
import Foundation

/// What the tests do in a process of its own, since it may be killed, or crash.
///
/// `save STORE MODEL FIRST` prints `begin`, saves numbered batches without end and prints each number once its save has returned;
/// `save-all STORE MODEL FIRST` does so with history and with values in files of their own.
/// `save-once STORE MODEL NUMBER` makes one such save, and prints its number or the error that ends it.
/// `save-atomic STORE MODEL TYPE` makes an author in a store of that type.
/// `administer STORE MODEL TYPE` makes, moves, copies, mends and replaces stores beside it, and prints `end`.
/// `fill STORE MODEL FIRST BYTES` does the same with room for so many bytes a file, and prints the error that ends it.
/// `count STORE MODEL WRITERS SECONDS` has threads count up in one object, and prints how far each got.
/// `claim STORE MODEL WRITERS SECONDS` has threads insert objects with the same unique values, and prints how many books.
/// `fetch STORE MODEL ENTITY` fetches the objects whose name begins with an A.
/// `work STORE MODEL SECONDS` has nine contexts work at once.
/// `migrate STORE SOURCE DESTINATION place|manager|staged` migrates a store from one model to another; `staged` by way of
/// the models that follow, with handlers that save.
/// `finish STORE MODEL` does what a lightweight migration has left for later, a task at a time, and prints each.
/// `read MODEL STORE…` reads stores, and changes them, and prints what became of each.
@main
enum StoreWriter {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().map { $0 }
        switch arguments.first {
        case "save" where arguments.count == 4, "save-all" where arguments.count == 4:
            Output.line("begin")
            try batches(arguments, withEverything: arguments[0] == "save-all").run(from: Int(arguments[3]) ?? 1)
        case "save-once" where arguments.count == 4:
            do {
                let batches = try batches(arguments, withEverything: true)
                batches.run(only: Int(arguments[3]) ?? 1)
                try batches.close()
            } catch {
                Output.line("error \((error as NSError).code)")
            }
        case "save-atomic" where arguments.count == 4:
            let model = try ModelFile.read(URL(fileURLWithPath: arguments[2]))
            // Only SQLite stores have them.
            for entity in model.entities { entity.uniquenessConstraints = [] }
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: arguments[3], configurationName: nil, at: URL(fileURLWithPath: arguments[1]))
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                NSEntityDescription.insertNewObject(forEntityName: "Author", into: context).setValue(
                    "A", forKey: "name")
                try context.save()
            }
        case "administer" where arguments.count == 4:
            try Administering(
                url: URL(fileURLWithPath: arguments[1]), model: ModelFile.read(URL(fileURLWithPath: arguments[2])),
                type: arguments[3]
            ).run()
        case "fill" where arguments.count == 5:
            let batches = try batches(arguments, withEverything: true)
            FileSizeLimit.set(Int(arguments[4]) ?? 0)
            do {
                try batches.run(from: Int(arguments[3]) ?? 1)
            } catch {
                Output.line("error \((error as NSError).code)")
            }
        case "count" where arguments.count == 5:
            try Counting(
                URL(fileURLWithPath: arguments[1]), model: ModelFile.read(URL(fileURLWithPath: arguments[2])),
                writers: Int(arguments[3]) ?? 1, seconds: Double(arguments[4]) ?? 1
            ).run()
        case "claim" where arguments.count == 5:
            try Claiming(
                URL(fileURLWithPath: arguments[1]), model: ModelFile.read(URL(fileURLWithPath: arguments[2])),
                writers: Int(arguments[3]) ?? 1, seconds: Double(arguments[4]) ?? 1
            ).run()
        case "work" where arguments.count == 4:
            let container = try StackOpening.container(
                URL(fileURLWithPath: arguments[1]), model: ModelFile.read(URL(fileURLWithPath: arguments[2])))
            let work = ConcurrentWork(container: container, seconds: Double(arguments[3]) ?? 1)
            try work.makeAuthor()
            try await work.run()
        case "read" where arguments.count >= 3:
            let model = try ModelFile.read(URL(fileURLWithPath: arguments[1]))
            for path in arguments.dropFirst(2) { Reading(URL(fileURLWithPath: path), model: model).run() }
        case "fetch" where arguments.count >= 4:
            let container = try StackOpening.container(
                URL(fileURLWithPath: arguments[1]), model: ModelFile.read(URL(fileURLWithPath: arguments[2])))
            let request = NSFetchRequest<NSManagedObject>(entityName: arguments[3])
            request.predicate = NSPredicate(format: "name BEGINSWITH %@", "A")
            let context = container.newBackgroundContext()
            Output.line("fetched \(try context.performAndWait { try context.fetch(request).count })")
        case "migrate" where arguments.count >= 5:
            let migrating = Migrating(
                url: URL(fileURLWithPath: arguments[1]), source: try ModelFile.read(URL(fileURLWithPath: arguments[2])),
                destination: try ModelFile.read(URL(fileURLWithPath: arguments[3])))
            if arguments[4] == "staged" {
                let between = try arguments.dropFirst(5).map { try ModelFile.read(URL(fileURLWithPath: $0)) }
                try migrating.run(byWayOf: between)
            } else {
                try migrating.run(byManager: arguments[4] == "manager")
            }
        case "finish" where arguments.count == 3:
            try Migrating.finish(
                URL(fileURLWithPath: arguments[1]), model: ModelFile.read(URL(fileURLWithPath: arguments[2])))
        default:
            FileHandle.standardError.write(Data("usage: see the comment in StoreWriter.swift\n".utf8))
            exit(2)
        }
    }

    private static func batches(_ arguments: [String], withEverything: Bool) throws -> Batches {
        try Batches(
            URL(fileURLWithPath: arguments[1]), model: ModelFile.read(URL(fileURLWithPath: arguments[2])),
            withEverything: withEverything)
    }
}
