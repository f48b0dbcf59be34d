import ArgumentParser
import Foundation

/// What every command takes: the store and, where it carries no model, one.
struct StoreArguments: ParsableArguments {
    @Argument(
        help: "The store's file, or, where the tool was built with PostgreSQL, the URL of one in a server.",
        completion: .file())
    var store: String

    @Option(
        help: ArgumentHelp(
            "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom. Without it, the one that the store carries.",
            valueName: "file"),
        completion: .file())
    var model: String?

    /// Opens the store so that nothing in its folder changes.
    func openForReading() throws -> OpenStore {
        try OpenStore(storePath: store, modelPath: model, isReadOnly: true)
    }

    /// Opens the store for changes.
    func openForWriting() throws -> OpenStore {
        try OpenStore(storePath: store, modelPath: model, isReadOnly: false)
    }
}
