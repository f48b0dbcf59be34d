import CoreData
import Foundation
import Testing

@Suite("Composite attributes are saved by their elements, over every store type")
struct CompositeSavingTests {
    private func model() -> NSManagedObjectModel {
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.isOptional = true
        place.elements = [
            NSAttributeDescription(optional: "city", .stringAttributeType),
            NSAttributeDescription(optional: "zip", .integer32AttributeType),
            NSAttributeDescription(optional: "tags", .transformableAttributeType),
        ]
        let entity = NSEntityDescription()
        entity.name = "Shop"
        entity.properties = [NSAttributeDescription(optional: "name", .stringAttributeType), place]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private func place(_ object: NSManagedObject?) -> NSDictionary? {
        (object?.value(forKey: "place") as? [String: Any]).map { $0 as NSDictionary }
    }

    @Test("A policy that overwrites the store's row does so with the elements, too", arguments: Library.storeTypes)
    func overwriting(storeType: String) throws {
        let stack = try TemporaryStack(model: model(), storeType: storeType)
        let (mine, other) = (stack.context(), stack.context())
        let shop = mine.make("Shop", ["name": "s", "place": ["city": "Ulm", "zip": 1]])
        try mine.save()
        mine.mergePolicy = NSMergePolicy.overwrite
        let theirs = try #require(try other.all("Shop").first)
        theirs.setValue(["city": "Ulm", "zip": 2], forKey: "place")
        shop.setValue(["city": "Bonn", "zip": 1], forKey: "place")
        try other.save()
        try mine.save()
        #expect(place(shop) == ["city": "Bonn", "zip": 1])
        #expect(place(try stack.reopened().all("Shop").first) == ["city": "Bonn", "zip": 1])
    }

    @Test(
        "An element that is transformable is the value that was set, also after an edit", arguments: Library.storeTypes)
    func transformable(storeType: String) throws {
        let stack = try TemporaryStack(model: model(), storeType: storeType)
        let context = stack.context()
        let shop = context.make("Shop", ["place": ["city": "Ulm", "tags": ["a", "b"]] as [String: Any]])
        try context.save()
        #expect(place(shop)?["tags"] as? [String] == ["a", "b"])
        for city in ["Bonn", "Kiel"] {
            context.refresh(shop, mergeChanges: false)
            var values = try #require(shop.value(forKey: "place") as? [String: Any])
            #expect(values["tags"] as? [String] == ["a", "b"])
            values["city"] = city
            shop.setValue(values, forKey: "place")
            try context.save()
        }
        #expect(place(try stack.reopened().all("Shop").first) == ["city": "Kiel", "tags": ["a", "b"]])
    }

    @Test("A save that only validates one changes nothing, so there is nothing to undo but what the user did")
    func validating() throws {
        let stack = try TemporaryStack(model: model())
        let context = stack.context()
        let manager = context.undoing()
        let shop = context.step { context.make("Shop", ["name": "s", "place": ["city": "Ulm", "zip": 1]]) }
        try context.save()
        context.step { shop.setValue("t", forKey: "name") }
        try context.save()
        manager.undo()
        #expect(shop.text("name") == "s" && place(shop) == ["city": "Ulm", "zip": 1])
    }
}
