@_spi(Engine) import CoreDataRows

/// What a key path leads to, seen from the rows of a scope.
enum SQLKeyPathTarget {
    /// An attribute's column.
    case attribute(SQLFragment, PropertyLayout)
    /// The key of an object, or null, and the entity that it is of at least.
    case object(key: SQLFragment, EntityLayout)
    /// The number of the concrete entity of an object, or null (`entity`).
    case entity(number: SQLFragment, EntityLayout)
    /// The same, of which the name is meant (`entity.name`).
    case entityName(number: SQLFragment, EntityLayout)
    /// A composite attribute as a whole.
    case composite(PropertyLayout)
    /// The objects of a to-many, with the keys of the path that are applied to each or to all of them.
    case toMany(SQLToManyPath)
}

/// A to-many relationship of the object with a certain key, or that object itself as a collection of one or none.
package struct SQLToManyPath {
    /// The key of the object that has the relationship.
    var ownerKey: SQLFragment
    /// Whether there may be no such object, because the path came over a to-one.
    var ownerIsOptional: Bool
    /// Nil where the only element is the object itself.
    package var relationship: PropertyLayout?
    package var destination: EntityLayout
    package var rest: ArraySlice<String>
}
