@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// The values of one object as an incremental store has them, with their version (Apple: NSIncrementalStoreNode).
open class NSIncrementalStoreNode: NSObject {
    /// The identity of the object.
    open private(set) var objectID: NSManagedObjectID
    /// Counted up by the store with each change: what optimistic locking compares. The framework expects a save to make it
    /// one higher, unless the store says otherwise (`addToRowCache(_:)`). At most 2⁴⁷ − 1.
    open private(set) var version: UInt64
    private(set) var values: [String: Any]

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - values: attributes by name; a missing one is nil. To-one relationships as an object ID, or `NSNull` for nil; a
    ///     missing one is asked for when it is needed. To-many relationships as collections of object IDs; they are usually
    ///     left out, and asked for when they are needed. Keys that the entity doesn't have are dropped.
    ///   - version: the version of the values.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        self.version = version
        self.values = Self.known(values, objectID)
        super.init()
    }

    /// Replaces values and version. The values are as in `init(objectID:withValues:version:)`: what is missing is nil, or
    /// will be asked for (Apple: "update(withValues:version:)", which calls for the format of the initializer).
    open func update(withValues values: [String: Any], version: UInt64) {
        self.values = Self.known(values, objectID)
        self.version = version
    }

    /// The value of a property; nil when the node doesn't have it, `NSNull` when it is nil.
    open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }

    private static func known(_ values: [String: Any], _ id: NSManagedObjectID) -> [String: Any] {
        values.filter { id.layout.property(named: $0.key) != nil }
    }
}
