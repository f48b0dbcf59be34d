@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Stores in binary files in Apple's format (`NSBinaryStoreType`): a header and two keyed archives.
final class BinaryStore: FileAtomicStore {
    private var contents: Data?

    override var type: String { NSBinaryStoreType }

    override class var firstReference: Int64 { 0 }

    override class func begins(with head: Data) -> Bool { BinaryStoreHeader.begins(with: head) }

    override class func metadata(in data: Data) throws -> [String: Any] {
        try BinaryStoreMetadata.read(BinaryStoreHeader(data).metadata(in: data))
    }

    override class func replacingMetadata(in data: Data, with metadata: [String: Any]) throws -> Data {
        let header = try BinaryStoreHeader(data)
        return BinaryStoreHeader.file(
            objects: header.objects(in: data), metadata: try BinaryStoreMetadata.archive(metadata),
            lastReference: header.lastReference)
    }

    override func open(_ data: Data) throws -> (metadata: [String: Any], lastReference: Int64) {
        let header = try BinaryStoreHeader(data)
        contents = header.objects(in: data)
        return (try BinaryStoreMetadata.read(header.metadata(in: data)), header.lastReference)
    }

    override func consumeObjects(for layout: ModelLayout) throws -> [StoredObject] {
        defer { contents = nil }
        return try contents.map { try BinaryStoreReader(layout).objects(in: $0) } ?? []
    }

    override func serialized(_ nodes: [FileCacheNode]) throws -> Data {
        var writer = BinaryStoreWriter { [unowned self] in
            (referenceObject(for: $0.objectID) as? NSNumber)?.intValue ?? 0
        }
        for node in nodes { try writer.add(node) }
        return BinaryStoreHeader.file(
            objects: writer.finish(), metadata: try BinaryStoreMetadata.archive(metadata ?? [:]),
            lastReference: lastReference)
    }
}
