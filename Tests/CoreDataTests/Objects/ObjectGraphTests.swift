import CoreData
import Foundation
import GRDBSQLite
import Testing

@Suite("The object graph holds together")
@MainActor
struct ObjectGraphTests {
    @Test("A one-to-one that is its own inverse moves both partners")
    func reflexiveToOne() throws {
        let stack = try ThingStack()
        let (a, b, c) = (try stack.thing("A"), try stack.thing("B"), try stack.thing("C"))
        a.setValue(b, forKey: "partner")
        #expect(b.value(forKey: "partner") as? NSManagedObject === a)
        c.setValue(a, forKey: "partner")
        #expect(a.value(forKey: "partner") as? NSManagedObject === c)
        #expect(b.value(forKey: "partner") == nil)
        a.setValue(a, forKey: "partner")
        #expect(a.value(forKey: "partner") as? NSManagedObject === a)
        #expect(c.value(forKey: "partner") == nil)
        try stack.context.save()
    }

    @Test("A tree of one entity, and many-to-many between objects of one entity")
    func reflexiveToMany() throws {
        let stack = try ThingStack()
        let (a, b) = (try stack.thing("A"), try stack.thing("B"))
        a.mutableSetValue(forKey: "children").add(b)
        #expect(b.value(forKey: "parent") as? NSManagedObject === a)
        a.mutableSetValue(forKey: "liked").add(b)
        a.mutableSetValue(forKey: "liked").add(a)
        #expect(b.members("likedBy") == [a])
        #expect(a.members("likedBy") == [a])
        try stack.context.save()
        let reread = try #require(stack.tree.stored().all("Thing", "name == 'A'").first)
        #expect(reread.members("liked").count == 2)
        #expect(reread.members("likedBy").count == 1)
    }

    @Test("An inherited relationship works for the subentity")
    func inherited() throws {
        let stack = try ThingStack()
        let parent = try stack.thing("P")
        let special = stack.context.make("SpecialThing", ["extra": "x", "parent": parent])
        #expect(parent.members("children") == [special])
        try stack.context.save()
        let reread = try #require(stack.tree.stored().all("SpecialThing").first)
        #expect((reread.value(forKey: "parent") as? NSManagedObject)?.text("name") == "P")
        #expect(special.objectID.uriRepresentation().path.hasPrefix("/SpecialThing/"))
    }

