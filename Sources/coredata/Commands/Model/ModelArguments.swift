import ArgumentParser
import CoreData

/// A model file and, where it has several versions, which one.
struct ModelArguments: ParsableArguments {
    @Argument(help: "An .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The version to take instead of the current one.", valueName: "name"))
    var version: String?

    func read() throws -> NSManagedObjectModel {
        try ModelFile.read(URL(fileURLWithPath: file), version: version)
    }
}
