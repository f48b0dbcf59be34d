import ArgumentParser
import CoreData

struct ModelDiagramCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case mermaid, dot
    }

    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Write a model's entities and how they are connected as text that other tools draw.",
        discussion: """
            Mermaid is drawn by code hosts and editors where it stands in Markdown. Graphviz draws the other form: \
            `coredata model diagram Library.sqlite --format dot | dot -Tsvg -o Library.svg`. A box for each entity shows \
            its own attributes and relationships, with counts and delete rules.
            """)

    @OptionGroup var modelArguments: ModelArguments

    @Option(name: [.short, .long], help: "The language of the diagram.")
    var format = Format.mermaid

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file to write, rather than standard output; one that is there is replaced.", valueName: "file"))
    var output: String?

    func run() throws {
        let diagram = ModelDiagram(try modelArguments.read())
        let file = URL(fileURLWithPath: modelArguments.file).lastPathComponent
        let title = [file, modelArguments.version].compactMap { $0 }.joined(separator: ", ")
        let text =
            switch format {
            case .mermaid: MermaidDiagram(diagram, title: title).text
            case .dot: GraphvizDiagram(diagram, title: title).text
            }
        guard let output else { return print(text, terminator: "") }
        try StoreFile.naming(output) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        }
    }
}
