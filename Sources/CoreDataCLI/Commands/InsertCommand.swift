import ArgumentParser
import CoreData

struct InsertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert", abstract: "Add an object, and print its URI.",
        discussion: "Values are given as for \u{201C}coredata set\u{201D}; others have the model's default values.")

    @OptionGroup var storeArguments: StoreArguments

    @Argument(help: "The entity's name.")
    var entity: String

    @Argument(help: "The object's values.")
    var assignments: [Assignment] = []

    func run() throws {
        let store = try storeArguments.openForWriting()
        let uri = try store.perform { context in
            let description = try store.entity(named: entity)
            guard !description.isAbstract else {
                throw CommandFailure("entity \u{201C}\(entity)\u{201D}", "is abstract: insert one of its subentities.")
            }
            let object = NSManagedObject(entity: description, insertInto: context)
            try ObjectChanges(store: store).apply(assignments, to: object)
            try context.save()
            return object.objectID.uriRepresentation().absoluteString
        }
        try StandardOutput.shared.writeLine(uri)
    }
}
