@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Stores in XML files in Apple's format (`NSXMLStoreType`).
final class XMLStore: FileAtomicStore {
    private var document: XMLStoreDocument?

    override var type: String { NSXMLStoreType }

    /// Objects of new stores begin with z102 (seen in 28 of 30 fixtures).
    override class var firstReference: Int64 { 101 }

    override class func begins(with head: Data) -> Bool {
        // The part of a file that was cut off within its first lines.
        if Data("<?xml version=\"1.0\"?>\n<!DOCTYPE database".utf8).starts(with: head) { return true }
        return ["<database", "<!DOCTYPE database"].contains { head.range(of: Data($0.utf8)) != nil }
    }

    /// Before anything is written, as it couldn't be read again.
    override class func check(_ layout: ModelLayout) throws { _ = try XMLStoreNames(layout) }

    override class func metadata(in data: Data) throws -> [String: Any] {
        try XMLStoreDocument(XMLTreeParser.parse(data)).metadata
    }

    override class func replacingMetadata(in data: Data, with metadata: [String: Any]) throws -> Data {
        let lastReference = try XMLStoreDocument(XMLTreeParser.parse(data)).lastReference
        let info = try XMLStoreInfoWriter.write(metadata, lastReference: lastReference)
        guard
            let start = data.range(of: Data("    <databaseInfo>".utf8)) ?? data.range(of: Data("<databaseInfo>".utf8)),
            let end = data.range(of: Data("</databaseInfo>".utf8), in: start.upperBound..<data.endIndex)
        else { throw ModelFileError(.malformed, "the element \"databaseInfo\" is empty") }
        var changed = data[..<start.lowerBound]
        changed.append(Data(info.utf8))
        let rest = data[end.upperBound...]
        changed.append(rest.first == UInt8(ascii: "\n") ? rest.dropFirst() : rest)
        return Data(changed)
    }

    override func open(_ data: Data) throws -> (metadata: [String: Any], lastReference: Int64) {
        let document = try XMLStoreDocument(XMLTreeParser.parse(data))
        self.document = document
        return (document.metadata, document.lastReference)
    }

    override func consumeObjects(for layout: ModelLayout) throws -> [StoredObject] {
        defer { document = nil }
        guard let document else { return [] }
        let reader = try XMLStoreReader(layout)
        return try document.objects.map { try reader.object($0) }
    }

    override func serialized(_ nodes: [FileCacheNode]) throws -> Data {
        let info = try XMLStoreInfoWriter.write(metadata, lastReference: lastReference)
        var writer = XMLStoreWriter(info: info) { [unowned self] in "\(referenceObject(for: $0.objectID))" }
        for node in nodes { try writer.add(node) }
        return writer.finish()
    }
}
