import ArgumentParser
import CoreData

/// A model file and, where it has several versions, which one.
struct ModelArguments: ParsableArguments {
    @Argument(
        help: "An .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store that carries its model.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The version to take instead of the current one.", valueName: "name"))
    var version: String?

    func read() throws -> NSManagedObjectModel {
        try ModelSource.read(file, version: version)
    }
}
