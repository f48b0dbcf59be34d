import CoreData
import Foundation
import Synchronization

/// What a `RemoteCacheStore` is a store of: a service with records by entity and key, which may be out of reach.
final class RemoteSide: @unchecked Sendable {
    let name = UUID().uuidString
    private let lock = NSLock()
    private var records: [String: [String: [String: Any]]] = [:]
    private var isReachable = true
    private var lastKey = 0

    private struct Entry { weak var side: RemoteSide? }
    private static let all = Mutex<[URL: Entry]>([:])
    var url: URL { URL(string: "remote://\(name)")! }

    init() { Self.all.withLock { $0[url] = Entry(side: self) } }

    static func at(_ url: URL?) -> RemoteSide? { url.flatMap { url in all.withLock { $0[url]?.side } } }

    func setReachable(_ isReachable: Bool) { lock.withLock { self.isReachable = isReachable } }

    func fetch(_ entity: String) -> [String: [String: Any]]? {
        lock.withLock { isReachable ? records[entity] ?? [:] : nil }
    }

    func put(_ entity: String, _ key: String, _ values: [String: Any]) throws {
        try lock.withLock {
            guard isReachable else { throw URLError(.notConnectedToInternet) }
            records[entity, default: [:]][key, default: [:]].merge(values) { $1 }
        }
    }

    func delete(_ entity: String, _ key: String) throws {
        try lock.withLock {
            guard isReachable else { throw URLError(.notConnectedToInternet) }
            records[entity]?[key] = nil
        }
    }

    func makeKey() -> String {
        lock.withLock {
            lastKey += 1
            return "local-\(lastKey)"
        }
    }
}
