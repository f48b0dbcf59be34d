import ArgumentParser
import CoreData

struct CountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Print how many objects an entity has.")

    @OptionGroup var storeArguments: StoreArguments
    @OptionGroup var fetchArguments: FetchArguments

    func run() throws {
        let store = try storeArguments.openForReading()
        let count = try store.perform { context in
            let request: NSFetchRequest<NSManagedObject> = try fetchArguments.request(in: store)
            return try context.count(for: request)
        }
        try StandardOutput.shared.writeLine(String(count))
    }
}
