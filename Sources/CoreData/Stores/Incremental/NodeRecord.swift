@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// Nodes that were read together.
final class NodeReadBatch {
    let records: [NodeRecord]
    /// The relationships whose destinations have been read.
    var followed: Set<String> = []

    init(_ records: [NodeRecord]) { self.records = records }
}

/// One node, as predicates and sort descriptors look at it.
final class NodeRecord: NSObject, KeyValueCoding, PredicateComparableObject {
    let node: NSIncrementalStoreNode
    private unowned let graph: NodeGraph
    weak var cohort: NodeReadBatch?
    var destinations: [String: [NSManagedObjectID]] = [:]

    init(_ node: NSIncrementalStoreNode, in graph: NodeGraph) {
        self.node = node
        self.graph = graph
        super.init()
    }

    func kvcValue(forKey key: String) -> Any? {
        switch key {
        case "objectID", "self", "SELF": return node.objectID
        case "entity": return node.objectID.entity
        default: break
        }
        guard let property = node.objectID.layout.property(named: key) else { return nil }
        switch property.kind {
        case .toOne: return graph.destinations(property, of: self).first
        case .toMany:
            let members = graph.destinations(property, of: self)
            return property.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        case .fetched: return nil
        default: return graph.attribute(property, of: node)
        }
    }

    func definesKVCValue(forKey key: String) -> Bool {
        node.objectID.layout.property(named: key) != nil || ["objectID", "self", "SELF", "entity"].contains(key)
    }
    func setKVCValue(_ value: Any?, forKey key: String) {
        preconditionFailure("a fetch doesn't change what it looks at")
    }
    var predicateIdentity: AnyHashable { node.objectID }
}
