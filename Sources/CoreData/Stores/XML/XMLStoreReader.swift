@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Reads the objects of an XML store with the help of a model.
struct XMLStoreReader {
    private let names: XMLStoreNames

    init(_ layout: ModelLayout) throws { names = try XMLStoreNames(layout) }

    /// - Throws: an error with the line of what the model doesn't have, or what isn't as it should be.
    func object(_ element: XMLTree) throws -> StoredObject {
        guard element.name == "object" else {
            throw XMLStoreDocument.malformed("there is a \"\(element.name)\" where an object is expected", element)
        }
        let type = element["type"] ?? ""
        guard let entity = names.entity(type) else {
            throw XMLStoreDocument.malformed("the model has no entity for the type \"\(type)\"", element)
        }
        let id = element["id"] ?? ""
        guard let reference = Self.reference(id) else {
            throw XMLStoreDocument.malformed("\"\(id)\" is no ID of an object", element)
        }
        var object = StoredObject(reference: reference, entity: entity, place: "line \(element.position?.line ?? 1)")
        object.propertyOrder.reserveCapacity(element.children.count)
        for child in element.children {
            switch child.name {
            case "attribute": try readAttribute(child, into: &object)
            case "relationship": try readRelationship(child, into: &object)
            default: throw XMLStoreDocument.malformed("an object has a \"\(child.name)\"", child)
            }
        }
        return object
    }

    /// The number of an ID such as z102.
    private static func reference(_ id: some StringProtocol) -> Int64? {
        guard id.first == "z", let first = id.dropFirst().first, first.isASCII, first.isNumber,
            let number = Int64(id.dropFirst()), number < StoredObject.highestReference
        else { return nil }
        return number
    }

    private func property(_ element: XMLTree, _ name: String, of object: StoredObject) throws -> PropertyLayout {
        guard let property = names.property(name, of: object.entity) else {
            throw XMLStoreDocument.malformed("the entity \(object.entity.name) has no property \"\(name)\"", element)
        }
        if object.propertyOrder.contains(property.index), property.kind != .composite {
            throw XMLStoreDocument.malformed("\(object.entity.name).\(property.name) occurs twice", element)
        }
        return property
    }

    private func readAttribute(_ element: XMLTree, into object: inout StoredObject) throws {
        let name = element["name"] ?? ""
        if let dot = name.firstIndex(of: ".") {
            let composite = try property(element, String(name[..<dot]), of: object)
            return try readElement(element, name[name.index(after: dot)...], of: composite, into: &object)
        }
        let property = try property(element, name, of: object)
        let value = try Self.value(of: property, element)
        object.values.append((property, value))
        object.propertyOrder.append(property.index)
    }

    private static func value(of property: PropertyLayout, _ element: XMLTree) throws -> Any {
        let place = "\(property.owner.name).\(property.name)"
        guard let expected = XMLStoreValue.typeName(of: property.kind) else {
            throw XMLStoreDocument.malformed("\(place) is no attribute that has a value of its own", element)
        }
        let type = element["type"] ?? ""
        guard type == expected else {
            throw XMLStoreDocument.malformed("\(place) is of the type \"\(type)\", not \"\(expected)\"", element)
        }
        guard let value = XMLStoreValue.value(element.text, of: property) else {
            throw XMLStoreDocument.malformed("the value of \(place) is no \(expected)", element)
        }
        return value
    }

    private func readElement(
        _ element: XMLTree, _ path: Substring, of composite: PropertyLayout, into object: inout StoredObject
    ) throws {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false)
        var chain: [PropertyLayout] = []
        for key in keys {
            let elements = (chain.last ?? composite).elements
            guard let next = elements.first(where: { XMLStoreNames.name(of: $0) == key }) else {
                throw XMLStoreDocument.malformed("\(composite.name) has no element \"\(path)\"", element)
            }
            chain.append(next)
        }
        guard let leaf = chain.last else { return }
        let value = try Self.value(of: leaf, element)
        let place = object.values.firstIndex { $0.property === composite }
        let known = place.flatMap { object.values[$0].value as? [String: Any] } ?? [:]
        let changed = Self.setting(value, at: chain[...], in: known)
        if let place {
            object.values[place].value = changed
        } else {
            object.values.append((composite, changed))
            object.propertyOrder.append(composite.index)
        }
    }

    private static func setting(
        _ value: Any, at chain: ArraySlice<PropertyLayout>, in values: [String: Any]
    ) -> [String: Any] {
        guard let first = chain.first else { return values }
        var values = values
        let inner = chain.dropFirst()
        values[first.name] =
            inner.isEmpty ? value : setting(value, at: inner, in: values[first.name] as? [String: Any] ?? [:])
        return values
    }

    private func readRelationship(_ element: XMLTree, into object: inout StoredObject) throws {
        let property = try property(element, element["name"] ?? "", of: object)
        guard property.kind.isRelationship else {
            throw XMLStoreDocument.malformed("\(object.entity.name).\(property.name) is no relationship", element)
        }
        let ids = (element["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
        let references = try ids.map { id in
            guard let reference = Self.reference(id) else {
                throw XMLStoreDocument.malformed("\"\(id)\" is no ID of an object", element)
            }
            return reference
        }
        object.propertyOrder.append(property.index)
        object.relationships.append(StoredObject.Relationship(property: property, destinations: references))
    }
}
