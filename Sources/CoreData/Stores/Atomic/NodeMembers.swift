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
        switch value {
        case let node as NSAtomicStoreCacheNode: nodes = [node]
        case let set as NSOrderedSet:
            nodes = ContiguousArray(set.array.lazy.compactMap { $0 as? NSAtomicStoreCacheNode })
        case let set as NSSet: nodes = ContiguousArray(set.allObjects.lazy.compactMap { $0 as? NSAtomicStoreCacheNode })
        case let array as [Any]: nodes = ContiguousArray(array.lazy.compactMap { $0 as? NSAtomicStoreCacheNode })
        case let set as Set<NSAtomicStoreCacheNode>: nodes = ContiguousArray(set)
        default: nodes = []
        }
        isOrdered = value is NSOrderedSet
    }

    func contains(_ node: NSAtomicStoreCacheNode) -> Bool { identities.contains(ObjectIdentifier(node)) }
}
