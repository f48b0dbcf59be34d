import Foundation

/// What translating needs to know of the object graph above the store: which rows objects are, and how a transformable
/// becomes data.
struct SQLiteValueCoder: Sendable {
    /// What a predicate's object is to the store that is asked.
    enum Identity {
        case key(ObjectKey)
        /// An object that isn't in the store: unsaved, or of another store. No row equals it.
        case absent
    }

    /// The row that an object or object ID stands for; nil where the value is neither.
    var identity: @Sendable (Any) -> Identity?
    /// What stands for an object in dictionary results: its object ID.
    var objectID: @Sendable (ObjectKey) -> Any
    /// The archived form of a transformable attribute's value.
    var archive: @Sendable (Any, PropertyLayout) throws -> Data?
    /// The value of a transformable attribute's archived form.
    var unarchive: @Sendable (Data, PropertyLayout) throws -> Any?
}
