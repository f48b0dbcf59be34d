import ArgumentParser

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change an object.",
        discussion: """
            key=value sets an attribute, or a to-one relationship by the URI of its object; key= sets nothing (nil). \
            key+=URI and key-=URI add to a to-many relationship and remove from it; key= empties it.
            Dates are ISO 8601 (in UTC where no zone is given), data is base64.
            """)

    @OptionGroup var storeArguments: StoreArguments

    @Argument(help: "The object's URI, as fetch prints it.")
    var uri: String

    @Argument(help: "What to change.")
    var assignments: [Assignment]

    func run() throws {
        let store = try storeArguments.openForWriting()
        try store.perform { context in
            let object = try store.object(withURI: uri)
            try ObjectChanges(store: store).apply(assignments, to: object)
            try context.save()
        }
    }
}
