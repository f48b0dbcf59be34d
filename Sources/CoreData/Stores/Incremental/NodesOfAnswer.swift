import Foundation

// Safe: what changes is behind a lock.
/// The nodes that an incremental store gives along while it answers; answers may be nested, as a store may fetch.
final class NodesOfAnswer: @unchecked Sendable {
    private let lock = NSLock()
    private var open: [[NSIncrementalStoreNode]] = []

    func begin() { lock.withLock { open.append([]) } }

    func add(_ nodes: [NSIncrementalStoreNode]) {
        lock.withLock {
            guard !open.isEmpty else {
                fatalError("addToRowCache(_:) was called while the store wasn't asked anything.")
            }
            open[open.count - 1] += nodes
        }
    }

    /// What the question that is being answered has brought so far.
    var current: [NSIncrementalStoreNode] { lock.withLock { open.last ?? [] } }

    func end() -> [NSIncrementalStoreNode] { lock.withLock { open.removeLast() } }
}
