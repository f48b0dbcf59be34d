import CoreData
import Foundation
import Testing

@Suite("A predicate reads what a constant object leads to before the store is read")
struct ConstantKeyPathTests {
    private static let formats = [
        "size > $x.parent.size", "parent == $x.parent", "size == $x.size", "ANY children.size == $x.size",
        "name IN $x.parent.children.name",
    ]

    @Test(
        "whose objects are faults without rows in memory",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSInMemoryStoreType],
        formats)
    func substituted(storeType: String, format: String) throws {
        let stack = try TemporaryStack(model: ThingModel.make(), storeType: storeType)
        let context = stack.context()
        let parent = context.make("Thing", ["name": "p", "size": 3])
        context.make("Thing", ["name": "c", "size": 5, "parent": parent])
        try context.save()
        let other = try stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: "name == 'c'")
        let child = try #require(other.fetch(request).first)
        other.refreshAllObjects()
        let predicate = NSPredicate(format: format).withSubstitutionVariables(["x": child])
        request.predicate = predicate
        let name = try other.fetch(request).map { $0.value(forKey: "name") as? String }
        #expect(name == (format.hasPrefix("ANY") ? ["p"] : ["c"]))
        other.refreshAllObjects()
        #expect(try other.count(for: request) == 1)
    }

    @Test("and a fetched property by way of its source's relationships")
    func fetchedProperty() throws {
        let model = ThingModel.make()
        let thing = try #require(model.entitiesByName["Thing"])
        let property = NSFetchedPropertyDescription()
        property.name = "larger"
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = thing
        request.predicate = NSPredicate(format: "size > $FETCH_SOURCE.parent.size")
        property.fetchRequest = request
        thing.properties.append(property)
        let stack = try TemporaryStack(model: model)
        let context = stack.context()
        let parent = context.make("Thing", ["name": "p", "size": 3])
        let child = context.make("Thing", ["name": "c", "size": 5, "parent": parent])
        try context.save()
        context.refreshAllObjects()
        let larger = try #require(child.value(forKey: "larger") as? [NSManagedObject])
        #expect(larger == [child])
    }
}
