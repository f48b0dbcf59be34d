@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Reads and writes the keyed archive with the metadata of a binary store.
enum BinaryStoreMetadata {
    /// The metadata in their archive.
    static func read(_ data: Data) throws -> [String: Any] {
        let archive = try KeyedArchive(data, rootKey: BinaryStoreNames.metadataKey)
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
        return builder.archive(root: root, rootKey: BinaryStoreNames.metadataKey)
    }
}