    @Test("No action leaves the other side as it is")
    func noAction() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        let step = stack.context.make("Mark", ["label": "1"])
        thing.mutableOrderedSetValue(forKey: "steps").add(step)
        try stack.context.save()
        stack.context.delete(thing)
        stack.context.processPendingChanges()
        #expect(!step.hasChanges)
        #expect(step.value(forKey: "stepOf") as? NSManagedObject === thing)
    }

    @Test("An object that was never saved is deleted by a late rule too", arguments: ["Author", "Book"])
    func lateRulesOfNewObjects(deleted name: String) throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        context.propagatesDeletesAtEndOfEvent = false
        let author = context.make("Author", ["name": "Ende"])
        let book = context.makeBook("Momo")
        book.setValue(author, forKey: "author")
        context.processPendingChanges()
        context.delete(name == "Book" ? book : author)
        context.processPendingChanges()
        #expect(context.insertedObjects.count == 1)
        try context.save()
        #expect(context.deletedObjects.isEmpty && !context.hasChanges)
        let other = stack.context()
        let rest = try other.all(name == "Book" ? "Author" : "Book")
        #expect(try other.all(name).isEmpty)
        for object in rest {
            let key = name == "Book" ? "books" : "author"
            #expect(object.objectIDs(forRelationshipNamed: key).isEmpty)
        }
    }

    @Test("Deletions spread at the end of the event, or only in a save if the context says so")
    func propagation() throws {
        let stack = try ThingStack()
        let (parent, child) = (try stack.thing("P"), try stack.thing("C"))
        child.setValue(parent, forKey: "parent")
        try stack.context.save()
        stack.context.delete(parent)
        #expect(child.value(forKey: "parent") as? NSManagedObject === parent)
        stack.context.processPendingChanges()
        #expect(child.value(forKey: "parent") == nil)
        stack.context.rollback()
        stack.context.propagatesDeletesAtEndOfEvent = false
        stack.context.delete(parent)
        stack.context.processPendingChanges()
        #expect(child.value(forKey: "parent") as? NSManagedObject === parent)
        try stack.context.save()
        #expect(child.value(forKey: "parent") == nil)
    }

    /// A coordinator with two stores that both take everything.
    private func twoStores(options: [String: Any]? = nil) throws -> (
        TemporaryStack, NSManagedObjectContext, [NSPersistentStore]
    ) {
        let stack = try TemporaryStack(model: ThingModel.make())
        let coordinator = stack.container.persistentStoreCoordinator
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil,
            at: stack.folder.appendingPathComponent("Second.sqlite"), options: options)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        return (stack, context, coordinator.persistentStores)
    }

    @Test("A new object goes to the store it is assigned to, and takes related ones along")
    func assigning() throws {
        let (stack, context, stores) = try twoStores()
        defer { withExtendedLifetime(stack) {} }
        let (first, second) = (context.make("Thing", ["name": "A"]), context.make("Thing", ["name": "B"]))
        context.assign(second, to: stores[1])
        let child = context.make("Thing", ["name": "C", "parent": second])
        try context.save()
        #expect(first.objectID.persistentStore === stores[0])
        #expect(second.objectID.persistentStore === stores[1])
        #expect(child.objectID.persistentStore === stores[1])
        #expect(try context.all("Thing", sort: "name").map { $0.text("name") } == ["A", "B", "C"])
    }

    @Test("Where one of two stores can't be written, the error names it and its objects, and nothing counts as saved")
    func incompleteSave() throws {
        let (stack, context, stores) = try twoStores(options: [NSPersistentStoreTimeoutOption: NSNumber(value: 0)])
        let (first, second) = (context.make("Thing", ["name": "A"]), context.make("Thing", ["name": "B"]))
        context.assign(first, to: stores[0])
        context.assign(second, to: stores[1])
        try context.save()
        first.setValue("C", forKey: "name")
        second.setValue("D", forKey: "name")
        let other = try Locked(stack.folder.appendingPathComponent("Second.sqlite"))
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSPersistentStoreIncompleteSaveError)
        #expect(error?.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [stores[1]])
        #expect(error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [second])
        #expect(context.updatedObjects == [first, second])
        withExtendedLifetime(other) {}
    }

    /// Keeps a database from being written, as long as it lives.
    private final class Locked {
        private var database: OpaquePointer?

        init(_ url: URL) throws {
            guard sqlite3_open(url.path, &database) == SQLITE_OK,
                sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
            else { throw PlainSQLite.Failure(text: "can't lock \(url.path)") }
        }

        deinit { sqlite3_close_v2(database) }
    }

    @Test("A relationship from one store to another fails to save, with an error that names it")
    func acrossStores() throws {
        let (stack, context, stores) = try twoStores()
        defer { withExtendedLifetime(stack) {} }
        let (first, second) = (context.make("Thing", ["name": "A"]), context.make("Thing", ["name": "B"]))
        context.assign(first, to: stores[0])
        context.assign(second, to: stores[1])
        first.setValue(second, forKey: "parent")
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectExternalRelationshipError)
        #expect(error?.localizedDescription.contains("'parent'") == true)
        #expect(context.insertedObjects == [first, second])
    }

    @Test("A member of another store fails to save as well, where no to-one side would tell", arguments: [false, true])
    func memberAcrossStores(isOrdered: Bool) throws {
        let stack = try TemporaryStack(model: TagModel.make(isOrdered: isOrdered))
        let coordinator = stack.container.persistentStoreCoordinator
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.appendingPathComponent("Second.sqlite"))
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        let (note, tag) = (context.make("Note"), context.make("Tag"))
        context.assign(note, to: coordinator.persistentStores[0])
        context.assign(tag, to: coordinator.persistentStores[1])
        try context.save()
        for isLoaded in [true, false] {
            if !isLoaded { context.refreshAllObjects() }
            let tags: Any = isOrdered ? NSOrderedSet(object: tag) : NSSet(object: tag)
            note.setValue(tags, forKey: "tags")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSManagedObjectExternalRelationshipError)
            context.rollback()
        }
        #expect(!context.hasChanges)
    }

    private enum TagModel {
        /// Notes and tags, many to many.
        static func make(isOrdered: Bool) -> NSManagedObjectModel {
            let (note, tag) = (NSEntityDescription(), NSEntityDescription())
            (note.name, tag.name) = ("Note", "Tag")
            let (tags, notes) = (NSRelationshipDescription(), NSRelationshipDescription())
            (tags.name, notes.name) = ("tags", "notes")
            (tags.destinationEntity, notes.destinationEntity) = (tag, note)
            (tags.inverseRelationship, notes.inverseRelationship) = (notes, tags)
            for relationship in [tags, notes] {
                relationship.maxCount = 0
                relationship.isOrdered = isOrdered
            }
            note.properties = [tags]
            tag.properties = [notes]
            let model = NSManagedObjectModel()
            model.entities = [note, tag]
            return model
        }
    }
}

