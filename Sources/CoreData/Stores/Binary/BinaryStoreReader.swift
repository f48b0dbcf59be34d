@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Reads the objects of a binary store with the help of a model.
struct BinaryStoreReader {
    private let layout: ModelLayout

    init(_ layout: ModelLayout) { self.layout = layout }

    /// - Throws: an error with the number of the object that the model doesn't fit, or that isn't as it should be.
    func objects(in data: Data) throws -> [StoredObject] {
        let archive = try KeyedArchive(data, rootKey: BinaryStoreNames.objectsKey)
        return try archive.rootObject().objects("NS.objects").map { try object($0, in: archive) }
    }

    private func object(_ archived: ArchivedObject, in archive: KeyedArchive) throws -> StoredObject {
        guard archived.className == BinaryStoreNames.nodeClass else {
            throw ModelFileError(.malformed, "there is a \(archived.className) where an object is expected")
        }
        let name = try archived.requiredString(BinaryStoreNames.entityName)
        let reference = Int64(try archived.integer(BinaryStoreNames.primaryKey))
        let place = "object \(reference) (\(name))"
        guard (1..<StoredObject.highestReference).contains(reference) else {
            throw ModelFileError(.malformed, "that is no number of an object", at: place)
        }
        guard let entity = layout.entity(named: name) else {
            throw ModelFileError(.malformed, "the model has no entity \"\(name)\"", at: place)
        }
        var object = StoredObject(reference: reference, entity: entity, place: place)
        try readValues(archived, in: archive, into: &object)
        try readDestinations(archived, in: archive, into: &object)
        return object
    }

    private func readValues(
        _ archived: ArchivedObject, in archive: KeyedArchive, into object: inout StoredObject
    ) throws {
        let (attributes, relationships) = BinaryStoreNames.slots(of: object.entity)
        let values = try archived.object(BinaryStoreNames.values)?.members("NS.objects") ?? []
        guard values.count == attributes.count + relationships.count else {
            throw ModelFileError(
                .malformed,
                "it has \(values.count) values, and the model says \(attributes.count) attributes and "
                    + "\(relationships.count) relationships", at: object.place)
        }
        for (property, node) in zip(attributes, values) {
            guard let value = try ValueArchiveReader.value(node, in: archive), !(value is NSNull) else { continue }
            object.values.append((property, try Self.value(value, of: property, at: object.place)))
            object.propertyOrder.append(property.index)
        }
    }

    private static func value(_ value: Any, of property: PropertyLayout, at place: String) throws -> Any {
        if property.kind == .composite {
            guard let values = MetadataPropertyList.normalized(value) as? [String: Any] else {
                throw wrongType(value, property, at: place)
            }
            return property.mappingTransformables(in: values) { _, value in
                (value as? Data).map(ArchivedTransformable.init) ?? value
            }
        }
        if property.kind == .transformable {
            return (value as? Data).map(ArchivedTransformable.init) ?? value
        }
        guard let converted = FieldValue(value, kind: property.kind)?.anyValue(of: property) else {
            throw wrongType(value, property, at: place)
        }
        return converted
    }

    private static func wrongType(_ value: Any, _ property: PropertyLayout, at place: String) -> ModelFileError {
        ModelFileError(
            .malformed,
            "\(property.name) is a \(type(of: value)), and the model says "
                + "\(property.attribute?.attributeValueClassName ?? "another type")", at: place)
    }

    /// The destinations by relationship; a to-one has one in its list, an empty relationship isn't there.
    private func readDestinations(
        _ archived: ArchivedObject, in archive: KeyedArchive, into object: inout StoredObject
    ) throws {
        for (name, node) in try archived.pairs(BinaryStoreNames.destinations) {
            guard let property = object.entity.property(named: name), property.kind.isRelationship,
                property.isPersistent
            else { throw ModelFileError(.malformed, "the entity has no relationship \"\(name)\"", at: object.place) }
            guard let members = try archive.object(at: node, in: object.place)?.members("NS.objects") else {
                throw ModelFileError(.malformed, "\(name) is no list of objects", at: object.place)
            }
            let references = try members.map { member in
                guard let number = try ValueArchiveReader.value(member, in: archive) as? NSNumber else {
                    throw ModelFileError(.malformed, "\(name) leads to something that is no object", at: object.place)
                }
                return number.int64Value
            }
            object.propertyOrder.append(property.index)
            object.relationships.append(StoredObject.Relationship(property: property, destinations: references))
        }
    }
}
