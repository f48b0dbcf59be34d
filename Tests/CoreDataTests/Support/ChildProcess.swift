import Foundation
import TestSupport

/// A run of one of the tests' executables, whose output is read line by line as it comes.
final class ChildProcess: Sendable {
    private let program: RunningProgram

    /// The folder in which the build puts its executables: this one's.
    private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// - Parameters:
    ///   - program: the executable of the package that is run.
    ///   - environment: what is set besides this process's own environment. An empty value takes a variable away.
    ///   - includesErrors: whether its standard error is part of the output.
    init(
        _ arguments: [String], of program: String = "StoreWriter", environment: [String: String] = [:],
        includesErrors: Bool = false
    ) throws {
        let environment = ProcessInfo.processInfo.environment
            .merging(["COREDATA_CONCURRENCY_DEBUG": "1"]) { $1 }.merging(environment) { $1 }
            .filter { !$0.value.isEmpty }
        self.program = try RunningProgram(
            Self.folder.appendingPathComponent(program).path, arguments, environment: environment, output: .pipe,
            errors: includesErrors ? nil : .nothing)
    }

    /// Reads until the child has ended, or, where it takes longer, kills it.
    ///
    /// - Parameter first: the line of output from which on the time counts; nil for now.
    /// - Returns: the lines of its output, and whether it ended by itself and well.
    func finish(within seconds: Double, of first: String? = nil) -> (lines: [String], endedWell: Bool) {
        guard let output = program.output else { return ([], false) }
        var data = Data()
        if let first {
            while !String(decoding: data, as: UTF8.self).contains("\(first)\n") {
                let more = output.availableData
                if more.isEmpty { break }
                data += more
            }
        }
        let killer = DispatchWorkItem { [program] in program.kill() }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: killer)
        data += output.readDataToEndOfFile()
        killer.cancel()
        let ending = program.wait()
        return (String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init), ending == .exit(0))
    }
}
