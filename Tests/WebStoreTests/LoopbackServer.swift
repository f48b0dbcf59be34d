import Foundation
import Glibc

/// A small HTTP server on the loopback, on threads of its own: the tests' cooperative threads wait for it.
///
/// The threads end with ``stop()``, or when nobody holds the server any more.
final class LoopbackServer: Sendable {
    struct Request {
        var method = ""
        var path = ""
        var query: [String: String] = [:]
        var body = Data()
    }

    struct Response {
        var status = 200
        var body = Data()
        /// The answer never comes: the server waits for the client to give up.
        var isWithheld = false
    }

    let url: URL
    private let threads = ServerThreads()

    init(answer: @escaping @Sendable (Request) -> Response) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: in_port_t? = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, size) == 0, listen(descriptor, 64) == 0,
                    getsockname(descriptor, address, &size) == 0
                else { return nil }
                return pointer.pointee.sin_port.bigEndian
            }
        }
        guard let port, let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        self.url = url
        threads.start(descriptor) { [threads] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                threads.start(connection) { ServerConnection(descriptor: connection).serve(answer) }
            }
        }
    }

    /// How many threads are at work.
    var threadCount: Int { threads.count }

    /// Closes all connections, and waits until every thread has ended.
    func stop() {
        threads.stop()
        threads.waitUntilStopped()
    }

    /// Without waiting: the last to let go may be a thread of the server itself.
    deinit { threads.stop() }
}
