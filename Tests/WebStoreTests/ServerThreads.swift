import Foundation
import Glibc

/// The threads of a server, each of which waits for one socket.
final class ServerThreads: @unchecked Sendable {
    private let condition = NSCondition()
    private var sockets: Set<Int32> = []
    private var isStopped = false

    var count: Int { condition.withLock { sockets.count } }

    /// Does something on a thread of its own, and then closes the socket; at once, if the server was stopped.
    func start(_ socket: Int32, _ body: @escaping @Sendable () -> Void) {
        let isWelcome = condition.withLock {
            if !isStopped { sockets.insert(socket) }
            return !isStopped
        }
        guard isWelcome else {
            close(socket)
            return
        }
        Thread.detachNewThread { [self] in
            body()
            condition.withLock {
                // Inside the lock, so that no other socket of that number is shut down.
                close(socket)
                sockets.remove(socket)
                condition.broadcast()
            }
        }
    }

    /// Has every thread end.
    func stop() {
        condition.withLock {
            isStopped = true
            for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Waits until every thread has ended. Called on one of them, it would wait for itself.
    func waitUntilStopped() {
        condition.withLock { while !sockets.isEmpty { condition.wait() } }
    }
}
