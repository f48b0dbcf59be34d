import CoreData
import Foundation
import Testing

@Suite("What objects say of themselves when they are refreshed, reset or changed by primitive accessors")
struct ObjectStateTests {
    /// Cars with a required transient speed of 7, and one without a default.
    private func model() -> NSManagedObjectModel {
        let car = NSEntityDescription()
        car.name = "Car"
        let (plate, speed, note) = (NSAttributeDescription(), NSAttributeDescription(), NSAttributeDescription())
        plate.name = "plate"
        plate.attributeType = .stringAttributeType
        speed.name = "speed"
        speed.attributeType = .integer64AttributeType
        speed.isTransient = true
        speed.isOptional = false
        speed.defaultValue = 7
        note.name = "note"
        note.attributeType = .stringAttributeType
        note.isTransient = true
        car.properties = [plate, speed, note]
        let model = NSManagedObjectModel()
        model.entities = [car]
        return model
    }

    private func stack(_ storeType: String = NSSQLiteStoreType) throws -> TemporaryStack {
        try TemporaryStack(model: model(), storeType: storeType)
    }

    // MARK: Transient values

    @Test(
        "A required transient attribute has its default in fetched and refreshed objects", arguments: Library.storeTypes
    )
    func transientDefault(storeType: String) throws {
        let stack = try stack(storeType)
        let writer = stack.context()
        let made = writer.make("Car", ["plate": "a"])
        #expect(made.value(forKey: "speed") as? Int == 7)
        made.setValue(50, forKey: "speed")
        try writer.save()
        let reader = stack.context()
        let car = try #require(try reader.all("Car").first)
        #expect(car.value(forKey: "speed") as? Int == 7)
        car.setValue("b", forKey: "plate")
        try reader.save()
        reader.refresh(car, mergeChanges: false)
        #expect(car.value(forKey: "speed") as? Int == 7)
        car.setValue(8, forKey: "speed")
        #expect(car.changedValuesForCurrentEvent()["speed"] as? Int == 7)
        car.setValue(nil, forKey: "speed")
        #expect(car.value(forKey: "speed") == nil)
        #expect(throws: NSError.self) { try reader.save() }
    }

    @Test("Refreshing all objects resets the transient values of unchanged ones")
    func refreshAll() throws {
        let stack = try stack(NSInMemoryStoreType)
        let context = stack.context()
        let (car, changed) = (context.make("Car", ["plate": "a", "note": "x"]), context.make("Car", ["plate": "b"]))
        car.setValue(50, forKey: "speed")
        try context.save()
        changed.setValue("c", forKey: "plate")
        changed.setValue(60, forKey: "speed")
        context.refreshAllObjects()
        #expect(car.isFault && !changed.isFault)
        #expect(car.value(forKey: "speed") as? Int == 7)
        #expect(car.value(forKey: "note") == nil)
        #expect(changed.value(forKey: "speed") as? Int == 60)
    }

    // MARK: Reset, new objects

    @Test("After a reset an object is a fault without changes that can be read without harm")
    func reset() throws {
        let stack = try stack()
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context()
        let (saved, new) = (context.make("Car", ["plate": "a"]), context.make("Car", ["plate": "b"]))
        try context.save()
        saved.setValue("c", forKey: "plate")
        _ = new
        context.reset()
        for object in [saved, new] {
            #expect(object.isFault)
            #expect(object.managedObjectContext == nil)
            #expect(!object.hasChanges && !object.hasPersistentChangedValues)
            #expect(object.changedValues().isEmpty)
            #expect(object.value(forKey: "note") == nil)
        }
    }

    @Test("Refreshing a new object without merging makes it a fault of its initial values")
    func refreshOfNew() throws {
        let stack = try stack()
        let context = stack.context()
        let car = context.make("Car", ["plate": "a"])
        for _ in 0..<2 {
            context.refresh(car, mergeChanges: false)
            #expect(car.isFault && car.isInserted)
            car.willAccessValue(forKey: nil)
            #expect(!car.isFault)
            #expect(car.text("plate") == nil)
        }
        context.refresh(car, mergeChanges: false)
        car.setValue("b", forKey: "plate")
        try context.save()
        #expect(try stack.reopened().all("Car").map { $0.text("plate") } == ["b"])
        let other = context.make("Car")
        context.refresh(other, mergeChanges: false)
        try context.save()
        #expect(try stack.reopened().all("Car").count == 2)
    }

    @Test("Committed values of an object that was never saved leave out what is nil")
    func committed() throws {
        let stack = try stack()
        defer { withExtendedLifetime(stack) {} }
        let context = stack.context()
        let car = context.make("Car", ["plate": "a"])
        #expect(car.committedValues(forKeys: ["plate"]).isEmpty)
        #expect(car.changedValues()["plate"] as? String == "a")
        try context.save()
        #expect(car.committedValues(forKeys: nil)["plate"] as? String == "a")
        car.setValue(nil, forKey: "plate")
        try context.save()
        #expect(car.committedValues(forKeys: ["plate"])["plate"] is NSNull)
    }

    // MARK: Primitive values of relationships

