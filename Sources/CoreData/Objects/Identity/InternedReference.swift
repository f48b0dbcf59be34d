import Foundation

// Safe: all of it is constant.
/// A reference object that isn't a number, with the number that stands for it everywhere in the process.
///
/// Identities are compared by their numbers, also where a store was added again or several coordinators have it open. So
/// equal reference objects have the same number, and no number is given out twice. The number is forgotten when no store
/// and no identity needs it any more.
final class InternedReference: @unchecked Sendable {
    let handle: Int64
    /// As the store gave it.
    let reference: Any
    private let value: AnyHashable

    /// Far above what stores count up to.
    static let firstHandle: Int64 = 1 << 56

    private init(handle: Int64, reference: Any, value: AnyHashable) {
        self.handle = handle
        self.reference = reference
        self.value = value
    }

    deinit { Self.table.forget(handle, value) }

    /// - Parameter value: the reference object in the form in which equal ones are equal.
    static func of(_ reference: Any, value: AnyHashable) -> InternedReference { table.entry(reference, value) }

    static func with(handle: Int64) -> InternedReference? { table.entry(handle) }

    private static let table = Table()

    // Safe: what changes is behind a lock.
    private final class Table: @unchecked Sendable {
        private let lock = NSLock()
        private var handles: [AnyHashable: Int64] = [:]
        private var entries: [Int64: Entry] = [:]
        private var next = InternedReference.firstHandle

        private struct Entry {
            weak var reference: InternedReference?
        }

        func entry(_ reference: Any, _ value: AnyHashable) -> InternedReference {
            lock.withLock {
                if let handle = handles[value], let known = entries[handle]?.reference { return known }
                let made = InternedReference(handle: next, reference: reference, value: value)
                next += 1
                handles[value] = made.handle
                entries[made.handle] = Entry(reference: made)
                return made
            }
        }

        func entry(_ handle: Int64) -> InternedReference? { lock.withLock { entries[handle]?.reference } }

        func forget(_ handle: Int64, _ value: AnyHashable) {
            lock.withLock {
                entries[handle] = nil
                // Another thread may have asked for it again meanwhile.
                if handles[value] == handle { handles[value] = nil }
            }
        }
    }
}
