import CoreData
import Foundation
import Testing

@Suite("A subentity may declare an inherited name anew, with another kind")
struct RedeclaredPropertyTests {
    enum Kind: CaseIterable {
        case text, number, real, composite, toOne, toMany, transient
    }

    private static func property(_ kind: Kind, to entity: NSEntityDescription) -> NSPropertyDescription {
        switch kind {
        case .text: return NSAttributeDescription(optional: "a", .stringAttributeType)
        case .number: return NSAttributeDescription(optional: "a", .integer64AttributeType)
        case .real: return NSAttributeDescription(optional: "a", .doubleAttributeType)
        case .composite:
            let composite = NSCompositeAttributeDescription()
            composite.name = "a"
            composite.elements = [
                NSAttributeDescription(optional: "x", .doubleAttributeType),
                NSAttributeDescription(optional: "y", .stringAttributeType),
            ]
            return composite
        case .toOne, .toMany:
            let relationship = NSRelationshipDescription()
            relationship.name = "a"
            relationship.destinationEntity = entity
            relationship.maxCount = kind == .toOne ? 1 : 0
            relationship.isOptional = true
            return relationship
        case .transient:
            let transient = NSAttributeDescription(optional: "a", .stringAttributeType)
            transient.isTransient = true
            return transient
        }
    }

    private static func model(_ base: Kind, _ own: Kind) -> NSManagedObjectModel {
        let (above, below, other) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (above.name, below.name, other.name) = ("Above", "Below", "Other")
        above.subentities = [below]
        above.properties = [property(base, to: other), NSAttributeDescription(optional: "b", .stringAttributeType)]
        below.properties = [property(own, to: other), NSAttributeDescription(optional: "c", .stringAttributeType)]
        other.properties = [NSAttributeDescription(optional: "number", .integer64AttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [above, below, other]
        return model
    }

    private static func value(_ kind: Kind, _ other: NSManagedObject) -> Any? {
        switch kind {
        // Columns of numbers would change the text, and one of texts the number.
        case .text: "007"
        case .number: 9_007_199_254_740_993
        case .real: 0.1 + 0.2
        case .composite: ["x": 2.5, "y": "why"]
        case .toOne: other
        case .toMany: Set([other])
        case .transient: nil
        }
    }

    private static let types = [NSBinaryStoreType, NSXMLStoreType, NSInMemoryStoreType]

    @Test("All values of both are kept, where objects aren't rows of one table", arguments: types)
    func values(type: String) throws {
        for base in Kind.allCases {
            for own in Kind.allCases {
                try check(base, own, type)
            }
        }
    }

    @Test("A SQLite store refuses the model, and names both entities; what has one type fits")
    func oneTable() throws {
        for base in Kind.allCases {
            for own in Kind.allCases {
                let fits = base == own && base != .composite && base != .toMany
                do {
                    let stack = try TemporaryStack(model: Self.model(base, own))
                    #expect(fits, "\(base), \(own)")
                    #expect(FileManager.default.fileExists(atPath: stack.storeURL.path))
                } catch {
                    #expect(!fits, "\(base), \(own)")
                    #expect((error as NSError).code == NSPersistentStoreIncompatibleSchemaError)
                    #expect(error.localizedDescription.contains("Below.a is of another kind"), "\(error)")
                    #expect(error.localizedDescription.contains("inherits from Above"), "\(error)")
                }
            }
        }
    }

    @Test("So does it where a to-one leads to another entity than the inherited one, or has another inverse")
    func destinations() throws {
        for sharesDestination in [false, true] {
            let (above, below, first, second) = (
                NSEntityDescription(), NSEntityDescription(), NSEntityDescription(), NSEntityDescription()
            )
            (above.name, below.name, first.name, second.name) = ("Above", "Below", "First", "Second")
            above.subentities = [below]
            func pair(_ owner: NSEntityDescription, _ destination: NSEntityDescription, _ name: String) {
                let (toOne, toMany) = (NSRelationshipDescription(), NSRelationshipDescription())
                (toOne.name, toOne.destinationEntity, toOne.maxCount, toOne.isOptional) = ("a", destination, 1, true)
                (toMany.name, toMany.destinationEntity, toMany.maxCount, toMany.isOptional) = (name, owner, 0, true)
                (toOne.inverseRelationship, toMany.inverseRelationship) = (toMany, toOne)
                owner.properties = [toOne]
                destination.properties += [toMany]
            }
            pair(above, first, "aboves")
            pair(below, sharesDestination ? first : second, "belows")
            let model = NSManagedObjectModel()
            model.entities = [above, below, first, second]
            #expect(throws: NSError.self) { try TemporaryStack(model: model) }
            _ = try TemporaryStack(model: model.copy() as? NSManagedObjectModel, storeType: NSXMLStoreType)
        }
    }

    private func check(_ base: Kind, _ own: Kind, _ type: String) throws {
        let stack = try TemporaryStack(model: Self.model(base, own), storeType: type)
        let context = stack.context()
        var others: [NSManagedObject] = []
        for (name, kind) in [("Above", base), ("Below", own)] {
            let other = NSEntityDescription.insertNewObject(forEntityName: "Other", into: context)
            others.append(other)
            let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
            object.setValue(Self.value(kind, other), forKey: "a")
            object.setValue("b of \(name)", forKey: "b")
            if name == "Below" { object.setValue("c", forKey: "c") }
        }
        try context.save()
        let identifiers = others.map(\.objectID)
        let saved = try stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Above")
        request.sortDescriptors = [NSSortDescriptor(key: "b", ascending: true)]
        let objects = try saved.fetch(request)
        try #require(objects.map(\.entity.name) == ["Above", "Below"])
        for (object, (kind, other)) in zip(objects, [(base, identifiers[0]), (own, identifiers[1])]) {
            let place = "\(base), \(own), \(object.entity.name ?? ""), \(type)"
            let expected = Self.value(kind, saved.object(with: other))
            #expect(object.value(forKey: "a") as? NSObject == expected as? NSObject, "\(place)")
            #expect(object.value(forKey: "b") as? String == "b of \(object.entity.name ?? "")", "\(place)")
        }
        #expect(objects[1].value(forKey: "c") as? String == "c")
    }

    @Test("Archives keep them, and the version hashes")
    func archives() throws {
        for base in Kind.allCases {
            for own in Kind.allCases {
                let model = Self.model(base, own)
                let data = try NSKeyedArchiver.archivedData(withRootObject: model, requiringSecureCoding: true)
                let copy = try #require(
                    try NSKeyedUnarchiver.unarchivedObject(ofClass: NSManagedObjectModel.self, from: data))
                // What is equal to the inherited property is taken for it.
                #expect(copy == model || base == own, "\(base), \(own)")
                #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName, "\(base), \(own)")
            }
        }
    }
}
