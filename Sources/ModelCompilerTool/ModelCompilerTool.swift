import Foundation
import ModelCompiler

/// What `CoreDataModelPlugin` runs while a package is built.
///
///     ModelCompilerTool model --module NAME --input MODEL --output COMPILED --classes FILE
///     ModelCompilerTool mapping --input MAPPING --models LIST --output COMPILED
///     ModelCompilerTool bodies --module NAME --output FILE --sources LIST
///
/// The list of models has a path on each line. The list of sources is a file with a line for each source: "own", "generated" or "module NAME", a tab, and the path.
@main
struct ModelCompilerTool {
    static func main() {
        do {
            let arguments = try ToolArguments(Array(CommandLine.arguments.dropFirst()))
            switch arguments.command {
            case "model": try compileModel(arguments)
            case "mapping": try compileMapping(arguments)
            case "bodies": try makeBodies(arguments)
            case let other: throw ToolArguments.Failure(message: "there is no command \"\(other)\"")
            }
        } catch let diagnostic as CompilerDiagnostic {
            fail([diagnostic.description])
        } catch {
            fail(["error: \(error)"])
        }
    }

    private static func compileModel(_ arguments: ToolArguments) throws {
        let model = URL(fileURLWithPath: try arguments.value("input"))
        let module = try arguments.value("module")
        try ModelCompilation.compile(model, to: URL(fileURLWithPath: try arguments.value("output")), module: module)
        let classes = try GeneratedModelClasses(model: model)
        try OutputFile.write(classes.buildFile, to: URL(fileURLWithPath: try arguments.value("classes")))
    }

    private static func compileMapping(_ arguments: ToolArguments) throws {
        let models = try arguments.value("models").split(separator: "\n").map { URL(fileURLWithPath: String($0)) }
        try MappingCompilation.compile(
            URL(fileURLWithPath: try arguments.value("input")), models: models,
            to: URL(fileURLWithPath: try arguments.value("output")))
    }

    private static func makeBodies(_ arguments: ToolArguments) throws {
        let list = try SourceList(contentsOf: URL(fileURLWithPath: try arguments.value("sources")))
        let bodies = ManagedBodies(
            module: try arguments.value("module"), sources: list.own, generated: list.generated,
            dependencies: list.modules)
        guard bodies.diagnostics.isEmpty else { fail(bodies.diagnostics.map(\.description)) }
        try OutputFile.write(bodies.text, to: URL(fileURLWithPath: try arguments.value("output")))
    }

    private static func fail(_ messages: [String]) -> Never {
        FileHandle.standardError.write(Data(messages.map { $0 + "\n" }.joined().utf8))
        exit(1)
    }
}
