import CoreData
import Foundation
import Testing

@Suite("Two contexts that change the same object")
struct ConflictTests {
    /// A book changed by one context while another has changed it too: the store has "Theirs" and 5 copies.
    private func conflict(_ policy: NSMergePolicy) throws -> (TemporaryStack, NSManagedObjectContext, NSManagedObject) {
        let stack = try TemporaryStack()
        let (first, second) = (stack.context(), stack.context())
        let book = first.makeBook("Base", ["copies": 1, "pages": 10])
        try first.save()
        let mine = try second.existingObject(with: book.objectID)
        book.setValue("Theirs", forKey: "title")
        book.setValue(5, forKey: "copies")
        try first.save()
        mine.setValue("Mine", forKey: "title")
        mine.setValue(20, forKey: "pages")
        second.mergePolicy = policy
        return (stack, second, mine)
    }

    private func row(_ stack: TemporaryStack) throws -> [String?] {
        try PlainSQLite.rows("SELECT ZTITLE, ZCOPIES, ZPAGES FROM ZBOOK", in: stack.storeURL)[0]
    }

    @Test("By default the save fails, names the object, and changes nothing")
    func errorPolicy() throws {
        let (stack, context, book) = try conflict(.error)
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(list?.first?.sourceObject === book)
        #expect(list?.first?.oldVersionNumber == 1)
        #expect(list?.first?.newVersionNumber == 2)
        #expect(try row(stack) == ["Theirs", "5", "10"])
        #expect(book.text("title") == "Mine")
        #expect(context.hasChanges)
    }

    @Test("Object trump: my changes win property by property")
    func objectTrump() throws {
        let (stack, context, _) = try conflict(.mergeByPropertyObjectTrump)
        try context.save()
        #expect(try row(stack) == ["Mine", "5", "20"])
    }

    @Test("Store trump: theirs win where both changed")
    func storeTrump() throws {
        let (stack, context, book) = try conflict(.mergeByPropertyStoreTrump)
        try context.save()
        #expect(try row(stack) == ["Theirs", "5", "20"])
        #expect(book.text("title") == "Theirs")
    }

    @Test("Overwrite: my object as a whole")
    func overwrite() throws {
        let (stack, context, _) = try conflict(.overwrite)
        try context.save()
        #expect(try row(stack) == ["Mine", "1", "20"])
    }

    @Test("Rollback: their object as a whole")
    func rollback() throws {
        let (stack, context, book) = try conflict(.rollback)
        try context.save()
        #expect(try row(stack) == ["Theirs", "5", "10"])
        #expect(book.text("title") == "Theirs")
        #expect(!context.hasChanges)
    }

    @Test(
        "A deletion stands against what others have changed where the object trumps, and gives way where the store does",
        arguments: [
            (NSMergePolicy.mergeByPropertyObjectTrump, true), (.overwrite, true), (.mergeByPropertyStoreTrump, false),
            (.rollback, false),
        ], [false, true])
    func deletion(_ policy: (NSMergePolicy, stands: Bool), usesRelationships: Bool) throws {
        let stack = try TemporaryStack()
        let (first, second) = (stack.context(), stack.context())
        let book = first.makeBook("Base")
        book.setValue(first.make("Author", ["name": "Author"]), forKey: "author")
        try first.save()
        let mine = try second.existingObject(with: book.objectID)
        if usesRelationships {
            _ = mine.value(forKey: "genres")
            _ = (mine.value(forKey: "author") as? NSManagedObject)?.value(forKey: "books")
        }
        book.setValue("Theirs", forKey: "title")
        try first.save()
        second.delete(mine)
        second.mergePolicy = policy.0
        try second.save()
        #expect(!second.hasChanges)
        #expect(try stack.context().all("Book").count == (policy.stands ? 0 : 1))
        #expect((mine.managedObjectContext == nil) == policy.stands)
        let author = try #require(second.all("Author").first)
        #expect(author.value(forKey: "books") as? Set == (policy.stands ? [] : [mine]))
        if !policy.stands { #expect(mine.text("title") == "Theirs") }
    }

    @Test(
        "Members that were added survive a conflict over attributes that others have changed",
        arguments: [
            NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite,
        ])
    func members(_ policy: NSMergePolicy) throws {
        let stack = try TemporaryStack()
        let (first, second) = (stack.context(), stack.context())
        let book = first.makeBook("Base")
        try first.save()
        let mine = try second.existingObject(with: book.objectID)
        _ = mine.text("title")
        book.setValue("Theirs", forKey: "title")
        try first.save()
        mine.setValue(Set([second.make("Genre", ["name": "Novel"])]), forKey: "genres")
        second.mergePolicy = policy
        try second.save()
        let stored = try #require(stack.context().all("Book").first)
        #expect((stored.value(forKey: "genres") as? Set<NSManagedObject>)?.count == 1)
        #expect(stored.text("title") == (policy == .overwrite ? "Base" : "Theirs"))
    }

    @Test("A fault that was fetched before another context saved shows what was saved")
    func staleFault() throws {
        let stack = try TemporaryStack()
        let (first, second) = (stack.context(), stack.context())
        let book = first.makeBook("Base")
        try first.save()
        let fault = try #require(second.all("Book").first)
        #expect(fault.isFault)
        book.setValue("Changed", forKey: "title")
        try first.save()
        #expect(fault.text("title") == "Changed")
    }
}
