import CRunProgram
import Foundation
import Synchronization

/// Another program, which runs beside the tests.
///
/// Foundation's `Process` can't be relied on here. Its children may inherit what another thread is about to give to a child of its
/// own, so that a child which stays holds up whoever waits for the other one: with some hundred servers and two threads, within
/// seconds and for ever (seen in a program of 60 lines; in CI it stopped all tests). Here a child has its three streams and nothing
/// else, and who waits does so by the system's own means.
package final class RunningProgram: Sendable {
    package enum Stream {
        /// `/dev/null`.
        case nothing
        /// This process's own.
        case inherited
        /// The other end is ``input`` or ``output``.
        case pipe
        case descriptor(Int32)
    }

    /// How a program ended.
    package enum Ending: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let processIdentifier: pid_t
    /// What the program reads, where that is a pipe: it comes to its end with this object, or where it is closed before.
    package let input: FileHandle?
    /// What the program writes, where that is a pipe.
    package let output: FileHandle?
    // Its number belongs to the program until it was waited for, so signals and waiting exclude each other.
    private let known = Mutex<Ending?>(nil)

    /// - Parameters:
    ///   - program: a path, or a name that is looked for where `PATH` says.
    ///   - environment: all variables; nil for this process's.
    ///   - folder: where it runs; nil for where this process does.
    ///   - errors: nil for the same as the output.
    /// - Throws: ``Failure`` where it can't be started.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, in folder: URL? = nil,
        input: Stream = .nothing, output: Stream = .nothing, errors: Stream? = .nothing
    ) throws {
        var own: [Int32] = []
        defer { own.forEach { close($0) } }
        var streams: [Int32] = []
        var handles: [FileHandle?] = []
        for (stream, reads) in [(input, true), (output, false)] {
            let (descriptor, handle) = try Self.open(stream, reads: reads, &own)
            streams.append(descriptor)
            handles.append(handle)
        }
        streams.append(try errors.map { try Self.open($0, reads: false, &own).descriptor } ?? streams[1])
        (self.input, self.output) = (handles[0], handles[1])

        let variables = environment ?? ProcessInfo.processInfo.environment
        var process: pid_t = 0
        let error = Self.withCStrings([program] + arguments) { arguments in
            Self.withCStrings(variables.map { "\($0)=\($1)" }) { variables in
                run_program_start(&process, program, arguments, variables, folder?.path, streams)
            }
        }
        guard error == 0 else {
            throw Failure(description: "\(program) can't be started: \(String(cString: strerror(error)))")
        }
        processIdentifier = process
    }

    /// - Returns: the program's descriptor, and this process's end of a pipe.
    private static func open(
        _ stream: Stream, reads: Bool, _ own: inout [Int32]
    ) throws -> (descriptor: Int32, handle: FileHandle?) {
        switch stream {
        case .inherited: return (-1, nil)
        case .descriptor(let descriptor): return (descriptor, nil)
        case .nothing:
            let descriptor = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { throw Failure(description: "/dev/null can't be opened") }
            own.append(descriptor)
            return (descriptor, nil)
        case .pipe:
            var ends: [Int32] = [-1, -1]
            guard run_program_pipe(&ends) == 0 else { throw Failure(description: "no pipe can be made") }
            own.append(ends[reads ? 0 : 1])
            return (ends[reads ? 0 : 1], FileHandle(fileDescriptor: ends[reads ? 1 : 0], closeOnDealloc: true))
        }
    }

    deinit {
        // One that ends later than this object is waited for as well: what nobody waits for stays in the system's table.
        guard known.withLock({ $0 == nil }) else { return }
        Thread.detachNewThread { [processIdentifier] in waitpid(processIdentifier, nil, 0) }
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
        defer { copies.forEach { free($0) } }
        return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
    }

    // MARK: Its end

    /// Waits until the program has ended.
    @discardableResult
    package func wait() -> Ending {
        var information = siginfo_t()
        // It stays to be asked for until all who wait here know.
        while waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return known.withLock { known in
            if let known { return known }
            var status: Int32 = 0
            while waitpid(processIdentifier, &status, 0) < 0, errno == EINTR {}
            let ending: Ending = status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f)
            known = ending
            return ending
        }
    }

    package var isRunning: Bool {
        known.withLock { known in
            guard known == nil else { return false }
            var information = siginfo_t()
            return waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT | WNOHANG) == 0
                && information.si_signo == 0
        }
    }

    /// Ends it at once, whatever it is doing. It can't notice.
    package func kill() {
        known.withLock { known in
            if known == nil { Glibc.kill(processIdentifier, SIGKILL) }
        }
    }
}
