import CoreData
import Foundation
import Testing

@Suite("Undo and redo, line by line")
@MainActor
struct UndoContractTests {
    @Test("Without a manager undo and redo do nothing")
    func noManager() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        stack.context.undo()
        stack.context.redo()
        #expect(thing.value(forKey: "name") as? String == "A")
    }

    @Test("Refreshing what is deleted is no change of its own, which would need a group")
    func refreshedDeletion() throws {
        let stack = try TemporaryStack(model: Shelves.model())
        let context = stack.context()
        let (author, book) = (context.make("Author", ["name": "a"]), context.make("Book", ["name": "b"]))
        try context.save()
        let manager = context.undoing()
        context.step {
            book.setValue(author, forKey: "author")
            context.delete(book)
        }
        context.refreshAllObjects()
        #expect(author.members("books").isEmpty)
        try context.save()
        #expect(manager.undoCount == 1)
    }

    @Test(
        "An insertion that was saved is undone by the delete rules: others may have related objects to it since",
        arguments: Library.storeTypes, [true, false])
    func savedInsertion(storeType: String, isRead: Bool) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let (mine, other) = (stack.context(), stack.context())
        let book = mine.make("Book", ["name": "b"])
        try mine.save()
        let manager = mine.undoing()
        let objects = mine.step {
            ["Author": "author", "Shelf": "shelf", "Cover": "cover"].map { entity, key in
                (mine.make(entity, ["name": "x"]), key)
            }
        }
        try mine.save()
        let log = SaveLog(other)
        for (object, key) in objects {
            other.object(with: book.objectID).setValue(other.object(with: object.objectID), forKey: key)
        }
        try other.save()
        for save in log.take() { mine.mergeChanges(fromContextDidSave: save) }
        if isRead { for (object, key) in objects { #expect(book.value(forKey: key) as? NSManagedObject === object) } }
        manager.undo()
        try mine.save()
        for (_, key) in objects { #expect(book.value(forKey: key) == nil, "\(key)") }
        let saved = try #require(stack.reopened().all("Book").first)
        for (_, key) in objects { #expect(saved.value(forKey: key) == nil, "\(key)") }
    }

    @Test(
        "A pair that another has parted since is parted again by undoing, at both ends", arguments: Library.storeTypes)
    func repaired(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let (mine, other) = (stack.context(), stack.context())
        let book = mine.make("Book", ["name": "b"])
        let covers = ["x", "y", "z"].map { mine.make("Cover", ["name": $0]) }
        book.setValue(covers[0], forKey: "cover")
        try mine.save()
        let manager = mine.undoing()
        mine.step { book.setValue(covers[1], forKey: "cover") }
        try mine.save()
        let log = SaveLog(other)
        other.object(with: book.objectID).setValue(other.object(with: covers[2].objectID), forKey: "cover")
        try other.save()
        for save in log.take() { mine.mergeChanges(fromContextDidSave: save) }
        manager.undo()
        mine.undoManager = nil
        try mine.save()
        #expect(try Relationships.differences(in: stack.reopened()) == [])
        let saved = try #require(stack.reopened().all("Book").first?.value(forKey: "cover") as? NSManagedObject)
        #expect(saved.text("name") == "x")
    }

    @Test(
        "What an undo restores leaves out what others have deleted since, and can be saved",
        arguments: Library.storeTypes)
    func restoredMembers(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let (mine, other) = (stack.context(), stack.context())
        let (author, book) = (mine.make("Author", ["name": "a"]), mine.make("Book", ["name": "b"]))
        book.setValue(author, forKey: "author")
        try mine.save()
        let manager = mine.undoing()
        mine.step { mine.delete(author) }
        let log = SaveLog(other)
        other.delete(other.object(with: book.objectID))
        try other.save()
        for save in log.take() { mine.mergeChanges(fromContextDidSave: save) }
        manager.undo()
        manager.redo()
        manager.undo()
        mine.undoManager = nil
        try mine.save()
        #expect(try Relationships.differences(in: stack.reopened()) == [])
        #expect(try stack.reopened().all("Author").count == 1)
    }

    @Test(
        "A deletion that is redone is one by the delete rules, also where these wait for the save",
        arguments: [true, false])
    func redoneDeletion(wasSaved: Bool) throws {
        let stack = try TemporaryStack(model: Shelves.model())
        let context = stack.context()
        context.propagatesDeletesAtEndOfEvent = false
        let (author, book) = (context.make("Author", ["name": "a"]), context.make("Book", ["name": "b"]))
        book.setValue(author, forKey: "author")
        if wasSaved { try context.save() } else { context.processPendingChanges() }
        let manager = context.undoing()
        context.step { context.delete(author) }
        manager.undo()
        manager.redo()
        // What the rules change in the save is of no group.
        context.undoManager = nil
        try context.save()
        #expect(book.value(forKey: "author") == nil)
        #expect(try stack.reopened().all("Book").first?.value(forKey: "author") == nil)
    }

    @Test(
        "Undoing a deletion leaves an object alone that another context has brought back meanwhile, and that was fetched since"
    )
    func broughtBackByOthers() throws {
        let stack = try ThingStack()
        let other = stack.tree.sibling()
        other.mergePolicy = NSMergePolicy.overwrite
        let (owner, mark) = (try stack.thing("owner"), stack.context.make("Mark", ["label": "m"]))
        owner.setValue(NSOrderedSet(object: mark), forKey: "steps")
        try stack.context.save()
        let theirs = try other.existingObject(with: mark.objectID)
        theirs.setValue("theirs", forKey: "label")
        _ = theirs.value(forKey: "stepOf")
        _ = stack.undoing()
        stack.step { stack.context.delete(mark) }
        try stack.context.save()
        try other.save()
        stack.context.refreshAllObjects()
        let found = try #require(try stack.context.all("Mark").first)
        _ = owner.value(forKey: "steps")
        stack.context.undo()
        #expect((owner.value(forKey: "steps") as? NSOrderedSet)?.array as? [NSManagedObject] == [found])
        #expect(try stack.context.all("Mark") == [found])
        stack.context.undoManager = nil
        try stack.context.save()
        for context in [stack.context, try stack.tree.stored()] {
            #expect(try context.all("Mark").map { $0.text("label") } == ["theirs"])
            let things = try context.all("Thing")
            #expect(things.map { ($0.value(forKey: "steps") as? NSOrderedSet)?.count } == [1])
        }
    }

    @Test("Changes of many kinds in one group come back together and go again")
    func group() throws {
        let stack = try ThingStack()
        let (first, second) = (try stack.thing("1"), try stack.thing("2"))
        try stack.context.save()
        _ = stack.undoing()
        var new: Thing?
        try stack.step {
            first.setValue("changed", forKey: "name")
            second.setValue(first, forKey: "parent")
            new = try stack.thing("new", ["parent": first])
            stack.context.delete(second)
        }
        for _ in 0..<3 {
            stack.context.undo()
            #expect(first.value(forKey: "name") as? String == "1")
            #expect(!second.isDeleted && second.value(forKey: "parent") == nil)
            #expect(first.members("children").isEmpty)
            #expect(new?.managedObjectContext == nil)
            stack.context.redo()
            #expect(first.value(forKey: "name") as? String == "changed")
            #expect(second.isDeleted)
            #expect(first.members("children") == [new])
            #expect(new?.managedObjectContext === stack.context)
        }
        try stack.context.save()
        #expect(try stack.tree.stored().all("Thing", sort: "name").map { $0.text("name") } == ["changed", "new"])
    }

    @Test("A save between the steps is no boundary: five steps back, each saved, and five forward")
    func acrossSaves() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("0")
        try stack.context.save()
        _ = stack.undoing()
        for number in 1...5 {
            stack.step { thing.setValue("\(number)", forKey: "name") }
            try stack.context.save()
        }
        for number in (0...4).reversed() {
            stack.context.undo()
            #expect(stack.context.hasChanges)
            try stack.context.save()
            #expect(try stack.tree.stored().all("Thing").first?.text("name") == "\(number)")
        }
        for number in 1...5 {
            stack.context.redo()
            try stack.context.save()
            #expect(try stack.tree.stored().all("Thing").first?.text("name") == "\(number)")
        }
    }

    @Test("An insertion that is undone after its save deletes the row, and redone inserts it again")
    func savedInsertion() throws {
        let stack = try ThingStack()
        _ = stack.undoing()
        var thing: Thing?
        try stack.step { thing = try stack.thing("A") }
        try stack.context.save()
        stack.context.undo()
        #expect(thing?.isDeleted == true)
        try stack.context.save()
        #expect(try stack.tree.stored().all("Thing").isEmpty)
        stack.context.redo()
        try stack.context.save()
        #expect(try stack.tree.stored().all("Thing").first?.text("name") == "A")
    }

    @Test("A to-many, ordered ones in order, comes back as it was")
    func orderedMembers() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        let marks = (1...4).map { stack.context.make("Mark", ["label": "\($0)"]) }
        thing.setValue(NSOrderedSet(array: marks), forKey: "steps")
        try stack.context.save()
        _ = stack.undoing()
        stack.step { thing.setValue(NSOrderedSet(array: [marks[3], marks[0]]), forKey: "steps") }
        stack.context.undo()
        #expect((thing.value(forKey: "steps") as? NSOrderedSet)?.array as? [NSManagedObject] == marks)
        #expect(marks.allSatisfy { $0.value(forKey: "stepOf") as? NSManagedObject === thing })
        stack.context.redo()
        #expect((thing.value(forKey: "steps") as? NSOrderedSet)?.array as? [NSManagedObject] == [marks[3], marks[0]])
    }

    @Test(
        "In a child, what was undone before its save never gets to the parent; undone after it, the next save takes it back there"
    )
    func children() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        let child = tree.child()
        let manager = UndoManager()
        manager.groupsByEvent = false
        child.undoManager = manager
        let mine = try child.existingObject(with: book.objectID)
        func step(_ title: String) {
            manager.beginUndoGrouping()
            mine.setValue(title, forKey: "title")
            child.processPendingChanges()
            manager.endUndoGrouping()
        }
        step("Two")
        child.undo()
        try child.save()
        #expect(book.text("title") == "One")
        step("Three")
        try child.save()
        #expect(book.text("title") == "Three")
        child.undo()
        try child.save()
        #expect(book.text("title") == "One")
        child.redo()
        try child.save()
        #expect(book.text("title") == "Three")
    }

    @Test("Undo tells observers like any other change, in one event")
    func notification() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        _ = stack.undoing()
        stack.step { thing.setValue("B", forKey: "name") }
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        stack.context.undo()
        #expect(posted.count == 1)
        #expect(posted.objects(.updatedObjects) == [thing])
    }

    @Test("A manager that groups by event takes one event's changes back with one undo")
    func groupsByEvent() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        let manager = UndoManager()
        stack.context.undoManager = manager
        thing.setValue("B", forKey: "name")
        thing.setValue(50, forKey: "size")
        stack.context.processPendingChanges()
        #expect(manager.canUndo)
        stack.context.undo()
        #expect(thing.value(forKey: "name") as? String == "A" && thing.value(forKey: "size") as? Int == 11)
    }

    @Test("The levels of undo are the manager's")
    func levels() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("0")
        try stack.context.save()
        let manager = stack.undoing()
        manager.levelsOfUndo = 2
        for number in 1...4 { stack.step { thing.setValue("\(number)", forKey: "name") } }
        while manager.canUndo { stack.context.undo() }
        #expect(thing.value(forKey: "name") as? String == "2")
    }

    @Test("A manager that two contexts share takes back what each did, in turn")
    func shared() throws {
        let tree = try ContextTree()
        let other = tree.sibling()
        let manager = UndoManager()
        manager.groupsByEvent = false
        let contexts = [tree.root, other]
        let books = contexts.map { $0.makeBook("One") }
        for context in contexts {
            try context.save()
            context.undoManager = manager
        }
        for (context, book) in zip(contexts, books) {
            manager.beginUndoGrouping()
            book.setValue("Two", forKey: "title")
            context.processPendingChanges()
            manager.endUndoGrouping()
        }
        tree.root.undo()
        #expect(books.map { $0.text("title") } == ["Two", "One"])
        tree.root.undo()
        #expect(books.map { $0.text("title") } == ["One", "One"])
    }

    @Test("What is undone while nothing registers can't be redone, and a deletion that cascades comes back whole")
    func cascade() throws {
        let tree = try ContextTree()
        let manager = UndoManager()
        manager.groupsByEvent = false
        let book = tree.root.makeBook("One")
        let member = tree.root.make("Member", ["name": "M", "card": 1])
        let loan = tree.root.make("Loan", ["lent": Date(), "due": Date(), "book": book, "member": member])
        try tree.root.save()
        tree.root.undoManager = manager
        manager.beginUndoGrouping()
        tree.root.delete(member)
        tree.root.processPendingChanges()
        manager.endUndoGrouping()
        try tree.root.save()
        tree.root.undo()
        #expect(loan.value(forKey: "member") as? NSManagedObject === member)
        #expect(book.members("loans") == [loan])
        try tree.root.save()
        #expect(try tree.stored().all("Loan", "member.name == 'M' AND book.title == 'One'").count == 1)
    }
}
