import CoreData
import Foundation
import Testing

@Suite("A child saves into its parent")
@MainActor
struct ChildSavingTests {
    @Test("What a child inserts, changes and deletes is unsaved in the parent, and in no store until the root saves")
    func oneLevelUp() throws {
        let tree = try ContextTree()
        let root = tree.root
        let (kept, gone) = (root.makeBook("Kept"), root.makeBook("Gone"))
        try root.save()

        let child = tree.child()
        let new = child.makeBook("New", ["pages": 7])
        let mine = try child.existingObject(with: kept.objectID)
        mine.setValue("Changed", forKey: "title")
        child.delete(try child.existingObject(with: gone.objectID))
        #expect(!root.hasChanges)
        try child.save()

        #expect(!child.hasChanges)
        #expect(root.insertedObjects.map { $0.text("title") } == ["New"])
        #expect(root.insertedObjects.first?.objectID == new.objectID)
        #expect(root.insertedObjects.first?.value(forKey: "pages") as? Int == 7)
        #expect(root.updatedObjects == [kept])
        #expect(kept.text("title") == "Changed")
        #expect(root.deletedObjects == [gone])
        #expect(try tree.stored().all("Book", sort: "title").map { $0.text("title") } == ["Gone", "Kept"])

        try root.save()
        #expect(try tree.stored().all("Book", sort: "title").map { $0.text("title") } == ["Changed", "New"])
    }

    @Test("The store of three levels is written by the root alone", arguments: Library.storeTypes)
    func threeLevels(storeType: String) throws {
        let tree = try ContextTree(storeType: storeType)
        let middle = tree.child()
        let leaf = tree.child(of: middle)
        let author = leaf.make("Author", ["name": "A"])
        leaf.makeBook("One", ["author": author])
        try leaf.save()
        #expect(try middle.all("Book").first?.value(forKeyPath: "author.name") as? String == "A")
        #expect(!tree.root.hasChanges)
        try middle.save()
        #expect(tree.root.insertedObjects.count == 2)
        #expect(try tree.stored().all("Book").isEmpty)
        try tree.root.save()
        #expect(try tree.stored().all("Author").first?.titles("books") == ["One"])
    }

    @Test("Relationships arrive on both sides, ordered ones in order")
    func relationships() throws {
        let tree = try ContextTree()
        let member = tree.root.make("Member", ["name": "M", "card": 1])
        let book = tree.root.makeBook("One")
        let now = Date()
        func loan(_ context: NSManagedObjectContext, _ day: Double) -> NSManagedObject {
            context.make("Loan", ["lent": now, "due": now.addingTimeInterval(day)])
        }
        let first = loan(tree.root, 1)
        first.setValue(member, forKey: "member")
        first.setValue(book, forKey: "book")
        try tree.root.save()

        let child = tree.child()
        let (mine, mineBook) = (child.object(with: member.objectID), child.object(with: book.objectID))
        let (second, third) = (loan(child, 2), loan(child, 3))
        for new in [second, third] { new.setValue(mineBook, forKey: "book") }
        mine.setValue(
            NSOrderedSet(array: [third, child.object(with: first.objectID), second]), forKey: "loans")
        try child.save()

        let order = (member.value(forKey: "loans") as? NSOrderedSet)?.array as? [NSManagedObject]
        #expect(order?.map(\.objectID) == [third.objectID, first.objectID, second.objectID])
        #expect(book.members("loans").count == 3)
        #expect(order?.allSatisfy { $0.value(forKey: "member") as? NSManagedObject === member } == true)
    }

    @Test("A to-many that both have changed has both changes")
    func bothChanged() throws {
        let tree = try ContextTree()
        let root = tree.root
        let author = root.make("Author", ["name": "A"])
        root.makeBook("One", ["author": author])
        try root.save()
        let child = tree.child()
        let mine = child.object(with: author.objectID)
        child.makeBook("Two", ["author": mine])
        root.makeBook("Three", ["author": author])
        try child.save()
        #expect(author.titles("books") == ["One", "Two", "Three"])
        try root.save()
        #expect(try tree.stored().all("Author").first?.titles("books") == ["One", "Two", "Three"])
    }

