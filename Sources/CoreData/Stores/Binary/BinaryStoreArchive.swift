@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// The names that the two keyed archives of a binary store use, and the metadata archive.
enum BinaryStoreArchive {
    static let metadataKey = "metadata"
    static let objectsKey = "mapData"
    static let nodeClass = "NSDictionaryMapNode"
    static let entityName = "NSEntityName"
    static let primaryKey = "NSPrimaryKey64"
    static let values = "NSAttributeValues"
    static let destinations = "NSRelatedNodes"

    static func metadata(_ data: Data) throws -> [String: Any] {
        let archive = try KeyedArchive(data, rootKey: metadataKey)
        let root = try archive.rootObject()
        var result: [String: Any] = [:]
        for (key, value) in zip(try root.members("NS.keys") ?? [], try root.members("NS.objects") ?? []) {
            guard let name = try ValueArchiveReader.value(key, in: archive) as? String else { continue }
            result[name] = try ValueArchiveReader.value(value, in: archive).map(MetadataPropertyList.normalized)
        }
        guard result[NSStoreUUIDKey] is String else {
            throw ModelFileError(.malformed, "the metadata has no \(NSStoreUUIDKey)")
        }
        result[NSStoreTypeKey] = NSBinaryStoreType
        return result
    }

    static func archive(_ metadata: [String: Any]) throws -> Data {
        try MetadataPropertyList.requireTextKeys(metadata)
        var complete = metadata
        complete[NSStoreTypeKey] = NSBinaryStoreType
        let builder = KeyedArchiveBuilder()
        let root = try ValueArchiveWriter.add(complete as [AnyHashable: Any], to: builder)
        return builder.archive(root: root, rootKey: metadataKey)
    }

    /// The properties that an object's list of values has room for: the attributes first, inherited ones before the
    /// entity's own, then the relationships (seen in all fixtures; their order there can't be, as they are all null).
    static func slots(of entity: EntityLayout) -> (attributes: [PropertyLayout], relationships: [PropertyLayout]) {
        let stored = entity.properties.filter(\.isPersistent)
        return (stored.filter { !$0.kind.isRelationship }, stored.filter { $0.kind.isRelationship })
    }
}
