import Synchronization

/// The files that rows have named and that weren't there.
///
/// A file goes when a save has taken its row's value away, which a reader of the state before it doesn't know. Reading once
/// more finds the new value, or that the file is missing for good.
package final class MissingExternalFiles: Sendable {
    private let names = Mutex<Set<String>>([])

    package var count: Int { names.withLock { $0.count } }

    package func record(_ name: String) { names.withLock { _ = $0.insert(name) } }
}
