import CoreData
import Foundation
import Testing

@Suite("Objects, in detail")
@MainActor
struct ObjectDetailTests {
    @Test("An object is of the class that its entity names, whatever way it is made")
    func classes() throws {
        let stack = try ThingStack()
        #expect(stack.context.make("SpecialThing") is Thing)
        try stack.context.save()
        #expect(try stack.tree.stored().all("SpecialThing").first is Thing)
    }

    @Test("An object in insertion isn't updated, whatever is set; one with changes is")
    func insertedAndUpdated() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        #expect(thing.isInserted && !thing.isUpdated && thing.hasChanges)
        try stack.context.save()
        thing.setValue("B", forKey: "name")
        #expect(!thing.isInserted && thing.isUpdated && thing.hasChanges)
    }

    @Test("The URI of an object's ID names the store and the entity of the object itself; a temporary one no store")
    func uris() throws {
        let stack = try ThingStack()
        let thing = stack.context.make("SpecialThing")
        #expect(thing.objectID.isTemporaryID && thing.objectID.persistentStore == nil)
        #expect(thing.objectID.uriRepresentation().absoluteString.hasPrefix("x-coredata:///SpecialThing/t"))
        try stack.context.save()
        let store = try #require(stack.context.persistentStoreCoordinator?.persistentStores.first)
        #expect(thing.objectID.persistentStore === store)
        let uri = thing.objectID.uriRepresentation().absoluteString
        #expect(uri.hasPrefix("x-coredata://\(store.identifier ?? "")/SpecialThing/p"))
        #expect(thing.objectID.entity.name == "SpecialThing")
    }

    @Test(
        "An object whose deletion was saved is a fault that reads nil; the notification of the save still shows its values",
        arguments: Library.storeTypes)
    func savedDeletions(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let context = stack.context()
        let author = context.make("Author", ["name": "A"])
        let books = ["a", "b"].map { context.make("Book", ["name": $0]) }
        author.setValue(Set(books), forKey: "books")
        try context.save()
        _ = context.undoing()
        context.step { context.delete(books[0]) }
        nonisolated(unsafe) var told: [String?] = []
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { told = ($0.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []).map { $0.text("name") } }
        try context.save()
        NotificationCenter.default.removeObserver(token)
        #expect(told == ["a"])
        let gone = books[0]
        #expect(gone.isFault && gone.managedObjectContext == nil && !gone.isDeleted && !gone.hasChanges)
        #expect(gone.value(forKey: "name") == nil && gone.value(forKey: "author") == nil)
        #expect(gone.changedValues().isEmpty && !gone.description.isEmpty)
        #expect(gone.committedValues(forKeys: ["name"])["name"] is NSNull?)
        context.undo()
        #expect(gone.text("name") == "a" && gone.value(forKey: "author") as? NSManagedObject === author)
        context.undoManager = nil
        try context.save()
        #expect(try stack.reopened().all("Author").first?.members("books").count == 2)

        context.delete(gone)
        try context.save()
        context.insert(gone)
        #expect(gone.text("name") == "a")
        try context.save()
        #expect(Set(try stack.reopened().all("Book").map { $0.text("name") }) == ["a", "b"])

        let (parent, child) = (
            NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType),
            NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        )
        parent.persistentStoreCoordinator = context.persistentStoreCoordinator
        child.parent = parent
        let (inChild, inParent) = (
            try child.existingObject(with: books[1].objectID), try parent.existingObject(with: books[1].objectID)
        )
        child.delete(inChild)
        try child.save()
        #expect(inChild.isFault && inChild.value(forKey: "name") == nil)
        #expect(inParent.isDeleted && inParent.text("name") == "b")
        try parent.save()
        #expect(inParent.isFault && inParent.value(forKey: "name") == nil)
    }

    @Test("Redoing an insertion doesn't call awakeFromInsert again")
    func redoneInsertion() throws {
        let stack = try ThingStack()
        let manager = stack.undoing()
        var thing: Thing?
        try stack.step { thing = try stack.thing() }
        manager.undo()
        manager.redo()
        #expect(thing?.log.filter { $0 == "awakeFromInsert" }.count == 1)
        #expect(thing?.isInserted == true)
    }

    @Test("awakeFromFetch runs for objects that a fetch returns with their values")
    func fetchedWithValues() throws {
        let stack = try ThingStack()
        try stack.thing()
        try stack.context.save()
        let request = NSFetchRequest<Thing>(entityName: "Thing")
        let other = try stack.tree.stored()
        #expect(try other.fetch(request).first?.isFault == true)
        other.reset()
        request.returnsObjectsAsFaults = false
        let thing = try #require(other.fetch(request).first)
        #expect(!thing.isFault)
        #expect(thing.log == ["awakeFromFetch"])
    }

    @Test("Changes that observers make in awakeFromFetch by public setters leave the object clean")
    func settingInAwakeFromFetch() throws {
        let stack = try ThingStack()
        let thing = try stack.fault(try stack.thing("A"))
        thing.actions["awakeFromFetch"] = { $0.setValue("hidden", forKey: "note") }
        #expect(thing.value(forKey: "note") as? String == "hidden")
        #expect(!thing.hasChanges && !stack.context.hasChanges)
    }

    @Test("changedValues and hasPersistentChangedValues read no relationship from the store")
    func changesWithoutReading() throws {
        let record = StatementRecord()
        let stack = try TemporaryStack(observer: record.observer)
        let context = stack.context()
        let author = context.make("Author", ["name": "A"])
        let book = context.makeBook("One", ["author": author])
        try context.save()
        context.refresh(author, mergeChanges: false)
        context.refresh(book, mergeChanges: false)
        author.setValue("B", forKey: "name")
        _ = record.takeQueries()
        #expect(author.hasPersistentChangedValues)
        #expect(Set(author.changedValues().keys) == ["name"])
        #expect(record.takeQueries().isEmpty)
        #expect(author.hasFault(forRelationshipNamed: "books"))
    }

    @Test("Failures that an override of validateForInsert adds are listed beside the model's, none inside another")
    func combinedFailures() throws {
        let stack = try ThingStack()
        let first = try stack.thing("A", ["size": 101, "code": "abcd"])
        let second = try stack.thing("B", ["size": -1])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationMultipleErrorsError)
        let details = try #require(error?.userInfo[NSDetailedErrorsKey] as? [NSError])
        #expect(details.count == 3)
        #expect(details.allSatisfy { $0.userInfo[NSDetailedErrorsKey] == nil && $0.domain == NSCocoaErrorDomain })
        let objects = Set(details.compactMap { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject })
        #expect(objects == [first, second])
    }

    @Test("A validation error's text names entity, property, value and rule; a list of them names all")
    func validationTexts() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A", ["size": 101])
        let error = #expect(throws: NSError.self) { try thing.validateForInsert() }
        let text = try #require(error?.localizedDescription)
        for part in ["Thing.size", "is above 100", "101", "SELF <= 100"] { #expect(text.contains(part), "\(text)") }
        thing.setValue("abcd", forKey: "code")
        let both = #expect(throws: NSError.self) { try thing.validateForInsert() }
        for part in ["Thing.size", "Thing.code", "'abcd'", "101"] {
            #expect(both?.localizedDescription.contains(part) == true)
        }
    }

    @Test("Required values, counts and denied deletions have Apple's codes and say which property")
    func otherTexts() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        thing.setValue(nil, forKey: "name")
        let missing = #expect(throws: NSError.self) { try thing.validateForInsert() }
        #expect(missing?.code == NSValidationMissingMandatoryPropertyError)
        #expect(missing?.userInfo[NSValidationValueErrorKey] == nil)
        #expect(missing?.localizedDescription.contains("Thing.name") == true)
        thing.setValue("A", forKey: "name")
        for _ in 0..<3 { stack.context.make("Mark").setValue(thing, forKey: "owner") }
        let many = #expect(throws: NSError.self) { try thing.validateForInsert() }
        #expect(many?.code == NSValidationRelationshipExceedsMaximumCountError)
        #expect(many?.localizedDescription.contains("Thing.marks") == true)
    }

    @Test("The context is asked what becomes of an inaccessible fault, with the property that was wanted")
    func askingAboutFaults() throws {
        final class Context: NSManagedObjectContext, @unchecked Sendable {
            var asked: [String?] = []
            override func shouldHandleInaccessibleFault(
                _ fault: NSManagedObject, for oid: NSManagedObjectID,
                triggeredByProperty property: NSPropertyDescription?
            ) -> Bool {
                asked.append(property?.name)
                return true
            }
        }
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        let context = Context(.mainQueue)
        context.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
        let fault = context.object(with: thing.objectID)
        stack.context.delete(thing)
        try stack.context.save()
        #expect(throws: NSError.self) { try context.existingObject(with: fault.objectID) }
        #expect(context.asked == [])
        #expect(fault.value(forKey: "size") == nil)
        #expect(context.asked == ["size"])
    }

    @Test("Where a context doesn't handle inaccessible faults, reading one ends the program and names the object")
    func unhandledFaults() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await MainActor.run {
                let stack = try ThingStack()
                let thing = try stack.thing("A")
                try stack.context.save()
                let other = NSManagedObjectContext(.mainQueue)
                other.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
                other.shouldDeleteInaccessibleFaults = false
                let fault = other.object(with: thing.objectID)
                stack.context.delete(thing)
                try stack.context.save()
                _ = fault.value(forKey: "name")
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("could not fulfill a fault") && text.contains("/Thing/p1"))
    }

    @Test(
        "A coordinator answers a fetch with an array, a save with an empty one, and an unknown store type with 134000")
    func coordinatorRequests() throws {
        let stack = try ThingStack()
        try stack.thing()
        try stack.context.save()
        let coordinator = try #require(stack.context.persistentStoreCoordinator)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Thing")
        let found = try coordinator.execute(request, with: stack.context) as? [Any]
        #expect(found?.count == 1)
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: "Nothing", configurationName: nil, at: nil)
        }
        #expect(error?.code == NSPersistentStoreInvalidTypeError)
        #expect(!NSManagedObjectContext.NotificationKey.insertedObjects.rawValue.isEmpty)
        #expect(Thing.contextShouldIgnoreUnmodeledPropertyChanges)
    }
}
