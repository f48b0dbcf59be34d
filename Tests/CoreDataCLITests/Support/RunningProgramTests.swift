import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A program that a test runs")
struct RunningProgramTests {
    @Test("gives what it writes, its errors apart or with it, and how it ended")
    func output() throws {
        let run = try ProgramRun("/bin/sh", ["-c", "cat; echo out; echo wrong >&2; exit 3"], input: "in\n")
        #expect(run.ending == .exit(3) && run.output == "in\nout\n" && run.errors == "wrong\n")
        let merged = try ProgramRun("sh", ["-c", "pwd; pwd >&2"], in: URL(fileURLWithPath: "/"), mergesErrors: true)
        #expect(merged.succeeded && merged.output == "/\n/\n" && merged.errors.isEmpty)
        #expect(try ProgramRun("sh", ["-c", "kill -TERM $$"]).ending == .signal(SIGTERM))
        #expect(throws: RunningProgram.Failure.self) { try ProgramRun("/nowhere/program") }
    }

    @Test("has nothing open but its three streams, whatever this process has")
    func descriptors() throws {
        let pipe = Pipe()
        let run = try ProgramRun("sh", ["-c", "ls /proc/$$/fd"])
        #expect(run.output.split(separator: "\n") == ["0", "1", "2"])
        withExtendedLifetime(pipe) {}
    }

    @Test("is known to have ended, by all who wait")
    func waiting() throws {
        let program = try RunningProgram("sleep", ["60"])
        #expect(program.isRunning)
        program.kill()
        let endings = Mutex<[RunningProgram.Ending]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let ending = program.wait()
            endings.withLock { $0.append(ending) }
        }
        #expect(endings.withLock { $0 } == Array(repeating: .signal(SIGKILL), count: 4))
        #expect(!program.isRunning)
        program.kill()
    }

    /// Foundation's `Process` hangs here.
    @Test("holds up nobody who waits for another one")
    func strays() throws {
        let staying = Mutex<[RunningProgram]>([])
        defer {
            staying.withLock { programs in
                programs.forEach { $0.kill() }
                programs.forEach { $0.wait() }
            }
        }
        DispatchQueue.concurrentPerform(iterations: 3) { number in
            for _ in 0..<(number == 0 ? 100 : 300) {
                do {
                    if number == 0 {
                        let program = try RunningProgram("sh", ["-c", "cat >/dev/null"], input: .pipe)
                        staying.withLock { $0.append(program) }
                    } else {
                        let program = try RunningProgram("sh", ["-c", "echo x; exit 3"], output: .pipe)
                        #expect(program.output?.readDataToEndOfFile() == Data("x\n".utf8))
                        #expect(program.wait() == .exit(3))
                    }
                } catch {
                    Issue.record(error)
                }
            }
        }
    }
}
