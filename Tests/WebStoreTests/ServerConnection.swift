import Foundation
import Glibc

/// One request to a ``LoopbackServer`` and the answer to it.
struct ServerConnection {
    let descriptor: Int32

    func serve(_ answer: (LoopbackServer.Request) -> LoopbackServer.Response) {
        guard let request = read() else { return }
        let response = answer(request)
        if response.isWithheld { return waitForTheEnd() }
        let head =
            "HTTP/1.1 \(response.status) \(response.status == 200 ? "OK" : "Status")\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(response.body.count)\r\n\r\n"
        send(Data(head.utf8) + response.body)
    }

    /// Until the client, or the server, closes the connection.
    private func waitForTheEnd() {
        var buffer = [UInt8](repeating: 0, count: 1024)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
    }

    private func send(_ data: Data) {
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                if count <= 0 { return }
                sent += count
            }
        }
    }

    private func read() -> LoopbackServer.Request? {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        func more() -> Bool {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { received.append(contentsOf: buffer[0..<count]) }
            return count > 0
        }
        let separator = Data("\r\n\r\n".utf8)
        while received.range(of: separator) == nil { if !more() { return nil } }
        let end = received.range(of: separator)!
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let headers = lines.dropFirst().map { $0.lowercased() }
        if headers.contains(where: { $0.hasPrefix("expect: 100") }) {
            send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        let length =
            headers.first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        while received.count < end.upperBound + length { if !more() { return nil } }
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count == 3, let components = URLComponents(string: words[1]) else { return nil }
        var request = LoopbackServer.Request(method: words[0], path: String(components.path.dropFirst()))
        for item in components.queryItems ?? [] { request.query[item.name] = item.value }
        request.body = received[end.upperBound..<(end.upperBound + length)]
        return request
    }
}
