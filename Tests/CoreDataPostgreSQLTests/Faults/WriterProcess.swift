import Foundation
import Synchronization
import TestSupport

/// A process with eight writers, which may be killed and started again.
final class WriterProcess: Sendable {
    static let writers = 8

    private let store: URL
    private let folder: URL
    private let name: String
    private let end: Date
    private let state: Mutex<State>

    private struct State {
        var program: RunningProgram?
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
            let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
                .deletingLastPathComponent().appendingPathComponent("ServerWriter")
            let arguments = [
                store.absoluteString, folder.path, name, "\(state.generation)", "\(Self.writers)",
                "\(max(0, end.timeIntervalSinceNow))",
            ]
            let errors = folder.appendingPathComponent("\(name)-\(state.generation).errors")
            try Data().write(to: errors)
            let file = try FileHandle(forWritingTo: errors)
            state.program = try RunningProgram(
                program.path, arguments, errors: .descriptor(file.fileDescriptor))
        }
    }

    /// Ends it at once, whatever it is doing, and starts it again.
    func killAndStart() throws {
        state.withLock { state in
            guard let program = state.program, program.isRunning else { return }
            program.kill()
            if case .exit = program.wait() { state.failures.append("\(name) ended before it was killed") }
        }
        try start()
    }

    /// Waits until it has ended by itself.
    ///
    /// - Returns: what went wrong.
    func finish() -> [String] {
        let latest = end.addingTimeInterval(90)
        return state.withLock { state in
            guard let program = state.program else { return state.failures }
            while program.isRunning, Date() < latest { usleep(50_000) }
            if program.isRunning {
                program.kill()
                state.failures.append("\(name) hung")
            }
            if program.wait() != .exit(0) {
                let errors = folder.appendingPathComponent("\(name)-\(state.generation).errors")
                // That the process failed is told, with or without its last words.
                let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
                state.failures.append("\(name) ended badly: \(said.suffix(2000))")
            }
            return state.failures
        }
    }
}
