import Foundation

// Safe: nothing of it changes once it is made.
/// A state of the stores that contexts can be pinned to, so that they keep seeing it while others write
/// (Apple: NSQueryGenerationToken).
///
/// The state is kept as long as a context is pinned to it or the token is retained. Meanwhile a store's log grows with
/// what others write, so release tokens in time.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Nil for ``current``, and for a token that was read from an archive.
    let generation: QueryGeneration?
    private let meansCurrent: Bool

    init(_ generation: QueryGeneration?, meansCurrent: Bool = false) {
        self.generation = generation
        self.meansCurrent = meansCurrent
        super.init()
    }

    /// Stands for the state of the stores when a context that is set to it next reads from them.
    open class var current: NSQueryGenerationToken { currentToken }

    private static let currentToken = NSQueryGenerationToken(nil, meansCurrent: true)

    /// True: a token is archived as a flag.
    public static var supportsSecureCoding: Bool { true }

    private static let currentKey = "isCurrent"

    /// Writes whether the token is ``current``: a state itself doesn't outlive the process.
    open func encode(with coder: NSCoder) { coder.encode(meansCurrent, forKey: Self.currentKey) }

    /// Reads a token from an archive: ``current``, or one that stands for no state any more.
    public required init?(coder: NSCoder) {
        generation = nil
        meansCurrent = coder.decodeBool(forKey: Self.currentKey)
        super.init()
    }

    /// The object itself, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the token stands for whatever the state is when it is used.
    var isCurrent: Bool { meansCurrent }

    /// Whether both stand for the same state of the store, or both for the current one.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSQueryGenerationToken else { return false }
        return self === other || meansCurrent && other.meansCurrent
            || generation != nil && generation === other.generation
    }

    /// A hash that equal objects share.
    open override var hash: Int { generation.map { ObjectIdentifier($0).hashValue } ?? 0 }
}

/// The key under which a save's notification has the generation of the saving context.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"
