import CoreData
import Foundation
import Testing

@Suite("An object's values, and what is known of their changes")
@MainActor
struct ValueTests {
    @Test("changedValues has what differs from the last save, with the new values; nil as NSNull")
    func changedValues() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        #expect(thing.changedValues().isEmpty)
        thing.setValue("B", forKey: "name")
        thing.setValue(nil, forKey: "size")
        #expect(thing.changedValues()["name"] as? String == "B")
        #expect(thing.changedValues()["size"] is NSNull)
        #expect(thing.hasPersistentChangedValues)
        thing.setValue("A", forKey: "name")
        #expect(Set(thing.changedValues().keys) == ["size"])
        try stack.context.save()
        #expect(!thing.hasPersistentChangedValues)
    }

    @Test("Setting the same value marks the object as updated and changes no value")
    func sameValue() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        thing.setValue("A", forKey: "name")
        #expect(thing.isUpdated)
        #expect(thing.hasChanges)
        #expect(thing.changedValues().isEmpty)
        #expect(!thing.hasPersistentChangedValues)
    }

    @Test("changedValuesForCurrentEvent has the values from before the event, and begins anew with each")
    func currentEvent() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        stack.context.processPendingChanges()
        thing.setValue("B", forKey: "name")
        thing.setValue("C", forKey: "name")
        #expect(thing.changedValuesForCurrentEvent()["name"] as? String == "A")
        stack.context.processPendingChanges()
        #expect(thing.changedValuesForCurrentEvent().isEmpty)
    }

    @Test("Observers of a change ask for the values from before the event that they are told of")
    func postedEvent() throws {
        let stack = try ThingStack()
        let (thing, child) = (try stack.thing("A"), try stack.thing("child"))
        try stack.context.save()
        nonisolated(unsafe) var seen: [[String: Any]] = []
        nonisolated(unsafe) let observed = thing
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
        ) { notification in
            let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
            guard updated.contains(observed) else { return }
            // As programs do that stamp what was changed.
            if seen.isEmpty { observed.setValue(77, forKey: "size") }
            seen.append(observed.changedValuesForCurrentEvent())
        }
        defer { NotificationCenter.default.removeObserver(token) }
        thing.setValue("B", forKey: "name")
        thing.mutableSetValue(forKey: "children").add(child)
        stack.context.processPendingChanges()
        #expect(seen.count == 1)
        #expect(seen.first?.keys.sorted() == ["children", "name", "size"])
        #expect(seen.first?["name"] as? String == "A")
        #expect((seen.first?["children"] as? Set<NSManagedObject>)?.isEmpty == true)
        #expect(thing.changedValuesForCurrentEvent().keys.sorted() == ["size"])
        thing.setValue("C", forKey: "name")
        try stack.context.save()
        #expect(seen.count == 2)
        #expect(seen.last?["name"] as? String == "B")
    }

    @Test("committedValues are those of the last save, or the initial ones")
    func committedValues() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A", ["code": "abc"])
        #expect(thing.committedValues(forKeys: ["name"])["name"] as? String == "unnamed")
        // What was never saved has no values that could be none (seen in tests of CoreDataPlus).
        #expect(thing.committedValues(forKeys: ["code"])["code"] == nil)
        try stack.context.save()
        thing.setValue("B", forKey: "name")
        let all = thing.committedValues(forKeys: nil)
        #expect(all["name"] as? String == "A")
        #expect(all["note"] == nil)
    }

    @Test("A transient value dirties its object, can be undone, and reaches no store")
    func transient() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        thing.setValue("hidden", forKey: "note")
        #expect(thing.isUpdated)
        #expect(!thing.hasPersistentChangedValues)
        try stack.context.save()
        #expect(thing.value(forKey: "note") as? String == "hidden")
        #expect(try stack.tree.stored().all("Thing").first?.value(forKey: "note") == nil)
        stack.context.refresh(thing, mergeChanges: true)
        #expect(thing.value(forKey: "note") as? String == "hidden")
        stack.context.refresh(thing, mergeChanges: false)
        #expect(thing.value(forKey: "note") == nil)
    }

    @Test("A transient value and a composite one are undone like others, and known for the current event")
    func undoingOtherKinds() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A", ["note": "old", "place": ["city": "Bern"]])
        stack.context.processPendingChanges()
        _ = stack.undoing()
        stack.step {
            thing.setValue("new", forKey: "note")
            thing.setValue(["city": "Basel"], forKey: "place")
            let before = thing.changedValuesForCurrentEvent()
            #expect(before["note"] as? String == "old")
            #expect(before["place"] as? [String: String] == ["city": "Bern"])
        }
        stack.context.undo()
        #expect(thing.value(forKey: "note") as? String == "old")
        #expect(thing.value(forKey: "place") as? [String: String] == ["city": "Bern"])
        stack.context.redo()
        #expect(thing.value(forKey: "note") as? String == "new")
        #expect(thing.value(forKey: "place") as? [String: String] == ["city": "Basel"])
    }

    @Test("A composite attribute is a dictionary of its elements")
    func composite() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A", ["place": ["city": "Bern", "zip": 3000]])
        try stack.context.save()
        let place = try stack.tree.stored().all("Thing").first?.value(forKey: "place") as? [String: Any]
        #expect(place?["city"] as? String == "Bern")
        #expect(place?["zip"] as? Int == 3000)
        thing.setValue(["city": "Basel"], forKey: "place")
        #expect(thing.changedValues()["place"] as? [String: String] == ["city": "Basel"])
        #expect((thing.committedValues(forKeys: ["place"])["place"] as? [String: Any])?["city"] as? String == "Bern")
    }

    @Test("A composite attribute takes a dictionary or nothing: all else ends the program, as with other attributes")
    func compositeOfAnotherType() async throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A", ["place": NSDictionary(dictionary: ["city": "Bern"])])
        #expect((thing.value(forKey: "place") as? [String: Any])?["city"] as? String == "Bern")
        for nothing in [nil, NSNull()] as [Any?] {
            thing.setValue(["city": "Bern"], forKey: "place")
            thing.setValue(nothing, forKey: "place")
            #expect((thing.value(forKey: "place") as? [String: Any])?["city"] == nil)
        }
        await #expect(processExitsWith: .failure) {
            try await MainActor.run {
                let stack = try ThingStack()
                try stack.thing("A", [:]).setValue("Bern", forKey: "place")
            }
        }
    }

    @Test("A fetched property is fetched when it is first read, and again when the object was a fault")
    func fetchedProperty() throws {
        let stack = try ThingStack()
        let big = try stack.thing("big", ["size": 50])
        let small = try stack.thing("small", ["size": 5])
        try stack.context.save()
        #expect(big.value(forKey: "smaller") as? [NSManagedObject] == [small])
        try stack.thing("smaller", ["size": 1])
        try stack.context.save()
        #expect((big.value(forKey: "smaller") as? [NSManagedObject])?.count == 1)
        stack.context.refresh(big, mergeChanges: false)
        #expect((big.value(forKey: "smaller") as? [NSManagedObject])?.count == 2)
    }

    @Test("Primitive values are set without marking the object and without the inverse")
    func primitiveValues() throws {
        let stack = try ThingStack()
        let (parent, child) = (try stack.thing("P"), try stack.thing("C"))
        try stack.context.save()
        child.setPrimitiveValue(parent, forKey: "parent")
        child.setPrimitiveValue("D", forKey: "name")
        #expect(child.primitiveValue(forKey: "name") as? String == "D")
        #expect(!child.hasChanges)
        #expect(parent.members("children").isEmpty)
    }

    @Test("A custom setter brackets the primitive change, and that keeps the inverse")
    func customSetter() throws {
        let stack = try ThingStack()
        let (parent, child) = (try stack.thing("P"), try stack.thing("C"))
        child.willChangeValue(forKey: "parent")
        child.setPrimitiveValue(parent, forKey: "parent")
        child.didChangeValue(forKey: "parent")
        #expect(parent.members("children") == [child])
        let added: Set<AnyHashable> = []
        parent.willChangeValue(forKey: "children", withSetMutation: .minus, using: added)
        parent.setPrimitiveValue(Set<NSManagedObject>(), forKey: "children")
        parent.didChangeValue(forKey: "children", withSetMutation: .minus, using: added)
        #expect(child.value(forKey: "parent") == nil)
    }

    @Test("objectIDs(forRelationshipNamed:) is an array for every relationship, and fires no destination")
    func objectIDs() throws {
        let stack = try ThingStack()
        let (parent, child) = (try stack.thing("P"), try stack.thing("C"))
        child.setValue(parent, forKey: "parent")
        try stack.context.save()
        for thing in [parent, child] { stack.context.refresh(thing, mergeChanges: false) }
        #expect(child.objectIDs(forRelationshipNamed: "parent") == [parent.objectID])
        #expect(parent.isFault)
        #expect(parent.objectIDs(forRelationshipNamed: "children") == [child.objectID])
        #expect(parent.objectIDs(forRelationshipNamed: "partner").isEmpty)
    }

    @Test("hasFault(forRelationshipNamed:) says whether the destinations are still to be read")
    func relationshipFaults() throws {
        let stack = try ThingStack()
        let parent = try stack.fault(stack.thing("P"))
        #expect(parent.hasFault(forRelationshipNamed: "children"))
        _ = parent.value(forKey: "children")
        #expect(!parent.hasFault(forRelationshipNamed: "children"))
    }

    @Test("A subscript reads and sets as key-value coding does")
    func subscripting() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        thing["name"] = "B"
        #expect(thing["name"] as? String == "B")
        #expect(thing.isInserted)
    }

    @Test("A nil that comes out of a generic function is nil, for attributes and relationships")
    func genericNil() throws {
        func put<Value>(_ value: Value, _ key: String, _ object: NSManagedObject) {
            object.setValue(value, forKey: key)
        }
        let stack = try TemporaryStack(model: Shelves.model())
        let context = stack.context()
        let author = context.make("Author", ["name": "a"])
        let book = context.make("Book", ["name": "b", "author": author, "genres": Set([context.make("Genre")])])
        put(nil as NSManagedObject?, "author", book)
        put(nil as Set<NSManagedObject>?, "genres", book)
        put(nil as String?, "name", book)
        #expect(book.value(forKey: "author") == nil && book.value(forKey: "name") == nil)
        #expect(book.members("genres").isEmpty)
        let pages = try #require(book.entity.attributesByName["pages"])
        #expect(pages.attributeType == .integer32AttributeType)
        put(7 as Int?, "pages", book)
        #expect(book.value(forKey: "pages") as? Int == 7)
        put(nil as Int??, "pages", book)
        #expect(book.value(forKey: "pages") == nil)
        let genre = context.make("Genre")
        put(NSOrderedSet(object: book) as NSOrderedSet?, "books", genre)
        #expect((genre.value(forKey: "books") as? NSOrderedSet)?.count == 1)
        put(nil as NSOrderedSet?, "books", genre)
        put(NSSet(object: genre) as NSSet?, "genres", book)
        #expect((genre.value(forKey: "books") as? NSOrderedSet)?.count == 1)
        put(nil as NSSet?, "genres", book)
        put(Optional(author), "author", book)
        put(Optional(Set([context.make("Genre")])), "genres", book)
        #expect(book.value(forKey: "author") as? NSManagedObject === author && book.members("genres").count == 1)
    }

    @Test("A class may have such a subscript of its own, with other words")
    func ownSubscript() throws {
        let entity = NSEntityDescription()
        entity.name = "Worded"
        entity.managedObjectClassName = NSStringFromClass(WordedObject.self)
        let object = WordedObject(entity: entity, insertInto: nil)
        #expect(object["anything"] as? String == "ANYTHING")
    }
}

final class WordedObject: NSManagedObject {
    subscript(name: String) -> Any? { name.uppercased() }
}
