import ArgumentParser

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an object, by the delete rules of its relationships.")

    @OptionGroup var storeArguments: StoreArguments

    @Argument(help: "The object's URI, as fetch prints it.")
    var uri: String

    func run() throws {
        let store = try storeArguments.openForWriting()
        try store.perform { context in
            context.delete(try store.object(withURI: uri))
            try context.save()
        }
    }
}
