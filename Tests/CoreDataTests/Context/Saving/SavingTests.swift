import CoreData
import Foundation
import Testing

@Suite("What is saved is there the next time")
struct SavingTests {
    @Test("Values of every kind come back from the file", arguments: Library.storeTypes)
    func values(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let id = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
        context.make(
            "Author",
            [
                "name": "Ursula", "born": date, "portrait": Data([0, 1, 255]),
                "website": URL(string: "https://u.example/ö")!,
            ])
        context.makeBook(
            "Dispossessed",
            [
                "identifier": id, "copies": 3, "inPrint": false, "pages": 341, "price": Decimal(string: "10.25")!,
                "rating": Float(4.5),
            ])
        try context.save()

        let other = try stack.reopened()
        let author = try #require(other.all("Author").first)
        #expect(author.text("name") == "Ursula")
        #expect(author.value(forKey: "born") as? Date == date)
        #expect(author.value(forKey: "portrait") as? Data == Data([0, 1, 255]))
        #expect(author.value(forKey: "website") as? URL == URL(string: "https://u.example/ö"))
        let book = try #require(other.all("Book").first)
        #expect(book.value(forKey: "identifier") as? UUID == id)
        #expect(book.value(forKey: "copies") as? Int == 3)
        #expect(book.value(forKey: "inPrint") as? Bool == false)
        #expect(book.value(forKey: "pages") as? Int32 == 341)
        #expect(book.value(forKey: "price") as? Decimal == Decimal(string: "10.25"))
        #expect(book.value(forKey: "rating") as? Float == 4.5)
        #expect(book.value(forKey: "published") == nil)
    }

    @Test("Defaults of the model are set when an object is made", arguments: Library.storeTypes)
    func defaults(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let book = context.makeBook("New")
        #expect(book.value(forKey: "copies") as? Int == 1)
        #expect(book.value(forKey: "inPrint") as? Bool == true)
    }

    @Test(
        "An ID is temporary until the save, then permanent, and finds the object again by its URI",
        arguments: Library.storeTypes)
    func identity(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let book = context.makeBook("One")
        #expect(book.objectID.isTemporaryID)
        try context.save()
        let id = book.objectID
        #expect(!id.isTemporaryID)
        // XML stores count from 102, as Apple's do.
        let number = storeType == NSXMLStoreType ? 102 : 1
        #expect(id.uriRepresentation().absoluteString.hasSuffix("/Book/p\(number)"))
        let coordinator = stack.container.persistentStoreCoordinator
        let found = try #require(coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
        #expect(found == id)
        #expect(context.object(with: found) === book)
        let second = stack.context()
        let elsewhere = second.object(with: found)
        #expect(elsewhere !== book)
        #expect(elsewhere.isFault)
        #expect(elsewhere.text("title") == "One")
        #expect(!elsewhere.isFault)
    }

    @Test("A save changes the version of what it changed, and of nothing else")
    func versions() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        let one = context.makeBook("One")
        context.makeBook("Two")
        try context.save()
        one.setValue("Uno", forKey: "title")
        try context.save()
        #expect(try stack.column("Z_OPT", of: "ZBOOK", sort: "ZTITLE") == ["1", "2"])
    }

    @Test("Deleted objects are gone, and the context knows them no more", arguments: Library.storeTypes)
    func deletion(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let book = context.makeBook("One")
        try context.save()
        let id = book.objectID
        context.delete(book)
        #expect(book.isDeleted)
        #expect(try context.all("Book").isEmpty)
        try context.save()
        #expect(!book.isDeleted)
        #expect(book.managedObjectContext == nil)
        #expect(throws: (any Error).self) { try context.existingObject(with: id) }
        #expect(try stack.reopened().all("Book").isEmpty)
    }

    @Test("An object that was never saved disappears when it is deleted", arguments: Library.storeTypes)
    func unsavedDeletion(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let author = context.make("Author", ["name": "A"])
        let book = context.makeBook("One", ["author": author])
        context.delete(book)
        context.processPendingChanges()
        #expect(context.deletedObjects.isEmpty)
        #expect(author.members("books").isEmpty)
        try context.save()
        #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 0)
    }

    @Test("A failed save leaves the context as it was", arguments: Library.storeTypes)
    func failure(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let book = context.make("Book", ["title": "No identifier"])
        let good = context.makeBook("Good")
        #expect(throws: (any Error).self) { try context.save() }
        #expect(context.insertedObjects == [book, good])
        #expect(book.objectID.isTemporaryID)
        book.setValue(UUID(), forKey: "identifier")
        try context.save()
        #expect(try stack.reopened().all("Book").count == 2)
    }

    @Test("A transaction that breaks a uniqueness constraint writes nothing")
    func uniqueness() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        context.make("Genre", ["name": "SF"])
        try context.save()
        context.make("Genre", ["name": "Fantasy"])
        context.make("Genre", ["name": "SF"])
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        #expect(error?.localizedDescription.contains("SF") == true)
        #expect(try stack.reopened().all("Genre").count == 1)
    }

    @Test("Rollback and reset forget what was not saved", arguments: Library.storeTypes)
    func rollback(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let book = context.makeBook("One")
        try context.save()
        book.setValue("Changed", forKey: "title")
        let other = context.makeBook("Two")
        context.rollback()
        #expect(!context.hasChanges)
        #expect(book.text("title") == "One")
        #expect(other.managedObjectContext == nil)
        book.setValue("Again", forKey: "title")
        context.reset()
        #expect(!context.hasChanges)
        #expect(try context.all("Book").map { $0.text("title") } == ["One"])
    }
}
