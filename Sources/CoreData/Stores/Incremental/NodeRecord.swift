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
final class NodeRecord: NSObject, RowRecord {
    let node: NSIncrementalStoreNode
    private unowned let graph: NodeGraph
    weak var cohort: NodeReadBatch?
    var destinations: [String: [NSManagedObjectID]] = [:]

    init(_ node: NSIncrementalStoreNode, in graph: NodeGraph) {
        self.node = node
        self.graph = graph
        super.init()
    }

    var layout: EntityLayout { node.objectID.layout }
    var identity: AnyHashable { node.objectID }

    func value(of property: PropertyLayout) -> Any? {
        switch property.kind {
        case .toOne: return graph.destinations(property, of: self).first
        case .toMany:
            let members = graph.destinations(property, of: self)
            return property.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        case .fetched: return nil
        default: return graph.attribute(property, of: node)
        }
    }
}
