import CoreData
import Foundation
import Testing

/// Contexts that have read one end of a relationship before another's save, and the other end after it.
@Suite("What a context knows from one end only is saved so that both ends agree, over every store type")
struct KnownFromOneEndTests {
    private struct Shelf {
        let stack: TemporaryStack
        let first: NSManagedObjectContext
        let second: NSManagedObjectContext

        /// - Parameter isParent: whether the first context is to be a parent, and used in blocks alone.
        init(_ storeType: String, isParent: Bool = false) throws {
            let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let first = isParent ? stack.queueContext() : stack.context()
            (self.stack, self.first, second) = (stack, first, stack.context())
            try first.performAndWait {
                for name in ["a", "b"] { first.make("Book", ["name": name]) }
                for name in ["x", "y"] { first.make("Cover", ["name": name]) }
                try first.save()
            }
        }

        func differences() throws -> [String] {
            try Relationships.differences(in: stack.context()) + Relationships.differences(in: stack.reopened())
        }
    }

    private static func object(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        try #require(["Book", "Cover"].flatMap { try context.all($0, "name == '\(name)'") }.first)
    }

    /// The second context reads one end, the first one joins the two, and then the second reads the other end.
    @Test(
        "Another partner, none, or a deletion, seen from either end", arguments: Library.storeTypes, ["Book", "Cover"])
    func pairs(storeType: String, readFirst: String) throws {
        for change in ["another", "none", "delete"] {
            let shelf = try Shelf(storeType)
            let isBook = readFirst == "Book"
            let stale = try Self.object(isBook ? "a" : "x", shelf.second)
            _ = stale.value(forKey: isBook ? "cover" : "book")
            let book = try Self.object("a", shelf.first)
            book.setValue(try Self.object("x", shelf.first), forKey: "cover")
            try shelf.first.save()
            // This end leads to the other, which doesn't lead back.
            let fresh = try Self.object(isBook ? "x" : "a", shelf.second)
            let key = isBook ? "book" : "cover"
            #expect(fresh.value(forKey: key) as? NSManagedObject === stale)
            switch change {
            case "another": fresh.setValue(try Self.object(isBook ? "b" : "y", shelf.second), forKey: key)
            case "none": fresh.setValue(nil, forKey: key)
            default: shelf.second.delete(fresh)
            }
            try shelf.second.save()
            #expect(try shelf.differences() == [], "\(change)")
        }
    }

    @Test(
        "A deletion that is merged late doesn't take away what a merge policy has inserted anew",
        arguments: Library.storeTypes)
    func lateDeletion(storeType: String) throws {
        let shelf = try Shelf(storeType, isParent: true)
        let (first, second) = (shelf.first, shelf.second)
        first.mergePolicy = NSMergePolicy.overwrite
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = first
        child.mergePolicy = NSMergePolicy.overwrite
        try NSManagedObjectContext.performAndWait(in: [first, child]) {
            let mine = try Self.object("x", child)
            mine.setValue(try Self.object("a", child), forKey: "book")
            let log = SaveLog(second)
            second.delete(try Self.object("x", second))
            try second.save()
            first.reset()
            try child.save()
            for save in log.take() { first.mergeChanges(fromContextDidSave: save) }
            #expect(try first.all("Cover", "name == 'x'").count == 1)
            try first.save()
            #expect(try shelf.differences() == [])
            #expect(try shelf.stack.reopened().all("Cover", "name == 'x'").first?.value(forKey: "book") != nil)
        }
    }

    @Test("A deletion that is undone leads where the store's object does", arguments: Library.storeTypes)
    func undoneDeletion(storeType: String) throws {
        let shelf = try Shelf(storeType)
        let (first, second) = (shelf.first, shelf.second)
        second.mergePolicy = NSMergePolicy.overwrite
        second.undoManager = UndoManager()
        second.delete(try Self.object("a", second))
        second.processPendingChanges()
        try Self.object("a", first).setValue(Self.object("x", first), forKey: "cover")
        try first.save()
        try second.save()
        second.undo()
        let cover = try Self.object("x", second)
        cover.setValue(try Self.object("b", second), forKey: "book")
        try second.save()
        #expect(try shelf.differences() == [])
        #expect(try Self.object("a", second).value(forKey: "cover") == nil)
    }

    @Test(
        "A child that prevails over its parent doesn't lead to what the parent has deleted",
        arguments: Library.storeTypes)
    func goneFromParent(storeType: String) throws {
        let shelf = try Shelf(storeType, isParent: true)
        let first = shelf.first
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = first
        child.mergePolicy = NSMergePolicy.overwrite
        try NSManagedObjectContext.performAndWait(in: [first, child]) {
            try Self.object("a", first).setValue(Self.object("x", first), forKey: "cover")
            try first.save()
            let mine = try Self.object("a", child)
            _ = mine.value(forKey: "cover")
            first.delete(try Self.object("x", first))
            try first.save()
            mine.setValue("c", forKey: "name")
            try child.save()
            try first.save()
            #expect(try shelf.differences() == [])
            #expect(try shelf.stack.reopened().all("Book", "name == 'c'").first?.value(forKey: "cover") == nil)
        }
    }

