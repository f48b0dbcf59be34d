import CoreData
import Foundation
import Testing

/// Seen in models of shipped apps: Xcode lets a relationship be ordered that leads to one object.
@Suite("A to-one relationship that the model calls ordered")
struct OrderedToOneTests {
    private static func model() -> NSManagedObjectModel {
        let (match, alliance) = (NSEntityDescription(), NSEntityDescription())
        (match.name, alliance.name) = ("Match", "Alliance")
        let (to, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (to.name, to.maxCount, to.isOrdered, to.destinationEntity) = ("alliance", 1, true, alliance)
        (back.name, back.maxCount, back.isOrdered, back.destinationEntity) = ("match", 1, true, match)
        (to.inverseRelationship, back.inverseRelationship) = (back, to)
        (to.isOptional, back.isOptional) = (true, true)
        match.properties = [to]
        alliance.properties = [back]
        let model = NSManagedObjectModel()
        model.entities = [match, alliance]
        return model
    }

    @Test("is read and saved like others in every store", arguments: Library.storeTypes)
    func saves(storeType: String) throws {
        let stack = try TemporaryStack(model: Self.model(), storeType: storeType)
        let context = stack.context()
        let match = NSEntityDescription.insertNewObject(forEntityName: "Match", into: context)
        let alliance = NSEntityDescription.insertNewObject(forEntityName: "Alliance", into: context)
        match.setValue(alliance, forKey: "alliance")
        #expect(alliance.value(forKey: "match") as? NSManagedObject === match)
        try context.save()
        let other = try stack.reopened()
        let found = try #require(try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Match")).first)
        let partner = try #require(found.value(forKey: "alliance") as? NSManagedObject)
        #expect(partner.value(forKey: "match") as? NSManagedObject === found)
        other.delete(found)
        try other.save()
        #expect(partner.value(forKey: "match") == nil)
    }
}
