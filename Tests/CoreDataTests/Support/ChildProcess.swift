import Foundation
import Synchronization

/// A run of one of the tests' executables, whose output is read line by line as it comes.
final class ChildProcess: Sendable {
    private let process: Mutex<Process>
    private let output = Mutex(Data())
    private let pipe = Pipe()

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
        let process = Process()
        process.executableURL = Self.folder.appendingPathComponent(program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = includesErrors ? pipe : FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment
            .merging(["COREDATA_CONCURRENCY_DEBUG": "1"]) { $1 }.merging(environment) { $1 }
            .filter { !$0.value.isEmpty }
        self.process = Mutex(process)
        try process.run()
    }

    /// Reads until the child has ended, or, where it takes longer, kills it.
    ///
    /// - Parameter first: the line of output from which on the time counts; nil for now.
    /// - Returns: the lines of its output, and whether it ended by itself and well.
    func finish(within seconds: Double, of first: String? = nil) -> (lines: [String], endedWell: Bool) {
        var data = Data()
        if let first {
            while !String(decoding: data, as: UTF8.self).contains("\(first)\n") {
                let more = pipe.fileHandleForReading.availableData
                if more.isEmpty { break }
                data += more
            }
        }
        let killer = DispatchWorkItem { [self] in end() }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: killer)
        data += pipe.fileHandleForReading.readDataToEndOfFile()
        killer.cancel()
        return process.withLock { process in
            process.waitUntilExit()
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            return (lines, process.terminationReason == .exit && process.terminationStatus == 0)
        }
    }

    /// Ends the child at once, whatever it is doing. It can't notice.
    private func end() {
        process.withLock { process in
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }
}
