import ArgumentParser
import CoreData

struct ModelDiagramCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagram", abstract: "Draw a model's entities and how they are connected, as SVG.",
        discussion: """
            A box for each entity shows its own attributes and relationships. Lines lead from a relationship to its \
            inverse, or to the destination where it has none, with a single arrowhead for to-one and a double one for \
            to-many; a diamond, a square and a circle stand for the delete rules cascade, deny and no action. A hollow \
            triangle points to the entity that is inherited from.
            """)

    @OptionGroup var modelArguments: ModelArguments

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The SVG file to write; one that is there is replaced.", valueName: "svg"))
    var output: String

    func run() throws {
        let graph = DiagramGraph(try modelArguments.read())
        let file = URL(fileURLWithPath: modelArguments.file).lastPathComponent
        let title = [file, modelArguments.version].compactMap { $0 }.joined(separator: ", ")
        let text = DiagramSVG(graph, title: title).text
        try StoreFile.naming(output) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        }
    }
}
