import Foundation

/// The values of nodes before a save, for when it fails.
///
/// They are read and put back as any client of a node reads and sets them, so that nodes may keep them wherever they like.
struct NodeBackup {
    private let entries: [(node: NSAtomicStoreCacheNode, values: [(key: String, value: Any?)], version: Int64)]

    init(_ nodes: [NSAtomicStoreCacheNode]) {
        entries = nodes.map { node in
            let properties = node.objectID.layout.properties.filter(\.isPersistent)
            return (node, properties.map { ($0.name, Self.copy(node.storedValue(of: $0))) }, node.version)
        }
    }

    /// A collection that the node may go on to change.
    private static func copy(_ value: Any?) -> Any? {
        switch value {
        case let set as NSMutableOrderedSet: set.copy()
        case let set as NSMutableSet: set.copy()
        case let array as NSMutableArray: array.copy()
        default: value
        }
    }

    func restore() {
        for (node, values, version) in entries {
            for (key, value) in values { node.setValue(value, forKey: key) }
            node.version = version
            node.row = nil
        }
    }
}