    @Test(
        "The primitive value of a to-many is the set itself, changed in place between will and did",
        arguments: Library.storeTypes)
    func primitiveSet(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let context = stack.context()
        let (author, shelf) = (context.make("Author", ["name": "A"]), context.make("Shelf", ["name": "S"]))
        let books = ["a", "b"].map { context.make("Book", ["name": $0]) }
        try context.save()

        let changed: Set<AnyHashable> = [books[0]]
        author.willChangeValue(forKey: "books", withSetMutation: .union, using: changed)
        (author.primitiveValue(forKey: "books") as? NSMutableSet)?.add(books[0])
        author.didChangeValue(forKey: "books", withSetMutation: .union, using: changed)
        #expect(author.hasChanges && author.members("books") == [books[0]])
        #expect(books[0].value(forKey: "author") as? NSManagedObject === author)

        shelf.willChange(.insertion, valuesAt: IndexSet(integersIn: 0..<2), forKey: "books")
        let order = shelf.primitiveValue(forKey: "books") as? NSMutableOrderedSet
        order?.insert(books[0], at: 0)
        order?.insert(books[1], at: 0)
        shelf.didChange(.insertion, valuesAt: IndexSet(integersIn: 0..<2), forKey: "books")
        #expect(books[1].value(forKey: "shelf") as? NSManagedObject === shelf)
        try context.save()
        #expect(try stack.reopened().all("Author").first?.members("books").count == 1)
        let stored = try #require(try stack.reopened().all("Shelf").first?.value(forKey: "books") as? NSOrderedSet)
        #expect(stored.compactMap { ($0 as? NSManagedObject)?.text("name") } == ["b", "a"])

        author.willChangeValue(forKey: "books", withSetMutation: .minus, using: changed)
        (author.primitiveValue(forKey: "books") as? NSMutableSet)?.remove(books[0])
        author.didChangeValue(forKey: "books", withSetMutation: .minus, using: changed)
        #expect(books[0].value(forKey: "author") == nil)
        author.willChangeValue(forKey: "books", withSetMutation: .set, using: Set(books))
        (author.primitiveValue(forKey: "books") as? NSMutableSet)?.setSet(Set(books))
        author.didChangeValue(forKey: "books", withSetMutation: .set, using: Set(books))
        #expect(author.members("books") == Set(books))
        author.willChangeValue(forKey: "books", withSetMutation: .intersect, using: changed)
        (author.primitiveValue(forKey: "books") as? NSMutableSet)?.intersect(changed)
        author.didChangeValue(forKey: "books", withSetMutation: .intersect, using: changed)
        #expect(author.members("books") == [books[0]] && books[1].value(forKey: "author") == nil)

        let other = context.make("Book", ["name": "c"])
        let kept = try #require(shelf.primitiveValue(forKey: "books") as? NSMutableOrderedSet)
        shelf.willChange(.replacement, valuesAt: IndexSet(integer: 1), forKey: "books")
        kept.replaceObject(at: 1, with: other)
        shelf.didChange(.replacement, valuesAt: IndexSet(integer: 1), forKey: "books")
        #expect(other.value(forKey: "shelf") as? NSManagedObject === shelf && books[0].value(forKey: "shelf") == nil)
        shelf.willChange(.removal, valuesAt: IndexSet(integer: 0), forKey: "books")
        kept.removeObject(at: 0)
        shelf.didChange(.removal, valuesAt: IndexSet(integer: 0), forKey: "books")
        #expect(books[1].value(forKey: "shelf") == nil)
        #expect((shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject] == [other])

        author.willChangeValue(forKey: "books")
        author.setPrimitiveValue(Set(books), forKey: "books")
        author.didChangeValue(forKey: "books")
        #expect(books.allSatisfy { $0.value(forKey: "author") as? NSManagedObject === author })
        #expect(author.primitiveValue(forKey: "books") as? NSSet != nil)
    }

    // MARK: Merge policies

    @Test("What a merge policy changes in a uniqueness conflict is asked and validated once more")
    func hooksAfterPolicy() throws {
        let model = ThingModel.make()
        let thing = try #require(model.entitiesByName["Thing"])
        thing.uniquenessConstraints = [["name"]]
        let stack = try TemporaryStack(model: model)
        let (writer, context) = (stack.context(), stack.context())
        writer.make("Thing", ["name": "same", "size": 1])
        try writer.save()
        let stored = try #require(try context.all("Thing").first as? Thing)
        _ = stored.text("name")
        stored.log = []
        let new = try #require(context.make("Thing", ["name": "same", "size": 5]) as? Thing)
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        _ = new
        #expect(stored.log.filter { $0 == "willSave" }.count == 1)
        #expect(stored.log.filter { $0 == "validateForUpdate" }.count == 1)
        #expect(stored.value(forKey: "size") as? Int == 5)

        stored.actions["willSave"] = { $0.setPrimitiveValue("abcd", forKey: "code") }
        _ = context.make("Thing", ["name": "same", "size": 6])
        #expect(throws: NSError.self) { try context.save() }
    }
}
