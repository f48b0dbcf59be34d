import ArgumentParser
import CoreData

struct ModelShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a model's entities and their properties.",
        discussion: "With --json everything that a model file holds, the same for a source model and its compiled form."
    )

    @OptionGroup var modelArguments: ModelArguments

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let model = try modelArguments.read()
        let text =
            json ? String(decoding: try ModelDescription.json(of: model), as: UTF8.self) : ModelListing(model).text
        try StandardOutput.shared.writeLine(text)
    }
}
