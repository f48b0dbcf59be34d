import Foundation
import ManagedObjectModel

/// The values of one object as an incremental store has them, with their version (Apple: NSIncrementalStoreNode).
open class NSIncrementalStoreNode: NSObject {
    /// The identity of the object.
    public let objectID: NSManagedObjectID
    /// Counted up by the store with each change: what optimistic locking compares.
    public private(set) var version: UInt64
    private(set) var values: [String: Any]

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - values: attributes by name; a missing one is nil. To-one relationships as an object ID, or `NSNull` for nil; a
    ///     missing one is asked for when it is needed. To-many relationships are usually left out. Keys that the entity
    ///     doesn't have are dropped.
    ///   - version: the version of the values.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        self.version = version
        self.values = values.filter { objectID.layout.property(named: $0.key) != nil }
        super.init()
    }

    /// Replaces values and version.
    open func update(withValues values: [String: Any], version: UInt64) {
        self.values.merge(values.filter { objectID.layout.property(named: $0.key) != nil }) { $1 }
        self.version = version
    }

    /// The value of a property; nil when the node doesn't have it, `NSNull` when it is nil.
    open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