@Suite("Validation before a save, and on demand")
@MainActor
struct ObjectValidationTests {
    private func failure(_ values: [String: Any]) throws -> NSError? {
        let stack = try ThingStack()
        let thing = try stack.thing("A", values)
        return #expect(throws: NSError.self) { try thing.validateForInsert() }
    }

    @Test(
        "A broken rule is told with its object, key, value, predicate and warning",
        arguments: [
            ("code", "abcd", "is longer than 3"), ("code", "AB", "must be small letters"), ("size", "-1", "is below 0"),
            ("size", "101", "is above 100"),
        ])
    func rules(key: String, text: String, warning: String) throws {
        let value: Any = Int(text) ?? text
        let error = try failure([key: value])
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == NSManagedObjectValidationError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key)
        #expect(error?.userInfo[NSValidationObjectErrorKey] is Thing)
        #expect(error?.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
        #expect(error.map { "\($0.userInfo[NSValidationValueErrorKey] ?? "")" } == text)
        #expect(error?.localizedDescription.contains("Thing.\(key) \(warning)") == true)
    }

    @Test("The limits of a model file have codes of their own")
    func limits() throws {
        let tree = try ContextTree()
        tree.root.makeBook("One", ["pages": 0])
        let error = #expect(throws: NSError.self) { try tree.root.save() }
        #expect(error?.code == NSValidationNumberTooSmallError)
    }

    @Test("Several failures come in one error that lists them")
    func several() throws {
        let stack = try ThingStack()
        try stack.thing("A", ["size": -1, "code": "abcd"])
        let thing = try stack.thing("B")
        thing.setValue(nil, forKey: "name")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationMultipleErrorsError)
        let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError]
        #expect(details?.count == 3)
        #expect(
            Set((details ?? []).map(\.code)) == [
                NSManagedObjectValidationError, NSValidationMissingMandatoryPropertyError,
            ])
        #expect(error?.localizedDescription.contains("Thing.size") == true)
    }

    @Test("A relationship with too many members fails when it has any")
    func counts() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        for label in ["1", "2"] { stack.context.make("Mark", ["label": label, "owner": thing]) }
        try stack.context.save()
        stack.context.make("Mark", ["label": "3", "owner": thing])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationRelationshipExceedsMaximumCountError)
    }

    @Test("validateValue of a class of one's own may replace the value")
    func replacement() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("  A ")
        try stack.context.save()
        #expect(thing.value(forKey: "name") as? String == "A")
        var value: Any? = " x "
        try thing.validateValue(&value, forKey: "name")
        #expect(value as? String == "x")
    }

    @Test("Nothing is checked when a value is set, and a deleted object's values aren't at all")
    func timing() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        try stack.context.save()
        thing.setValue(-5, forKey: "size")
        #expect(throws: NSError.self) { try stack.context.save() }
        stack.context.delete(thing)
        try stack.context.save()
        #expect(try stack.tree.stored().all("Thing").isEmpty)
    }
}
