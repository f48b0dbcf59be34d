import CoreData
import Foundation
import Testing

@Suite("Sibling entities may have different relationships of one name")
struct SiblingRelationshipTests {
    private static let types = [NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType, NSInMemoryStoreType]

    /// `Photo` and `Song` below `Item`, each with `owner` and `owners`, which lead to entities of their own.
    private static func model() -> NSManagedObjectModel {
        let base = NSEntityDescription()
        base.name = "Item"
        base.properties = [NSAttributeDescription(optional: "place", .integer32AttributeType)]
        var (members, entities) = ([NSEntityDescription](), [base])
        for (name, destination) in [("Photo", "Album"), ("Song", "Band"), ("Text", nil)] {
            let entity = NSEntityDescription()
            entity.name = name
            members.append(entity)
            entities.append(entity)
            guard let destination else {
                entity.properties = [
                    NSAttributeDescription(optional: "owner", .doubleAttributeType),
                    NSAttributeDescription(optional: "owners", .stringAttributeType),
                ]
                continue
            }
            let other = NSEntityDescription()
            other.name = destination
            entities.append(other)
            let toOne = relationship("owner", to: other, maxCount: 1)
            let toMany = relationship("owners", to: other, maxCount: 0)
            let (back, backs) = (
                relationship("items", to: entity, maxCount: 0), relationship("all", to: entity, maxCount: 0)
            )
            (toOne.inverseRelationship, back.inverseRelationship) = (back, toOne)
            (toMany.inverseRelationship, backs.inverseRelationship) = (backs, toMany)
            entity.properties = [toOne, toMany]
            other.properties = [NSAttributeDescription(optional: "number", .integer32AttributeType), back, backs]
        }
        base.subentities = members
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func relationship(
        _ name: String, to destination: NSEntityDescription, maxCount: Int
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        (relationship.name, relationship.destinationEntity, relationship.maxCount) = (name, destination, maxCount)
        relationship.isOptional = true
        return relationship
    }

    @Test("Read one object after the other, each leads to its own", arguments: types)
    func readAhead(type: String) throws {
        let stack = try TemporaryStack(model: Self.model(), storeType: type)
        let context = stack.context()
        try context.performAndWait {
            for number in 0..<30 {
                let name = ["Photo", "Song", "Text"][number % 3]
                let item = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                item.setValue(number, forKey: "place")
                if name == "Text" {
                    item.setValue(Double(number) * 1e300, forKey: "owner")
                    item.setValue("text \(number)", forKey: "owners")
                } else {
                    let owner = NSEntityDescription.insertNewObject(
                        forEntityName: name == "Photo" ? "Album" : "Band", into: context)
                    owner.setValue(number, forKey: "number")
                    item.setValue(owner, forKey: "owner")
                    item.setValue(Set([owner]), forKey: "owners")
                }
            }
            try context.save()
            for isToManyFirst in [false, true] {
                context.reset()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                request.sortDescriptors = [NSSortDescriptor(key: "place", ascending: true)]
                for (number, item) in try context.fetch(request).enumerated() where number % 3 < 2 {
                    let expected = number % 3 == 0 ? "Album" : "Band"
                    for key in isToManyFirst ? ["owners", "owner"] : ["owner", "owners"] {
                        let value = item.value(forKey: key)
                        let owner = try #require(
                            (value as? Set<NSManagedObject>)?.first ?? value as? NSManagedObject, "\(number) \(key)")
                        #expect(owner.entity.name == expected, "\(number) \(key)")
                        #expect(owner.value(forKey: "number") as? Int == number, "\(number) \(key)")
                    }
                }
            }
        }
    }
}
