import CoreData
import Foundation
import Testing

@Suite("Two objects with values that are to be unique")
struct UniquenessTests {
    private let stack: TemporaryStack
    private let context: NSManagedObjectContext
    private let identifier = UUID()

    init() throws {
        stack = try TemporaryStack()
        context = stack.context()
    }

    private func rows() throws -> [[String?]] {
        try PlainSQLite.rows("SELECT Z_PK, ZTITLE, ZCOPIES, ZPAGES FROM ZBOOK ORDER BY Z_PK", in: stack.storeURL)
    }

    private func books(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.all("Book", sort: "title")
    }

    /// A stored book with the identifier, and in another context an unsaved one: with another title, two genres and an author.
    private func conflict(_ policy: NSMergePolicy) throws -> (stored: NSManagedObject, new: NSManagedObject) {
        let writer = stack.context()
        let stored = writer.makeBook("Stored", ["identifier": identifier, "copies": 5, "pages": 10])
        try writer.save()
        let author = context.make("Author", ["name": "Verne"])
        let new = context.makeBook("New", ["identifier": identifier, "author": author])
        new.mutableSetValue(forKey: "genres").add(context.make("Genre", ["name": "Novel"]))
        context.mergePolicy = policy
        return (stored, new)
    }

    @Test("By default the save fails with 133021, names both, and changes nothing")
    func errorPolicy() throws {
        let (stored, new) = try conflict(.error)
        let error = try #require(throws: NSError.self) { try context.save() }
        #expect(error.code == NSManagedObjectConstraintMergeError)
        let list = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
        #expect(list.count == 1)
        #expect(list[0].constraint == ["identifier"])
        #expect(list[0].constraintValues["identifier"] as? UUID == identifier)
        #expect(list[0].conflictingObjects == [new])
        #expect(list[0].databaseObject?.objectID == stored.objectID)
        #expect(list[0].databaseSnapshot?["title"] as? String == "Stored")
        #expect(error.localizedDescription.contains(stored.objectID.uriRepresentation().absoluteString))
        #expect(try rows() == [["1", "Stored", "5", "10"]])
        #expect(new.isInserted)
        #expect(new.text("title") == "New")
    }

    @Test("Object trump: the row gets what was set, keeps the rest and its ID, and takes over the relationships")
    func objectTrump() throws {
        let (stored, new) = try conflict(.mergeByPropertyObjectTrump)
        try context.save()
        #expect(try rows() == [["1", "New", "5", "10"]])
        #expect(new.managedObjectContext == nil)
        let kept = try context.existingObject(with: stored.objectID)
        #expect((kept.value(forKey: "author") as? NSManagedObject)?.text("name") == "Verne")
        #expect(kept.members("genres").map { $0.text("name") } == ["Novel"])
        let reopened = try #require(try books(stack.reopened()).first)
        #expect((reopened.value(forKey: "author") as? NSManagedObject)?.text("name") == "Verne")
        #expect(reopened.members("genres").count == 1)
        #expect(!context.hasChanges)
    }

    @Test("Overwrite: the row becomes what the object is, defaults included")
    func overwrite() throws {
        _ = try conflict(.overwrite)
        try context.save()
        #expect(try rows() == [["1", "New", "1", nil]])
    }

    @Test("Store trump: the row's values stay; relationships that it doesn't have come to it")
    func storeTrump() throws {
        let (stored, _) = try conflict(.mergeByPropertyStoreTrump)
        try context.save()
        #expect(try rows() == [["1", "Stored", "5", "10"]])
        let kept = try context.existingObject(with: stored.objectID)
        #expect((kept.value(forKey: "author") as? NSManagedObject)?.text("name") == "Verne")
    }

    @Test("Rollback: the object goes without a trace, what else is saved stays")
    func rollback() throws {
        let (stored, new) = try conflict(.rollback)
        try context.save()
        #expect(try rows() == [["1", "Stored", "5", "10"]])
        #expect(new.managedObjectContext == nil)
        #expect(try context.existingObject(with: stored.objectID).value(forKey: "author") == nil)
        #expect(try context.all("Author").count == 1)
    }

