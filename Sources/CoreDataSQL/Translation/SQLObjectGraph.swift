@_spi(Engine) import CoreDataRows
import Foundation

/// What translating needs to know of the object graph above the store: which rows objects are, and how a transformable
/// becomes data.
package struct SQLObjectGraph: Sendable {
    package typealias Identity = StoredIdentity

    /// The row that an object or object ID stands for; nil where the value is neither.
    package var identity: @Sendable (Any) -> Identity?
    /// What stands for an object in dictionary results: its object ID.
    package var objectID: @Sendable (ObjectKey) -> Any
    /// The archived form of a transformable attribute's value.
    package var archive: @Sendable (Any, PropertyLayout) throws -> Data?
    /// The value of a transformable attribute's archived form.
    package var unarchive: @Sendable (Data, PropertyLayout) throws -> Any?

    package init(
        identity: @escaping @Sendable (Any) -> Identity?, objectID: @escaping @Sendable (ObjectKey) -> Any,
        archive: @escaping @Sendable (Any, PropertyLayout) throws -> Data?,
        unarchive: @escaping @Sendable (Data, PropertyLayout) throws -> Any?
    ) {
        self.identity = identity
        self.objectID = objectID
        self.archive = archive
        self.unarchive = unarchive
    }
}
