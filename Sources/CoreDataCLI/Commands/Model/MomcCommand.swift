import ArgumentParser
import CoreData
import ModelCompiler

/// Stands in for Xcode's `momc`, for scripts that call one.
struct MomcCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "momc", abstract: "Compile a model by the arguments of Xcode's momc.",
        discussion: """
            The model is an .xcdatamodeld or .xcdatamodel. The output is a .momd or .mom, or a folder, in which it gets the \
            model's name. Of momc's options --module names the module of classes that are in the "current product module", \
            --no-warnings and --no-inverse-relationship-warnings keep warnings back; all others are taken and do nothing here.
            """)

    @Argument(parsing: .allUnrecognized, help: "momc's options, the model, and the output.")
    var arguments: [String] = []

    func run() throws {
        let line = try MomcArguments(arguments)
        let diagnostics: [CompilerDiagnostic]
        do {
            diagnostics = try ModelCompilation.compile(line.model, to: line.output, module: line.module)
        } catch let diagnostic as CompilerDiagnostic {
            StandardError.writeLine(diagnostic.description)
            throw ExitCode.failure
        }
        for diagnostic in diagnostics where diagnostic.severity == .error || line.warns(of: diagnostic.description) {
            StandardError.writeLine(diagnostic.description)
        }
        if diagnostics.contains(where: { $0.severity == .error }) { throw ExitCode.failure }
    }
}

/// A command line of momc.
struct MomcArguments {
    /// The options that have a value of their own; deployment targets too, whichever platform they are for.
    private static let optionsWithValue: Set<String> = [
        "--sdkroot", "--module", "--action", "--output-partial-info-plist", "--dependency-file", "--swift-version",
        "--language", "--platform",
    ]

    let model: URL
    let output: URL
    /// The module of classes that are in the "current product module".
    private(set) var module = ""
    private var isSilent = false
    private var ignoresInverses = false

    init(_ arguments: [String]) throws {
        var paths: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                paths.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            let takesValue = Self.optionsWithValue.contains(parts[0]) || parts[0].hasSuffix("-deployment-target")
            let value = parts.count == 2 ? parts[1] : takesValue ? rest.popFirst() : nil
            switch parts[0] {
            case "--module": module = value ?? ""
            case "--no-warnings": isSilent = true
            case "--no-inverse-relationship-warnings": ignoresInverses = true
            case "--action" where value == "generate":
                throw ValidationError("momc's action \"generate\" is the command \"coredata generate\".")
            default: continue
            }
        }
        guard paths.count == 2 else {
            throw ValidationError("momc takes a model and an output; these are \(paths.count) paths.")
        }
        model = URL(fileURLWithPath: paths[0])
        output = Self.output(URL(fileURLWithPath: paths[1]), for: model)
    }

    /// A folder gets the compiled model under the name of the source.
    private static func output(_ url: URL, for model: URL) -> URL {
        if ["momd", "mom"].contains(url.pathExtension) { return url }
        let kind = model.pathExtension == "xcdatamodel" ? "mom" : "momd"
        return url.appendingPathComponent(model.deletingPathExtension().lastPathComponent).appendingPathExtension(kind)
    }

    func warns(of text: String) -> Bool { !isSilent && !(ignoresInverses && text.contains("inverse")) }
}
