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
        try ModelVersions(models: [name: model], currentVersionName: name).writeSource(to: url)
    }
}
