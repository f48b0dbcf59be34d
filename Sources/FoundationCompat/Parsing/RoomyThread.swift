import Foundation

/// Runs what recurses deep on a thread with a stack of its own, whatever the caller's is.
enum RoomyThread {
    /// Waits until the body has returned.
    static func run<Value>(stackSize: Int, _ body: @escaping () throws -> Value) throws -> Value {
        // Safe: the caller waits, so that only one thread at a time has the body and what it gives.
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var result: Result<Value, any Error>?
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            result = Result { try body() }
            done.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        done.wait()
        guard let result else { fatalError("A thread has ended without its result.") }
        return try result.get()
    }
}
