import Foundation
import Glibc

/// A small HTTP server on the loopback, on threads of its own: the tests' cooperative threads wait for it.
final class LoopbackServer: @unchecked Sendable {
    struct Request {
        var method = ""
        var path = ""
        var query: [String: String] = [:]
        var body = Data()
    }

    struct Response {
        var status = 200
        var body = Data()
        /// How long the answer takes.
        var delay: TimeInterval = 0
    }

    let url: URL
    private let descriptor: Int32
    private let answer: @Sendable (Request) -> Response

    init(answer: @escaping @Sendable (Request) -> Response) throws {
        self.answer = answer
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let port: in_port_t? = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, size) == 0, listen(descriptor, 64) == 0,
                    getsockname(descriptor, address, &size) == 0
                else { return nil }
                return pointer.pointee.sin_port.bigEndian
            }
        }
        guard let port else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        url = URL(string: "http://127.0.0.1:\(port)")!
        Thread.detachNewThread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { Self.serve(connection, answer) }
            }
        }
    }

    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    deinit {
        stop()
        close(descriptor)
    }

    private static func serve(_ connection: Int32, _ answer: @Sendable (Request) -> Response) {
        defer { close(connection) }
        guard let request = read(from: connection) else { return }
        let response = answer(request)
        if response.delay > 0 { Thread.sleep(forTimeInterval: response.delay) }
        let head =
            "HTTP/1.1 \(response.status) \(response.status == 200 ? "OK" : "Status")\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(response.body.count)\r\n\r\n"
        send(Data(head.utf8) + response.body, to: connection)
    }

    private static func send(_ data: Data, to connection: Int32) {
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    connection, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                if count <= 0 { return }
                sent += count
            }
        }
    }

    private static func read(from connection: Int32) -> Request? {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        func more() -> Bool {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count > 0 { received.append(contentsOf: buffer[0..<count]) }
            return count > 0
        }
        let separator = Data("\r\n\r\n".utf8)
        while received.range(of: separator) == nil { if !more() { return nil } }
        let end = received.range(of: separator)!
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let headers = lines.dropFirst().map { $0.lowercased() }
        if headers.contains(where: { $0.hasPrefix("expect: 100") }) {
            send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: connection)
        }
        let length =
            headers.first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        while received.count < end.upperBound + length { if !more() { return nil } }
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count == 3, let components = URLComponents(string: words[1]) else { return nil }
        var request = Request(method: words[0], path: String(components.path.dropFirst()))
        for item in components.queryItems ?? [] { request.query[item.name] = item.value }
        request.body = received[end.upperBound..<(end.upperBound + length)]
        return request
    }
}
