import ArgumentParser

struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model", abstract: "Look at models, and translate them.",
        subcommands: [
            ModelShowCommand.self, ModelHashesCommand.self, ModelCompileCommand.self, ModelExtractCommand.self,
            ModelDiffCommand.self, ModelDiagramCommand.self,
        ])
}
