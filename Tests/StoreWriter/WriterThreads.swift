import Foundation
import Synchronization

/// Several threads at the same work.
enum WriterThreads {
    /// Prints the number that each thread ends with, and then what went wrong.
    static func run(_ count: Int, _ body: @Sendable (Int) throws -> Int) {
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: count) { writer in
            do {
                Output.line("\(try body(writer))")
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        for failure in failures.withLock({ $0 }) { Output.line("failure \(failure)") }
    }
}
