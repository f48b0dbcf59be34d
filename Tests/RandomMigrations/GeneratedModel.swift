import CoreData
import Foundation
import TestSupport

/// A model as plain values. Everything has a number that stays when it is renamed or moved.
struct GeneratedModel {
    struct Attribute {
        var number: Int
        var name: String
        var type: NSAttributeType
        var isOptional = true
        var initial: String?
    }

    struct Entity {
        var number: Int
        var name: String
        var parent: Int?
        var isAbstract = false
        var attributes: [Attribute] = []
        var indexed: String?
    }

    struct End {
        var entity: Int
        var name: String
        var isToMany: Bool
        var isOrdered = false
    }

    struct Relationship {
        var number: Int
        var near: End
        /// Nil for a relationship without inverse.
        var far: End?
        var destination: Int
    }

    var entities: [Entity] = []
    var relationships: [Relationship] = []
    private(set) var last = 0

    mutating func number() -> Int {
        last += 1
        return last
    }

    func entity(_ number: Int) -> Entity? { entities.first { $0.number == number } }

    func lineage(_ number: Int) -> [Entity] {
        guard let entity = entity(number) else { return [] }
        return (entity.parent.map(lineage) ?? []) + [entity]
    }

    func root(_ number: Int) -> Int { lineage(number)[0].number }

    func isKind(_ number: Int, of other: Int) -> Bool { lineage(number).contains { $0.number == other } }

    func attributes(_ number: Int) -> [Attribute] { lineage(number).flatMap(\.attributes) }

    func children(_ number: Int) -> [Entity] { entities.filter { $0.parent == number } }

    // MARK: As a Core Data model

    /// - Parameter former: the version before, for renaming identifiers.
    func model(after former: GeneratedModel? = nil) -> NSManagedObjectModel {
        var descriptions: [Int: NSEntityDescription] = [:]
        for entity in entities {
            let description = NSEntityDescription()
            description.name = entity.name
            description.isAbstract = entity.isAbstract
            if let old = former?.entity(entity.number)?.name, old != entity.name {
                description.renamingIdentifier = old
            }
            description.properties = entity.attributes.map { attribute in
                let property = NSAttributeDescription()
                property.name = attribute.name
                property.attributeType = attribute.type
                property.isOptional = attribute.isOptional
                property.defaultValue = attribute.initial.map { Self.value($0, attribute.type) }
                let before = former?.entities.lazy.flatMap(\.attributes).first { $0.number == attribute.number }
                if let before, before.name != attribute.name { property.renamingIdentifier = before.name }
                return property
            }
            descriptions[entity.number] = description
        }
        for entity in entities {
            descriptions[entity.number]?.subentities = children(entity.number).compactMap { descriptions[$0.number] }
        }
        for relationship in relationships {
            let before = former?.relationships.first { $0.number == relationship.number }
            let near = Self.property(relationship.near, was: before?.near, to: descriptions[relationship.destination])
            descriptions[relationship.near.entity]?.properties.append(near)
            guard let far = relationship.far else { continue }
            let inverse = Self.property(far, was: before?.far, to: descriptions[relationship.near.entity])
            descriptions[far.entity]?.properties.append(inverse)
            near.inverseRelationship = inverse
            inverse.inverseRelationship = near
        }
        for entity in entities {
            guard let indexed = entity.indexed, let description = descriptions[entity.number],
                let property = description.propertiesByName[indexed]
            else { continue }
            let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
            description.indexes = [NSFetchIndexDescription(name: "by\(indexed)", elements: [element])]
        }
        let model = NSManagedObjectModel()
        model.entities = entities.compactMap { descriptions[$0.number] }
        return model
    }

    private static func property(_ end: End, was former: End?, to destination: NSEntityDescription?)
        -> NSRelationshipDescription
    {
        let property = NSRelationshipDescription()
        property.name = end.name
        property.destinationEntity = destination
        property.maxCount = end.isToMany ? 0 : 1
        property.isOrdered = end.isOrdered
        property.isOptional = true
        if let former, former.name != end.name { property.renamingIdentifier = former.name }
        return property
    }

    // MARK: Values

    static let types: [NSAttributeType] = [
        .stringAttributeType, .integer64AttributeType, .integer16AttributeType, .doubleAttributeType,
        .booleanAttributeType, .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType, .decimalAttributeType,
    ]

    /// A value of a type that a text of digits stands for.
    static func value(_ text: String, _ type: NSAttributeType) -> Any {
        let number = Int(text) ?? 0
        switch type {
        case .integer64AttributeType: return NSNumber(value: Int64(number) << 20)
        case .integer16AttributeType: return NSNumber(value: Int16(truncatingIfNeeded: number % 30000))
        case .doubleAttributeType: return NSNumber(value: Double(number) / 8)
        case .booleanAttributeType: return NSNumber(value: number.isMultiple(of: 2))
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: Double(number) * 1.5)
        case .binaryDataAttributeType: return Data(text.utf8)
        case .UUIDAttributeType: return UUID(uuidString: String(format: "00000000-0000-4000-8000-%012d", number))!
        case .decimalAttributeType: return NSDecimalNumber(decimal: Decimal(number) / 4)
        default: return "text '\(text)'"
        }
    }
}
