import Foundation
import Synchronization

/// A process with eight writers, which may be killed and started again.
final class WriterProcess: Sendable {
    static let writers = 8

    private let store: URL
    private let folder: URL
    private let name: String
    private let end: Date
    private let state: Mutex<State>

    private struct State {
        var process: Process?
        var generation = 0
        var failures: [String] = []
    }

    /// - Parameters:
    ///   - folder: where the writers' files come to lie.
    ///   - end: when they are done.
    init(_ name: String, store: URL, folder: URL, until end: Date) throws {
        self.name = name
        self.store = store
        self.folder = folder
        self.end = end
        state = Mutex(State())
        try start()
    }

    private func start() throws {
        try state.withLock { state in
            state.generation += 1
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
                .deletingLastPathComponent().appendingPathComponent("ServerWriter")
            process.arguments = [
                store.absoluteString, folder.path, name, "\(state.generation)", "\(Self.writers)",
                "\(max(0, end.timeIntervalSinceNow))",
            ]
            let errors = folder.appendingPathComponent("\(name)-\(state.generation).errors")
            try Data().write(to: errors)
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            state.process = process
        }
    }

    /// Ends it at once, whatever it is doing, and starts it again.
    func killAndStart() throws {
        state.withLock { state in
            guard let process = state.process, process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            if process.terminationReason == .exit { state.failures.append("\(name) ended before it was killed") }
        }
        try start()
    }

    /// Waits until it has ended by itself.
    ///
    /// - Returns: what went wrong.
    func finish() -> [String] {
        let latest = end.addingTimeInterval(90)
        return state.withLock { state in
            guard let process = state.process else { return state.failures }
            while process.isRunning, Date() < latest { usleep(50_000) }
            if process.isRunning {
                kill(process.processIdentifier, SIGKILL)
                state.failures.append("\(name) hung")
            }
            process.waitUntilExit()
            if process.terminationReason != .exit || process.terminationStatus != 0 {
                let errors = folder.appendingPathComponent("\(name)-\(state.generation).errors")
                // That the process failed is told, with or without its last words.
                let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
                state.failures.append("\(name) ended badly: \(said.suffix(2000))")
            }
            return state.failures
        }
    }
}
