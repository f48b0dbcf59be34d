@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Writes the objects of a binary store into a keyed archive.
struct BinaryStoreWriter {
    private let builder = KeyedArchiveBuilder()
    private let reference: (NSAtomicStoreCacheNode) -> Int
    private let missing: PropertyListNode
    private var pairs: [(key: PropertyListNode, value: PropertyListNode)] = []
    private var slots: [Int: (attributes: [PropertyLayout], relationships: [PropertyLayout])] = [:]

    /// - Parameter reference: the number of a node's object.
    init(reference: @escaping (NSAtomicStoreCacheNode) -> Int) {
        self.reference = reference
        missing = builder.add(className: "NSNull", fields: [:])
    }

    func finish() -> Data {
        builder.archive(
            root: builder.addDictionary(pairs, className: "NSMutableDictionary"), rootKey: BinaryStoreNames.objectsKey
        )
    }

    /// - Throws: an error that names the object and the attribute when a value isn't of its type.
    mutating func add(_ node: FileCacheNode) throws {
        let layout = node.objectID.layout
        let (attributes, relationships) = slots[layout.index] ?? BinaryStoreNames.slots(of: layout)
        slots[layout.index] = (attributes, relationships)
        let values = try attributes.map { try value(of: $0, node) } + relationships.map { _ in missing }
        var fields: [String: PropertyListNode] = [
            BinaryStoreNames.entityName: builder.add(layout.name),
            BinaryStoreNames.primaryKey: .integer(reference(node)),
            BinaryStoreNames.values: builder.addArray(values),
        ]
        let destinations = relationships.compactMap { relationship in
            list(of: relationship, node).map { (key: builder.add(relationship.name), value: $0) }
        }
        if !destinations.isEmpty {
            fields[BinaryStoreNames.destinations] = builder.addDictionary(
                destinations, className: "NSMutableDictionary")
        }
        let archived = builder.add(className: BinaryStoreNames.nodeClass, fields: fields)
        pairs.append((builder.add(PropertyListNode.integer(reference(node))), archived))
    }

    private func list(of relationship: PropertyLayout, _ node: FileCacheNode) -> PropertyListNode? {
        let kept = node.destinations(of: relationship)
        guard !kept.isEmpty else { return nil }
        return builder.addArray(
            kept.map { builder.add(PropertyListNode.integer(reference($0))) },
            className: relationship.kind == .toMany ? "NSMutableArray" : "NSArray")
    }

    private func value(of property: PropertyLayout, _ node: FileCacheNode) throws -> PropertyListNode {
        guard var value = node.storedValue(of: property), !(value is NSNull) else { return missing }
        if property.kind == .composite, let values = value as? [String: Any] {
            value = property.mappingTransformables(in: values) { element, value in
                (value as? ArchivedTransformable)?.data ?? TransformableCoder.data(from: value, of: element) ?? value
            }
        }
        if let archived = value as? ArchivedTransformable {
            return try ValueArchiveWriter.add(archived.data, to: builder)
        }
        if property.kind == .transformable, let data = TransformableCoder.data(from: value, of: property) {
            return try ValueArchiveWriter.add(data, to: builder)
        }
        do {
            switch FieldValue(value, kind: property.kind) {
            case .int(let value): return builder.add(PropertyListNode.integer(Int(value)))
            case nil: throw ModelFileError(.unsupported, "its type is \(Swift.type(of: value))")
            default: return try ValueArchiveWriter.add(value, to: builder)
            }
        } catch let error as ModelFileError {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "A binary store can't hold the value that \(property.owner.name).\(property.name) of "
                    + "\(node.objectID.uriRepresentation().absoluteString) has: \(error.message).",
                [NSAffectedObjectsErrorKey: [node.objectID], NSUnderlyingErrorKey: error])
        }
    }
}
