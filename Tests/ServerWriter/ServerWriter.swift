import CoreData
import CoreDataPostgreSQL
import Foundation
import ServerWork

/// Writers in a process of their own, as it may be killed.
///
/// `ServerWriter URL FOLDER NAME GENERATION WRITERS SECONDS` has as many threads save into a store, each with a file in the folder.
/// What went wrong beside their saves goes to standard error, and the process ends badly then.
@main
enum ServerWriter {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { $0 }
        guard arguments.count == 6, let url = URL(string: arguments[0]), let generation = Int(arguments[3]),
            let count = Int(arguments[4]), let seconds = Double(arguments[5])
        else {
            FileHandle.standardError.write(Data("usage: see the comment in ServerWriter.swift\n".utf8))
            exit(2)
        }
        let end = Date(timeIntervalSinceNow: seconds)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: WorkModel.make())
        // Nothing was saved yet, so it may be tried as often as one likes.
        while true {
            do {
                try coordinator.addPersistentStore(
                    ofType: NSPostgreSQLStoreType, configurationName: nil, at: url,
                    options: [NSPersistentHistoryTrackingKey: true])
                break
            } catch {
                guard Date() < end else { return }
                usleep(100_000)
            }
        }
        let folder = URL(fileURLWithPath: arguments[1])
        DispatchQueue.concurrentPerform(iterations: count) { number in
            let name = "\(arguments[2])-\(number)"
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            do {
                let log = try WorkLog(folder.appendingPathComponent("\(name).log"))
                try ServerWorker(name, generation: generation, context: context, log: log).run(until: end)
            } catch {
                FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
                exit(1)
            }
        }
    }
}
