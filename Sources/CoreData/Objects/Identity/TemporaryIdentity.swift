import Foundation
import Synchronization

/// The identities that objects have before a store gives them one: unique in this process, and in text in all.
///
/// Their handles are negative numbers that no store gives out, so that the handle alone tells a reference to an unsaved
/// object from one to a saved object, in every context of a stack.
enum TemporaryIdentity {
    private static let counter = Atomic<Int64>(0)
    private static let process = UUID().uuidString
    /// The handle just below says "ask the store".
    private static let first: Int64 = .min + 1

    static func next() -> Int64 { first + counter.add(1, ordering: .relaxed).oldValue }

    /// Whether a handle is one of a temporary identity.
    @inline(__always)
    static func isTemporary(_ handle: Int64) -> Bool { handle >= first && handle < .min / 2 }

    static func text(of handle: Int64) -> String { "\(process)\(handle &- first &+ 1)" }
}
