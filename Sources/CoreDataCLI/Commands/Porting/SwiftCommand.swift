import ArgumentParser
import Foundation
import Porting

struct SwiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Build, test or run a package that was written for Apple's platforms, as it is.",
        usage: "coredata swift build|test|run|package …",
        discussion: """
            Runs the Swift package manager with the arguments given. The compiler sees the package's sources and its \
            manifest as "coredata port" would write them; the files stay as they are, and messages point at their lines.

            OpenCoreData is taken from the folder that this tool was built in, or from the one that the environment \
            variable OPENCOREDATA names.
            """)

    @Argument(parsing: .captureForPassthrough, help: "The package manager's command and arguments.")
    var arguments: [String]

    func run() throws {
        guard let command = arguments.first, !command.hasPrefix("-") else {
            if arguments.contains(where: { ["-h", "--help"].contains($0) }) { throw CleanExit.helpRequest(self) }
            throw ValidationError("Say what to do: coredata swift build, test or run.")
        }
        let own = ProcessInfo.processInfo.environment["OPENCOREDATA"].map { URL(fileURLWithPath: $0) }
        let invocation = try OverlaidBuild(
            command: command, arguments: Array(arguments.dropFirst()),
            openCoreData: try own ?? PackageSourceArguments.ownFolder())
        for remark in invocation.remarks {
            StandardError.writeLine("\(remark.file):\(remark.line):1: warning: \(remark.message)")
        }
        throw CommandFailure("swift", try invocation.replaceProcess())
    }
}
