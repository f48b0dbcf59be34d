import Foundation

#if canImport(ModelCompiler)
    import ModelCompiler

    /// What `CoreDataModelPlugin` runs while a package is built.
    ///
    ///     ModelCompilerTool model --module NAME --input MODEL --output COMPILED
    ///     ModelCompilerTool classes --input MODEL --output FILE --locations KIND --sources LIST
    ///     ModelCompilerTool mapping --input MAPPING --models LIST --output COMPILED
    ///     ModelCompilerTool bodies --module NAME --output FILE --sources LIST --resources NAMES --bundle NAME --builds FOLDER
    ///
    /// The kind of locations is "directives" or "comments". The list of models has a path on each line, and that of resources a
    /// name. The list of sources is a file with a line for each source, of a role, a tab and the path. Roles are "own",
    /// "generated", "module NAME" for a source of another module, and "model NAME" for a model that it generates classes from.
    @main
    struct ModelCompilerTool {
        static func main() {
            do {
                let arguments = try ToolArguments(Array(CommandLine.arguments.dropFirst()))
                switch arguments.command {
                case "model": try compileModel(arguments)
                case "classes": try makeClasses(arguments)
                case "mapping": try compileMapping(arguments)
                case "bodies": try makeBodies(arguments)
                case let other: throw ToolArguments.Failure(message: "there is no command \"\(other)\"")
                }
            } catch let diagnostic as CompilerDiagnostic {
                tell([diagnostic])
            } catch {
                write(["error: \(error)"])
                exit(1)
            }
        }

        private static func compileModel(_ arguments: ToolArguments) throws {
            let model = URL(fileURLWithPath: try arguments.value("input"))
            let module = try arguments.value("module")
            let output = URL(fileURLWithPath: try arguments.value("output"))
            tell(try ModelCompilation.compile(model, to: output, module: module))
        }

        private static func makeClasses(_ arguments: ToolArguments) throws {
            let classes = try GeneratedModelClasses(model: URL(fileURLWithPath: try arguments.value("input")))
            guard let locations = SourceLocations(rawValue: try arguments.value("locations")) else {
                throw ToolArguments.Failure(message: "--locations is \"directives\" or \"comments\"")
            }
            let sources = try SourceList.own(in: URL(fileURLWithPath: try arguments.value("sources")))
            let text = classes.buildFile(locations, overrides: sources.flatMap { ExtensionOverride.all(in: $0.text) })
            try OutputFile.write(text, to: URL(fileURLWithPath: try arguments.value("output")))
        }

        private static func compileMapping(_ arguments: ToolArguments) throws {
            let models = try arguments.value("models").split(separator: "\n").map { URL(fileURLWithPath: String($0)) }
            tell(
                try MappingCompilation.compile(
                    URL(fileURLWithPath: try arguments.value("input")), models: models,
                    to: URL(fileURLWithPath: try arguments.value("output"))))
        }

        private static func makeBodies(_ arguments: ToolArguments) throws {
            let list = try SourceList(contentsOf: URL(fileURLWithPath: try arguments.value("sources")))
            let bodies = ManagedBodies(
                module: try arguments.value("module"), sources: list.own, generated: list.generated,
                dependencies: list.modules,
                isPorted: ProcessInfo.processInfo.environment[PortedSources.variable] != nil)
            tell(bodies.diagnostics)
            let output = URL(fileURLWithPath: try arguments.value("output"))
            try OutputFile.write(bodies.text, to: output)
            let resources = try arguments.value("resources").split(separator: "\n").map(String.init)
            try StaleResources(outputs: output.deletingLastPathComponent(), current: Set(resources)).remove(
                fromBundlesNamed: try arguments.value("bundle"),
                in: URL(fileURLWithPath: try arguments.value("builds"), isDirectory: true))
        }

        /// Prints diagnostics, and ends the process where one is an error.
        private static func tell(_ diagnostics: [CompilerDiagnostic]) {
            write(diagnostics.map(\.description))
            if diagnostics.contains(where: { $0.severity == .error }) { exit(1) }
        }

        private static func write(_ messages: [String]) {
            FileHandle.standardError.write(Data(messages.map { $0 + "\n" }.joined().utf8))
        }
    }
#else
    /// Elsewhere than on Linux the manifest leaves the compiler out: there the plugin has nothing to do, and the package manager
    /// builds this program all the same.
    @main
    struct ModelCompilerTool {
        static func main() {
            FileHandle.standardError.write(
                Data(
                    "error: models are compiled by this package on Linux only; on a Mac Xcode's own tools do it\n".utf8)
            )
            exit(1)
        }
    }
#endif
