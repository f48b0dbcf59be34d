import ArgumentParser
import Foundation

/// Runs the tool and turns what happened into an exit code: 0 for success, 1 where the work failed,
/// 2 where the command line itself was wrong. Messages about failures go to standard error only.
@main
enum EntryPoint {
    static func main() {
        do {
            var command = try CoreDataCommand.parseAsRoot()
            try command.run()
            try StandardOutput.shared.flush()
        } catch {
            // What is told is the error that ended the command.
            try? StandardOutput.shared.flush()
            switch CoreDataCommand.exitCode(for: error) {
            case .success: CoreDataCommand.exit(withError: error)  // --help
            case .validationFailure: stop(code: 2, message: CoreDataCommand.fullMessage(for: error))
            default: stop(code: 1, message: "coredata: " + FailureText.describe(error))
            }
        }
    }

    private static func stop(code: Int32, message: String) -> Never {
        StandardError.writeLine(message)
        exit(code)
    }
}
