import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Stands between programs and a server, and cuts their connections: at a random byte of either direction, and where a COMMIT has
/// gone to the server, or is about to, and its answer hasn't come. Or only there, once, and something is done before.
final class CuttingProxy: Sendable {
    /// Where it can be reached.
    private let folder: TemporaryFolder
    private let server: URL
    private let listener: Int32
    private let isStopped = Atomic(false)
    private let cuts = Mutex<[String: Int]>([:])
    private let plan: Plan
    private let isDone = Atomic(false)

    enum Plan: Sendable {
        case random
        /// Does something when the first commit comes, and cuts the connection. The commit doesn't get to the server.
        case beforeCommit(@Sendable () throws -> Void)
        /// The same, when the server has committed.
        case afterCommit(@Sendable () throws -> Void)
    }

    /// How many bytes a connection lives through, on the average.
    private static let life = 60_000.0
    /// Of how many commits one is cut.
    private static let commitsToACut = 25
    /// The message that a client commits with.
    private static let commit: [UInt8] = [UInt8(ascii: "Q"), 0, 0, 0, 11] + Array("COMMIT".utf8) + [0]

    init(to server: FaultServer, _ plan: Plan = .random) throws {
        self.plan = plan
        folder = try TemporaryFolder()
        self.server = server.folder
        listener = try Self.withAddress(of: folder.url) { descriptor, address, length in
            bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
        }
        let thread = Thread { [weak self, listener] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self, !self.isStopped.load(ordering: .relaxed) else { return }
                Thread { self.serve(client) }.start()
            }
        }
        thread.start()
    }

    var url: URL { FaultServer.url([folder.url]) }

    /// How many connections it has cut where.
    var summary: [String: Int] { cuts.withLock { $0 } }

    /// Lets nobody in any more.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func withAddress(
        of folder: URL, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder.appendingPathComponent(".s.PGSQL.5432").path
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard descriptor >= 0, path.utf8.count < capacity else { throw POSIXError(.ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isReady = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(descriptor, $0, length) }
        }
        guard isReady else {
            let code = POSIXErrorCode(rawValue: errno) ?? .EIO
            close(descriptor)
            throw POSIXError(code)
        }
        return descriptor
    }

    // MARK: Connections

    private func serve(_ client: Int32) {
        defer { close(client) }
        // Nobody to tell: the client sees that it is cut off, as where there is no server.
        guard let server = try? Self.withAddress(of: server, { connect($0, $1, $2) == 0 }) else { return }
        defer { close(server) }
        var left = Int.max
        if case .random = plan { left = Int(-Self.life * log(Double.random(in: 0.0001...1))) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var answerIsCut = false
        while true {
            var sockets = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&sockets, 2, -1) > 0 else { return }
            for (source, target) in [(0, 1), (1, 0)] where sockets[source].revents != 0 {
                let count = recv(sockets[source].fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                var part = buffer[..<count]
                if answerIsCut, source == 1 {
                    // Some bytes of the answer may get through, but not all of them.
                    _ = Self.send(part.prefix(.random(in: 0..<part.count)), to: sockets[target].fd)
                    return
                }
                if source == 0, part.elementsEqual(Self.commit) {
                    switch cutAtCommit() {
                    case .none: break
                    case .before:
                        part = part.prefix(.random(in: 0..<part.count))
                        _ = Self.send(part, to: sockets[target].fd)
                        return
                    case .after:
                        _ = Self.send(part, to: sockets[target].fd)
                        return
                    case .answer: answerIsCut = true
                    case .wait(let body):
                        // The server has done it when it answers, and the answer goes nowhere.
                        _ = Self.send(part, to: sockets[target].fd)
                        _ = recv(sockets[target].fd, &buffer, buffer.count, 0)
                        return attempt(body)
                    }
                }
                if left < part.count {
                    note(source == 0 ? "on the way to the server" : "on the way to the client")
                    _ = Self.send(part.prefix(left), to: sockets[target].fd)
                    return
                }
                left -= part.count
                guard Self.send(part, to: sockets[target].fd) else { return }
            }
        }
    }

    private enum CommitCut {
        case none, before, after, answer
        case wait(@Sendable () throws -> Void)
    }

    private func cutAtCommit() -> CommitCut {
        switch plan {
        case .random:
            guard Int.random(in: 0..<Self.commitsToACut) == 0 else { return .none }
            switch Int.random(in: 0..<3) {
            case 0:
                note("before a commit")
                return .before
            case 1:
                note("after a commit, at once")
                return .after
            default:
                note("after a commit, in its answer")
                return .answer
            }
        case .beforeCommit(let body):
            guard isFirst() else { return .none }
            attempt(body)
            return .before
        case .afterCommit(let body): return isFirst() ? .wait(body) : .none
        }
    }

    private func isFirst() -> Bool { !isDone.exchange(true, ordering: .sequentiallyConsistent) }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { Issue.record(error) }
    }

    private func note(_ place: String) { cuts.withLock { $0[place, default: 0] += 1 } }

    private static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }
}