    @Test("Several unsaved objects become one: of what was set, the later wins or the first, as the policy says")
    func unsaved() throws {
        for (policy, title) in [
            (NSMergePolicy.mergeByPropertyObjectTrump, "Third"), (.mergeByPropertyStoreTrump, "First"),
        ] {
            let shared = UUID()
            context.mergePolicy = policy
            for title in ["First", "Second", "Third"] { context.makeBook(title, ["identifier": shared]) }
            try context.save()
            #expect(try books(context).map { $0.text("title") } == [title])
            for book in try books(context) { context.delete(book) }
            try context.save()
        }
        context.mergePolicy = NSMergePolicy.error
        for title in ["First", "Second", "Third"] { context.makeBook(title, ["identifier": identifier]) }
        let error = try #require(throws: NSError.self) { try context.save() }
        let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        #expect(list?.count == 1)
        #expect(list?[0].databaseObject == nil)
        #expect(list?[0].conflictingObjects.count == 3)
        #expect(context.insertedObjects.count == 3)
    }

    @Test("Several unsaved objects against a row are one with it in the end")
    func unsavedAgainstStored() throws {
        _ = try conflict(.mergeByPropertyObjectTrump)
        context.makeBook("Newer", ["identifier": identifier, "pages": 30])
        try context.save()
        #expect(try rows() == [["1", "Newer", "5", "30"]])
    }

    @Test("A saved object that takes a value of another one: trumping, the other goes; otherwise it gets its own back")
    func savedAgainstStored() throws {
        let policies: [(NSMergePolicy, [String])] = [
            (.mergeByPropertyObjectTrump, ["Changed"]), (.overwrite, ["Changed"]),
            (.mergeByPropertyStoreTrump, ["Changed", "Stored"]), (.rollback, ["Mine", "Stored"]),
        ]
        for (policy, titles) in policies {
            let stack = try TemporaryStack()
            let context = stack.context()
            context.makeBook("Stored", ["identifier": identifier])
            let mine = context.makeBook("Mine")
            try context.save()
            mine.setValue(identifier, forKey: "identifier")
            mine.setValue("Changed", forKey: "title")
            context.mergePolicy = policy
            try context.save()
            #expect(try books(stack.reopened()).compactMap { $0.text("title") } == titles)
        }
    }

    @Test("The objects that leave and the ones that stay are in the notification of changes")
    func notifications() throws {
        let (stored, new) = try conflict(.mergeByPropertyObjectTrump)
        context.processPendingChanges()
        nonisolated(unsafe) var infos: [[AnyHashable: Any]] = []
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { infos.append($0.userInfo ?? [:]) }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        let kept = context.object(with: stored.objectID)
        #expect(infos.contains { ($0[NSDeletedObjectsKey] as? Set<NSManagedObject>)?.contains(new) == true })
        #expect(infos.contains { ($0[NSUpdatedObjectsKey] as? Set<NSManagedObject>)?.contains(kept) == true })
    }

    @Test("A policy of the program's own decides for itself, and may leave the rest to its superclass")
    func subclass() throws {
        final class Renaming: NSMergePolicy, @unchecked Sendable {
            override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
                for conflict in list where conflict.constraint == ["identifier"] {
                    for object in conflict.conflictingObjects { object.setValue(UUID(), forKey: "identifier") }
                }
                try super.resolve(constraintConflicts: list.filter { $0.constraint != ["identifier"] })
            }
        }
        _ = try conflict(Renaming(merge: .errorMergePolicyType))
        try context.save()
        #expect(try books(context).compactMap { $0.text("title") } == ["New", "Stored"])
    }

    @Test("Two thousand conflicts are settled in one save")
    func many() throws {
        let identifiers = (0..<2_000).map { _ in UUID() }
        for identifier in identifiers { context.makeBook("Old", ["identifier": identifier, "pages": 3]) }
        try context.save()
        let importer = stack.context()
        importer.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        for identifier in identifiers { importer.makeBook("New", ["identifier": identifier]) }
        try importer.save()
        #expect(try stack.reopened().all("Book", "title == 'New' AND pages == 3").count == identifiers.count)
    }

    @Test(
        "A value that a row gives up in the same save goes to the new object, also where the row was changed by others",
        arguments: [
            NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite,
        ])
    func givenUp(policy: NSMergePolicy) throws {
        let writer = stack.context()
        let stored = writer.makeBook("Stored", ["identifier": identifier, "copies": 5])
        try writer.save()
        context.mergePolicy = policy
        let mine = try context.existingObject(with: stored.objectID)
        #expect(mine.text("title") == "Stored")
        stored.setValue(6, forKey: "copies")
        try writer.save()
        let other = UUID()
        mine.setValue(other, forKey: "identifier")
        context.makeBook("New", ["identifier": identifier])
        try context.save()
        let saved = try books(stack.reopened())
        #expect(saved.map { $0.text("title") } == ["New", "Stored"])
        #expect(saved.map { $0.value(forKey: "identifier") as? UUID } == [identifier, other])
    }
}
