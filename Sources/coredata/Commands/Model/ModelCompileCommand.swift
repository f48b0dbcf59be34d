import ArgumentParser
import CoreData

struct ModelCompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile", abstract: "Write a model with all its versions as the .momd that apps are built with.")

    @Argument(help: "An .xcdatamodeld or .xcdatamodel.", completion: .file())
    var file: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The .momd to write; one that is there is replaced.", valueName: "momd"))
    var output: String

    func run() throws {
        try ModelFile.readVersions(URL(fileURLWithPath: file)).writeCompiled(to: URL(fileURLWithPath: output))
    }
}
