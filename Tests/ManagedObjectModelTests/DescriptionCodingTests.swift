import Foundation
import FoundationCompat
import ManagedObjectModel
import Testing

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate

@Suite("Every description can be copied, compared and archived")
struct DescriptionCodingTests {
    private static func named<Property: NSPropertyDescription>(_ property: Property, _ name: String) -> Property {
        property.name = name
        property.isOptional = false
        property.userInfo = ["note": "for \(name)"]
        property.versionHashModifier = "2"
        property.renamingIdentifier = "old\(name)"
        property.setValidationPredicates([NSPredicate(format: "SELF != nil")], withValidationWarnings: ["missing"])
        return property
    }

    private static func properties() -> [NSPropertyDescription] {
        let attribute = named(NSAttributeDescription(), "attribute")
        attribute.type = .binaryData
        attribute.defaultValue = Data([1, 2])
        attribute.allowsExternalBinaryDataStorage = true
        attribute.preservesValueInHistoryOnDeletion = true
        let relationship = named(NSRelationshipDescription(), "relationship")
        relationship.minCount = 2
        relationship.maxCount = 9
        relationship.isOrdered = true
        relationship.deleteRule = .denyDeleteRule
        let fetched = named(NSFetchedPropertyDescription(), "fetched")
        fetched.fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        fetched.fetchRequest?.predicate = NSPredicate(format: "pages > 3")
        let derived = named(NSDerivedAttributeDescription(), "derived")
        derived.type = .integer64
        derived.derivationExpression = NSExpression(format: "count:(works)")
        let composite = named(NSCompositeAttributeDescription(), "composite")
        composite.elements = [LibraryModel.attribute("part", .string)]
        return [attribute, relationship, fetched, derived, composite]
    }

    private func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: type(of: object), from: data)
    }

    @Test("Properties of every kind")
    func everyProperty() throws {
        for property in Self.properties() {
            let copy = try #require(property.copy() as? NSPropertyDescription)
            #expect(copy !== property && copy == property && copy.hash == property.hash)
            #expect(copy.versionHash == property.versionHash)
            let read = try archived(property)
            #expect(read == property, "\(property.name)")
            copy.name = "other"
            #expect(copy != property)
        }
    }

    @Test("Each setting makes a difference")
    func settings() throws {
        let changes: [(NSAttributeDescription) -> Void] = [
            { $0.isOptional = true }, { $0.isTransient = true }, { $0.userInfo = nil },
            { $0.versionHashModifier = "3" },
            { $0.renamingIdentifier = "x" }, { $0.setValidationPredicates(nil, withValidationWarnings: nil) },
            { $0.type = .string }, { $0.defaultValue = nil }, { $0.valueTransformerName = "T" },
            { $0.allowsExternalBinaryDataStorage = false }, { $0.preservesValueInHistoryOnDeletion = false },
            { $0.allowsCloudEncryption = true }, { $0.isIndexedBySpotlight = true },
        ]
        let original = try #require(Self.properties().first as? NSAttributeDescription)
        for (number, change) in changes.enumerated() {
            let copy = try #require(original.copy() as? NSAttributeDescription)
            change(copy)
            #expect(copy != original, "change \(number)")
        }
    }

    @Test("Expressions, entities, indexes and elements")
    func others() throws {
        let expression = NSExpressionDescription()
        expression.name = "sum"
        expression.expression = NSExpression(format: "pages * 2")
        expression.resultType = .integer64
        #expect((expression.copy() as? NSExpressionDescription) == expression)
        #expect(try archived(expression) == expression)
        let entity = LibraryModel.entity("Shelf", Self.properties() + [LibraryModel.attribute("number", .integer16)])
        entity.uniquenessConstraints = [["number"]]
        let number = try #require(entity.attributesByName["number"])
        let element = NSFetchIndexElementDescription(property: number, collationType: .binary)
        element.isAscending = false
        let index = NSFetchIndexDescription(name: "byNumber", elements: [element])
        index.partialIndexPredicate = NSPredicate(format: "number > 3")
        entity.indexes = [index]
        #expect((entity.copy() as? NSEntityDescription) == entity)
        #expect(try archived(entity) == entity)
        #expect((index.copy() as? NSFetchIndexDescription) == index)
        #expect(try archived(index) == index)
        #expect((element.copy() as? NSFetchIndexElementDescription) == element)
        #expect(try archived(element) == element)
    }
}