    @Test("A child's deletion follows the parent's members too")
    func deletion() throws {
        let tree = try ContextTree()
        let root = tree.root
        let member = root.make("Member", ["name": "M", "card": 1])
        try root.save()
        let child = tree.child()
        let book = root.makeBook("One")
        let loan = root.make("Loan", ["lent": Date(), "due": Date(), "book": book, "member": member])
        child.delete(child.object(with: member.objectID))
        try child.save()
        #expect(member.isDeleted)
        #expect(loan.managedObjectContext == nil || loan.isDeleted)
        #expect(book.members("loans").isEmpty)
    }

    @Test("An object that a child inserts and deletes again never gets to the parent's store")
    func insertAndDelete() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let book = child.makeBook("One")
        try child.save()
        #expect(tree.root.insertedObjects.count == 1)
        child.delete(book)
        try child.save()
        #expect(tree.root.insertedObjects.isEmpty)
        #expect(tree.root.deletedObjects.isEmpty)
        #expect(book.managedObjectContext == nil)
    }

    @Test("The child validates when it saves, and a failure leaves both as they were")
    func validation() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let book = child.make("Book", ["title": "No identifier"])
        let error = #expect(throws: NSError.self) { try child.save() }
        #expect(error?.code == NSValidationMissingMandatoryPropertyError)
        #expect(child.insertedObjects == [book])
        #expect(!tree.root.hasChanges)
    }

    @Test("awakeFromInsert runs for the parent's object too, and then the child's values are set")
    func defaults() throws {
        let tree = try ContextTree()
        let child = tree.child()
        child.makeBook("One", ["copies": 5])
        try child.save()
        #expect(tree.root.insertedObjects.first?.value(forKey: "copies") as? Int == 5)
        #expect(tree.root.insertedObjects.first?.value(forKey: "inPrint") as? Bool == true)
    }

    @Test("Values of every kind go up and down")
    func values() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let values: [String: Any] = [
            "identifier": UUID(), "copies": 3, "inPrint": false, "pages": 341, "price": Decimal(string: "10.25")!,
            "rating": Float(4.5), "published": Date(timeIntervalSinceReferenceDate: 1.5),
        ]
        let id = child.makeBook("One", values).objectID
        child.make(
            "Author",
            ["name": "U", "portrait": Data([0, 1, 255]), "website": URL(string: "https://u.example")!])
        try child.save()
        for context in [tree.root, tree.child(), tree.child(of: tree.child())] {
            let book = try context.existingObject(with: id)
            #expect(book.value(forKey: "identifier") as? UUID == values["identifier"] as? UUID)
            #expect(book.value(forKey: "copies") as? Int == 3)
            #expect(book.value(forKey: "inPrint") as? Bool == false)
            #expect(book.value(forKey: "price") as? Decimal == Decimal(string: "10.25"))
            #expect(book.value(forKey: "rating") as? Float == 4.5)
            #expect(book.value(forKey: "published") as? Date == Date(timeIntervalSinceReferenceDate: 1.5))
            let author = try #require(context.all("Author").first)
            #expect(author.value(forKey: "portrait") as? Data == Data([0, 1, 255]))
            #expect(author.value(forKey: "website") as? URL == URL(string: "https://u.example"))
        }
    }

    @Test("Each level posts its own notifications, with its own objects")
    func notifications() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let (willSave, didSave) = (
            PostedNotifications(NSManagedObjectContext.willSaveObjectsNotification, from: child),
            PostedNotifications(NSManagedObjectContext.didSaveObjectsNotification, from: child)
        )
        let savedIDs = PostedNotifications(NSManagedObjectContext.didSaveObjectIDsNotification, from: child)
        let above = PostedNotifications(NSManagedObjectContext.didSaveObjectsNotification, from: tree.root)
        let changed = PostedNotifications(NSManagedObjectContext.didChangeObjectsNotification, from: tree.root)
        let book = child.makeBook("One")
        try child.save()
        #expect(willSave.count == 1)
        #expect(didSave.objects(.insertedObjects) == [book])
        #expect(savedIDs.ids(.insertedObjectIDs) == [book.objectID])
        #expect(above.count == 0)
        #expect(changed.count == 1)
        #expect(changed.objects(.insertedObjects) == tree.root.insertedObjects)
        try tree.root.save()
        #expect(above.objects(.insertedObjects).map(\.objectID) == [book.objectID])
        #expect(didSave.count == 1)
    }

    @Test("A child's save is one event of the parent's undo manager")
    func undo() throws {
        let tree = try ContextTree()
        let author = tree.root.make("Author", ["name": "A"])
        try tree.root.save()
        let manager = UndoManager()
        manager.groupsByEvent = false
        tree.root.undoManager = manager
        let child = tree.child()
        child.object(with: author.objectID).setValue("B", forKey: "name")
        for title in ["One", "Two"] { child.makeBook(title, ["author": child.object(with: author.objectID)]) }
        manager.beginUndoGrouping()
        try child.save()
        manager.endUndoGrouping()
        #expect(author.members("books").count == 2)
        tree.root.undo()
        #expect(author.text("name") == "A")
        #expect(author.members("books").isEmpty)
        #expect(tree.root.insertedObjects.isEmpty)
        tree.root.redo()
        #expect(author.titles("books") == ["One", "Two"])
        try tree.root.save()
        #expect(try tree.stored().all("Author").first?.titles("books") == ["One", "Two"])
    }

    @Test("A child has an undo manager of its own, which goes back across its saves")
    func undoInChild() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let author = child.make("Author", ["name": "A"])
        try child.save()
        let manager = UndoManager()
        manager.groupsByEvent = false
        child.undoManager = manager
        func step(_ body: () throws -> Void) rethrows {
            manager.beginUndoGrouping()
            try body()
            child.processPendingChanges()
            manager.endUndoGrouping()
        }
        step { author.setValue("B", forKey: "name") }
        step { child.makeBook("One", ["author": author]) }
        try child.save()
        child.undo()
        child.undo()
        #expect(author.text("name") == "A")
        #expect(author.members("books").isEmpty)
        try child.save()
        #expect(try tree.root.all("Author").first?.text("name") == "A")
        #expect(try tree.root.all("Book").isEmpty)
        child.redo()
        child.redo()
        try child.save()
        #expect(try tree.root.all("Author").first?.titles("books") == ["One"])
    }

    @Test("rollback and reset drop a child's changes and leave the parent's")
    func rollback() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        let child = tree.child()
        let mine = try child.existingObject(with: book.objectID)
        mine.setValue("Mine", forKey: "title")
        child.makeBook("New")
        child.rollback()
        #expect(!child.hasChanges)
        #expect(mine.text("title") == "One")
        #expect(tree.root.hasChanges)
        mine.setValue("Mine", forKey: "title")
        child.reset()
        #expect(!child.hasChanges)
        #expect(mine.managedObjectContext == nil)
        #expect(try child.all("Book").map { $0.text("title") } == ["One"])
    }

    @Test("What a child has saved into its unsaved parent can be inserted once more, and is told and saved as new")
    func insertedAgain() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let book = child.makeBook("A", ["pages": 1])
        book.setValue(child.make("Author", ["name": "N"]), forKey: "author")
        try child.save()
        let saves = PostedNotifications(.NSManagedObjectContextDidSave, from: child)
        child.insert(book)
        #expect(book.isInserted && child.insertedObjects == [book])
        try child.save()
        #expect(saves.last?.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [book])
        #expect(!child.hasChanges && tree.root.insertedObjects.count == 2)
        book.setValue(2, forKey: "pages")
        try child.save()
        try tree.root.save()
        let stored = try #require(try tree.stored().all("Book").first)
        #expect(stored.value(forKey: "pages") as? Int == 2)
        #expect((stored.value(forKey: "author") as? NSManagedObject)?.text("name") == "N")
        child.insert(book)
        #expect(!book.isInserted && !child.hasChanges)
    }
}
