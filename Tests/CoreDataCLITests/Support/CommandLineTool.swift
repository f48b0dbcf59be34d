import Foundation
import TestSupport

/// Runs the built `coredata` as a user would: another process, with its output and exit code.
struct CommandLineTool {
    struct Outcome {
        let exitCode: Int32
        let output: String
        let errors: String

        /// The output as JSON.
        func json() throws -> Any {
            try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
        }

        var lines: [String] {
            output.split(separator: "\n").map(String.init)
        }
    }

    static func run(_ arguments: String...) throws -> Outcome {
        try run(arguments)
    }

    /// - Parameter program: another program of the package, by the name of its product.
    static func run(_ arguments: [String], program: String = "coredata") throws -> Outcome {
        try run(arguments, executable: path(of: program))
    }

    static func path(of program: String) -> String { productsFolder.appendingPathComponent(program).path }

    /// - Parameter executable: the path of a program.
    static func run(_ arguments: [String], executable: String) throws -> Outcome {
        let run = try ProgramRun(executable, arguments)
        return Outcome(exitCode: run.exitCode, output: run.output, errors: run.errors)
    }

    /// The folder into which the package was built: the tests run from there.
    private static var productsFolder: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    }
}