    /// Our own addition is what the other has saved as well; then the other moves the book on.
    @Test("A member that both have added goes with the one who then moves it", arguments: Library.storeTypes)
    func movedOn(storeType: String) throws {
        for entity in ["Shelf", "Author"] {
            let key = entity.lowercased()
            let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let (first, second) = (stack.context(), stack.context())
            let book = first.make("Book", ["name": "b"])
            let owners = ["s", "t"].map { first.make(entity, ["name": $0]) }
            try first.save()
            let log = SaveLog(first)
            func mine(_ object: NSManagedObject) -> NSManagedObject { second.object(with: object.objectID) }
            mine(book).setValue(mine(owners[0]), forKey: key)
            for owner in owners {
                book.setValue(owner, forKey: key)
                try first.save()
                for save in log.take() { second.mergeChanges(fromContextDidSave: save) }
            }
            let other = second.make("Book", ["name": "c"])
            other.setValue(mine(owners[0]), forKey: key)
            #expect(try Relationships.differences(in: second) == [], "\(entity)")
            try second.save()
            #expect(try Relationships.differences(in: stack.reopened()) == [], "\(entity)")
        }
    }

    /// The second context still has the book at its old owner when the first one has moved it on, and reads the owner after it.
    @Test(
        "What the program confirms at the other end is a change of the object that is older than the store's",
        arguments: Library.storeTypes, ["Cover", "Author", "Shelf"])
    func confirmed(storeType: String, entity: String) throws {
        let key = entity.lowercased()
        let back = entity == "Cover" ? "book" : "books"
        func lead(_ owner: NSManagedObject, to book: NSManagedObject) {
            switch entity {
            case "Cover": owner.setValue(book, forKey: back)
            case "Author": owner.mutableSetValue(forKey: back).add(book)
            default: owner.mutableOrderedSetValue(forKey: back).add(book)
            }
        }
        for policy in [NSMergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
            let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let (first, second) = (stack.context(), stack.context())
            second.mergePolicy = policy
            let book = first.make("Book", ["name": "b"])
            let owners = ["s", "t"].map { first.make(entity, ["name": $0]) }
            book.setValue(owners[0], forKey: key)
            try first.save()
            let stale = try #require(second.all("Book").first)
            #expect((stale.value(forKey: key) as? NSManagedObject)?.objectID == owners[0].objectID)
            book.setValue(owners[1], forKey: key)
            try first.save()
            let owner = second.object(with: owners[0].objectID)
            second.refresh(owner, mergeChanges: false)
            lead(owner, to: stale)
            if policy === NSMergePolicy.error {
                let error = #expect(throws: NSError.self) { try second.save() }
                #expect(error?.code == NSManagedObjectMergeError)
                continue
            }
            try second.save()
            #expect(try Relationships.differences(in: stack.reopened()) == [])
            #expect(try Relationships.differences(in: second) == [])
            let saved = try #require(stack.reopened().all("Book").first?.value(forKey: key) as? NSManagedObject)
            #expect(saved.text("name") == (policy === NSMergePolicy.mergeByPropertyObjectTrump ? "s" : "t"))
        }
    }

    @Test(
        "A change of one end that gives way doesn't take the other from where another has put it",
        arguments: Library.storeTypes)
    func givingWay(storeType: String) throws {
        for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .rollback] {
            let shelf = try Shelf(storeType)
            let (first, second) = (shelf.first, shelf.second)
            let book = try Self.object("a", first)
            book.setValue(try Self.object("x", first), forKey: "cover")
            try first.save()
            second.mergePolicy = policy
            let stale = try Self.object("x", second)
            #expect(stale.value(forKey: "book") != nil)
            book.setValue(try Self.object("y", first), forKey: "cover")
            try first.save()
            _ = try Self.object("a", second)
            stale.setValue(nil, forKey: "book")
            try second.save()
            #expect(try shelf.differences() == [])
            let saved = try #require(shelf.stack.reopened().all("Book", "name == 'a'").first)
            #expect((saved.value(forKey: "cover") as? NSManagedObject)?.text("name") == "y")
        }
    }

    @Test(
        "A change that a refresh drops leads to a deleted object again, and is nullified by it",
        arguments: Library.storeTypes, [true, false])
    func droppedBeforeDeletion(storeType: String, isCutFromBook: Bool) throws {
        let shelf = try Shelf(storeType)
        let (book, cover) = (try Self.object("a", shelf.first), try Self.object("x", shelf.first))
        book.setValue(cover, forKey: "cover")
        try shelf.first.save()
        if isCutFromBook { book.setValue(nil, forKey: "cover") } else { cover.setValue(nil, forKey: "book") }
        shelf.first.delete(cover)
        shelf.first.refresh(book, mergeChanges: false)
        try shelf.first.save()
        #expect(try shelf.differences() == [])
        #expect(book.value(forKey: "cover") == nil)
    }
}
