import ArgumentParser
import CoreData

struct ModelExtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract", abstract: "Write the model that a store carries as an .xcdatamodeld that Xcode opens.")

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The .xcdatamodeld to write; one that is there is replaced.", valueName: "xcdatamodeld"))
    var output: String

    func run() throws {
        let model = try StoreFile.model(at: nil, forStoreAt: try StoreFile.url(store))
        let url = URL(fileURLWithPath: output)
        let name = url.deletingPathExtension().lastPathComponent
        guard !name.isEmpty, url.pathExtension == "xcdatamodeld" else {
            throw ValidationError("\(output): the output has to be called something.xcdatamodeld.")
        }
        let versions = ModelVersions(models: [name: model], currentVersionName: name)
        for omission in try versions.writeSource(to: url) {
            StandardError.writeLine("warning: \(output): XML has no place for this: \(omission)")
        }
    }
}
