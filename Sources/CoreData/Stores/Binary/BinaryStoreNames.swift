@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// The names that the two keyed archives of a binary store use, and the order of an object's values.
enum BinaryStoreNames {
    static let metadataKey = "metadata"
    static let objectsKey = "mapData"
    static let nodeClass = "NSDictionaryMapNode"
    static let entityName = "NSEntityName"
    static let primaryKey = "NSPrimaryKey64"
    static let values = "NSAttributeValues"
    static let destinations = "NSRelatedNodes"

    /// The properties that an object's list of values has room for: the attributes first, inherited ones before the
    /// entity's own, then the relationships (seen in all fixtures; their order there can't be, as they are all null).
    static func slots(of entity: EntityLayout) -> (attributes: [PropertyLayout], relationships: [PropertyLayout]) {
        let stored = entity.properties.filter(\.isPersistent)
        return (stored.filter { !$0.kind.isRelationship }, stored.filter { $0.kind.isRelationship })
    }
}
