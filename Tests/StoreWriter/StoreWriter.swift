import CoreData
import Foundation

/// What the tests do in a process of its own, since it may be killed, or crash.
///
/// `save STORE MODEL FIRST` saves numbered batches without end and prints each number once its save has returned.
/// `fetch STORE MODEL ENTITY` fetches the objects whose name begins with an A.
/// `read MODEL STORE…` reads stores, and changes them, and prints what became of each.
@main
enum StoreWriter {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { $0 }
        switch arguments.first {
        case "save" where arguments.count == 4:
            let container = try StackOpening.container(
                URL(fileURLWithPath: arguments[1]), model: ModelFile.read(URL(fileURLWithPath: arguments[2])))
            try Batches(container: container).run(from: Int(arguments[3]) ?? 1)
        case "read" where arguments.count >= 3:
            let model = try ModelFile.read(URL(fileURLWithPath: arguments[1]))
            for path in arguments.dropFirst(2) { Reading(URL(fileURLWithPath: path), model: model).run() }
        case "fetch" where arguments.count >= 4:
            let container = try StackOpening.container(
                URL(fileURLWithPath: arguments[1]), model: ModelFile.read(URL(fileURLWithPath: arguments[2])))
            let request = NSFetchRequest<NSManagedObject>(entityName: arguments[3])
            request.predicate = NSPredicate(format: "name BEGINSWITH %@", "A")
            Output.line("fetched \(try container.newBackgroundContext().fetch(request).count)")
        default:
            FileHandle.standardError.write(
                Data("usage: StoreWriter save STORE MODEL FIRST | fetch STORE MODEL ENTITY | read MODEL STORE…\n".utf8))
            exit(2)
        }
    }
}
