import Foundation

/// The nodes that a to-many relationship of a node leads to, each once.
///
/// Nodes of the built-in stores keep them so: each value that comes out of one of Foundation's collections on Linux, or out of a
/// dictionary, is made anew, so that a save would cost microseconds for each member that it leaves as it is.
final class NodeMembers {
    private(set) var nodes: ContiguousArray<NSAtomicStoreCacheNode>
    /// Whether the order is kept, as that of an ordered relationship, or the one in which a file has an unordered one.
    let isOrdered: Bool
    private lazy var identities: Set<ObjectIdentifier> = {
        var identities = Set<ObjectIdentifier>(minimumCapacity: nodes.count)
        for node in nodes { identities.insert(ObjectIdentifier(node)) }
        return identities
    }()

    /// The collection that ``NSAtomicStoreCacheNode/value(forKey:)`` gives.
    private(set) lazy var collection: NSObject =
        isOrdered ? NSOrderedSet(array: Array(nodes)) : NSSet(array: Array(nodes))

    init(_ members: some Sequence<NSAtomicStoreCacheNode>, isOrdered: Bool) {
        var seen = Set<ObjectIdentifier>(minimumCapacity: members.underestimatedCount)
        var nodes: ContiguousArray<NSAtomicStoreCacheNode> = []
        nodes.reserveCapacity(members.underestimatedCount)
        for node in members where seen.insert(ObjectIdentifier(node)).inserted { nodes.append(node) }
        self.nodes = nodes
        self.isOrdered = isOrdered
        identities = seen
    }

    /// These members without some, and with others behind them.
    convenience init(
        _ before: NodeMembers, without removed: [NSAtomicStoreCacheNode], with added: [NSAtomicStoreCacheNode],
        isOrdered: Bool
    ) {
        self.init(copying: before, isOrdered: isOrdered)
        if !removed.isEmpty {
            let gone = Set(removed.lazy.map(ObjectIdentifier.init))
            identities.subtract(gone)
            nodes.removeAll { gone.contains(ObjectIdentifier($0)) }
        }
        for node in added where identities.insert(ObjectIdentifier(node)).inserted { nodes.append(node) }
    }

    private init(copying other: NodeMembers, isOrdered: Bool) {
        nodes = other.nodes
        self.isOrdered = isOrdered
        identities = other.identities
    }

    /// The nodes in a value as a client's node may have it: a collection of any kind, or one node.
    init(value: Any?) {
        let elements = (value as? NSAtomicStoreCacheNode).map { [$0] } ?? Self.elements(of: value) ?? []
        nodes = ContiguousArray(elements.lazy.compactMap { $0 as? NSAtomicStoreCacheNode })
        isOrdered = value is NSOrderedSet
    }

    /// What is in a collection of any kind; nil of anything else.
    static func elements(of value: Any?) -> [Any]? {
        switch value {
        case let members as NodeMembers: Array(members.nodes)
        case let set as NSOrderedSet: set.array
        case let set as NSSet: set.allObjects
        case let array as [Any]: array
        case let set as Set<NSAtomicStoreCacheNode>: Array(set)
        default: nil
        }
    }

    func contains(_ node: NSAtomicStoreCacheNode) -> Bool { identities.contains(ObjectIdentifier(node)) }
}

extension Sequence<NSAtomicStoreCacheNode> {
    /// The order in which a file gets members that have none: that of their references.
    func inOrderOfHandles() -> [NSAtomicStoreCacheNode] { sorted { $0.objectID.handle < $1.objectID.handle } }
}
