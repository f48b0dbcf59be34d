@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// The names of entities and properties as XML stores spell them: in capitals, and in small letters.
struct XMLStoreNames {
    private var entities: [String: EntityLayout] = [:]
    private var properties: [Int: [String: PropertyLayout]] = [:]

    /// - Throws: an error that names two entities or properties whose names differ in case only.
    init(_ layout: ModelLayout) throws {
        for entity in layout.entities {
            if let other = entities.updateValue(entity, forKey: Self.name(of: entity)) {
                throw Self.ambiguous("the entities \(other.name) and \(entity.name)")
            }
            properties[entity.index] = try Self.properties(of: entity)
        }
    }

    static func name(of entity: EntityLayout) -> String { entity.name.uppercased() }
    static func name(of property: PropertyLayout) -> String { property.name.lowercased() }

    /// The name of an element of a composite attribute (our choice: no composite attribute has been seen in an XML store).
    static func name(of element: PropertyLayout, in composite: String) -> String {
        "\(composite).\(name(of: element))"
    }

    func entity(_ name: String) -> EntityLayout? { entities[name] }
    func property(_ name: String, of entity: EntityLayout) -> PropertyLayout? { properties[entity.index]?[name] }

    private static func properties(of entity: EntityLayout) throws -> [String: PropertyLayout] {
        var found: [String: PropertyLayout] = [:]
        for property in entity.properties where property.isPersistent {
            if let other = found.updateValue(property, forKey: name(of: property)) {
                throw ambiguous("the properties \(entity.name).\(other.name) and \(entity.name).\(property.name)")
            }
        }
        return found
    }

    private static func ambiguous(_ what: String) -> any Error {
        CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "In XML stores \(what) are the same, because letters lose their case there. Rename one of the two.")
    }
}
