@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Writes an XML store as Apple's framework does: one object after the other, with all its relationships.
struct XMLStoreWriter {
    private var text: String
    private let reference: (NSAtomicStoreCacheNode) -> String
    private var entities: [Int: EntityOrder] = [:]

    /// - Parameters:
    ///   - info: the head, from ``XMLStoreInfoWriter``.
    ///   - reference: the number of a node's object.
    init(info: String, reference: @escaping (NSAtomicStoreCacheNode) -> String) {
        text = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>

            """
        text += info
        self.reference = reference
    }

    func finish() -> Data { Data((text + "</database>").utf8) }

    /// The order of the properties of objects that the file doesn't have yet: attributes from the last to the first, then
    /// to-one relationships, then to-many ones (seen in the mapping models, whose model is known).
    private struct EntityOrder {
        let attributes: [PropertyLayout]
        let relationships: [PropertyLayout]

        init(_ entity: EntityLayout) {
            let stored = entity.properties.filter(\.isPersistent)
            attributes = stored.filter { !$0.kind.isRelationship }.reversed()
            relationships = stored.filter { $0.kind == .toOne } + stored.filter { $0.kind == .toMany }
        }
    }

    /// - Throws: an error that names the object and the attribute when a value isn't of its type.
    mutating func add(_ node: FileCacheNode) throws {
        let layout = node.objectID.layout
        text += "    <object type=\"\(XMLStoreNames.name(of: layout))\" id=\"z\(reference(node))\">\n"
        var order: [Int] = []
        for property in properties(of: node, layout) {
            if property.kind.isRelationship {
                add(property, of: node)
                order.append(property.index)
            } else if let value = node.storedValue(of: property), !(value is NSNull) {
                try add(property, XMLStoreNames.name(of: property), value, of: node)
                order.append(property.index)
            }
        }
        text += "    </object>\n"
        if order != node.propertyOrder { node.propertyOrder = order }
    }

    /// What the file has keeps its place; new attributes come before, new relationships behind.
    private mutating func properties(of node: FileCacheNode, _ layout: EntityLayout) -> [PropertyLayout] {
        let order = entities[layout.index] ?? EntityOrder(layout)
        entities[layout.index] = order
        if node.propertyOrder.isEmpty { return order.attributes + order.relationships }
        let known = Set(node.propertyOrder)
        return order.attributes.filter { !known.contains($0.index) }
            + node.propertyOrder.map { layout.properties[$0] }
            + order.relationships.filter { !known.contains($0.index) }
    }

    private mutating func add(_ property: PropertyLayout, _ name: String, _ value: Any, of node: FileCacheNode) throws {
        if property.kind == .composite, let values = value as? [String: Any] {
            for element in property.elements {
                guard let value = values[element.name], !(value is NSNull) else { continue }
                try add(element, XMLStoreNames.name(of: element, in: name), value, of: node)
            }
            return
        }
        guard let type = XMLStoreValue.typeName(of: property.kind),
            let written = XMLStoreValue.text(of: value, property)
        else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "An XML store can't hold the \(Swift.type(of: value)) that \(property.owner.name).\(property.name) of "
                    + "\(node.objectID.uriRepresentation().absoluteString) has.",
                [NSAffectedObjectsErrorKey: [node.objectID]])
        }
        text += "        <attribute name=\"\(name)\" type=\"\(type)\">\(written)</attribute>\n"
    }

    private mutating func add(_ relationship: PropertyLayout, of node: FileCacheNode) {
        let name = XMLStoreNames.name(of: relationship)
        let description = relationship.relationship
        let cardinality = "\(description?.minCount ?? 0)/\(description?.maxCount ?? 0)"
        let destination = relationship.destination.map(XMLStoreNames.name(of:)) ?? ""
        text += "        <relationship name=\"\(name)\" type=\"\(cardinality)\" destination=\"\(destination)\""
        let references = node.destinations(of: relationship).map { "z\(reference($0))" }
        if !references.isEmpty { text += " idrefs=\"\(references.joined(separator: " "))\"" }
        text += "></relationship>\n"
    }
}
