import CoreData
import Foundation
import Testing

@Suite("Undo agrees with what others have saved meanwhile, in memory and on disk")
struct UndoBesideOthersTests {
    @Test(
        "Undoing a deletion brings back what others have given the object since, and its rule then deleted",
        arguments: Library.storeTypes)
    func cascade(storeType: String) throws {
        let model = Shelves.model()
        try #require(model.entitiesByName["Shelf"]?.relationshipsByName["books"]).deleteRule = .cascadeDeleteRule
        let stack = try TemporaryStack(model: model, storeType: storeType)
        let (mine, other) = (stack.context(), stack.context())
        let (shelf, book) = (mine.make("Shelf", ["name": "s"]), mine.make("Book", ["name": "b"]))
        try mine.save()
        let manager = mine.undoing()
        mine.step { mine.delete(shelf) }
        let log = SaveLog(other)
        other.object(with: book.objectID).setValue(other.object(with: shelf.objectID), forKey: "shelf")
        try other.save()
        for save in log.take() { mine.mergeChanges(fromContextDidSave: save) }
        #expect(book.isDeleted)
        manager.undo()
        #expect(mine.deletedObjects.isEmpty)
        mine.undoManager = nil
        try mine.save()
        let saved = try #require(stack.reopened().all("Book").first)
        #expect((saved.value(forKey: "shelf") as? NSManagedObject)?.value(forKey: "name") as? String == "s")
    }

    @Test("What was brought back has no members that are still to be deleted", arguments: Library.storeTypes)
    func memberToBeDeleted(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let (mine, other) = (stack.context(), stack.context())
        let (genre, book) = (mine.make("Genre", ["name": "g"]), mine.make("Book", ["name": "b"]))
        try mine.save()
        let manager = mine.undoing()
        mine.step { mine.delete(book) }
        mine.step { mine.delete(genre) }
        let log = SaveLog(other)
        other.object(with: book.objectID).setValue(Set([other.object(with: genre.objectID)]), forKey: "genres")
        try other.save()
        for save in log.take() { mine.mergeChanges(fromContextDidSave: save) }
        manager.undo()
        #expect((genre.value(forKey: "books") as? NSOrderedSet)?.count == 0)
        mine.undoManager = nil
        try mine.save()
        #expect((genre.value(forKey: "books") as? NSOrderedSet)?.count == 0)
        #expect(try stack.reopened().all("Book").isEmpty)
    }

    @Test(
        "A partner that was taken by another since is parted from that one, which wasn't read",
        arguments: Library.storeTypes)
    func unreadPartner(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let (mine, other) = (stack.context(), stack.context())
        let books = ["a", "b", "c"].map { mine.make("Book", ["name": $0]) }
        let cover = mine.make("Cover", ["name": "x"])
        try mine.save()
        let manager = mine.undoing()
        mine.step { cover.setValue(books[0], forKey: "book") }
        mine.step { cover.setValue(nil, forKey: "book") }
        let log = SaveLog(other)
        other.object(with: books[1].objectID).setValue(other.object(with: cover.objectID), forKey: "cover")
        try other.save()
        for save in log.take() { mine.mergeChanges(fromContextDidSave: save) }
        manager.undo()
        #expect(cover.value(forKey: "book") as? NSManagedObject === books[0])
        #expect(books[1].value(forKey: "cover") == nil)
        mine.undoManager = nil
        try mine.save()
        for book in books { book.setValue(7, forKey: "pages") }
        try mine.save()
        let saved = try #require(stack.reopened().all("Cover").first)
        #expect((saved.value(forKey: "book") as? NSManagedObject)?.value(forKey: "name") as? String == "a")
    }

    @Test(
        "A deletion that is merged late doesn't take away what a policy has saved anew", arguments: Library.storeTypes)
    func lateDeletion(storeType: String) throws {
        for type in [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType] {
            let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let (mine, other) = (stack.context(), stack.context())
            let (shelf, book) = (mine.make("Shelf", ["name": "s"]), mine.make("Book", ["name": "b"]))
            try mine.save()
            mine.mergePolicy = NSMergePolicy(merge: type)
            let log = SaveLog(other)
            other.delete(other.object(with: book.objectID))
            try other.save()
            book.setValue(shelf, forKey: "shelf")
            try mine.save()
            for save in log.take() { mine.mergeChanges(fromContextDidSave: save) }
            #expect(book.managedObjectContext === mine)
            #expect((shelf.value(forKey: "books") as? NSOrderedSet)?.contains(book) == true)
            shelf.setValue("t", forKey: "name")
            try mine.save()
            let saved = try #require(stack.reopened().all("Shelf").first)
            #expect((saved.value(forKey: "books") as? NSOrderedSet)?.count == 1)
        }
    }

    @Test(
        "One undo of several deletions of an object, which a child has brought back between, inserts it once",
        arguments: Library.storeTypes)
    func severalDeletions(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let parent = stack.queueContext()
        let id = try parent.performAndWait {
            let book = parent.make("Book", ["name": "b"])
            try parent.save()
            parent.undoManager = UndoManager()
            return book.objectID
        }
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        try child.performAndWait {
            child.undoManager = UndoManager()
            let book = try child.existingObject(with: id)
            for savesBetween in [false, true] {
                child.delete(book)
                try child.save()
                if savesBetween { try parent.performAndWait { try parent.save() } }
                child.undo()
                try child.save()
                try parent.performAndWait { try parent.save() }
            }
        }
        try parent.performAndWait {
            let book = try parent.existingObject(with: id)
            parent.delete(book)
            try parent.save()
            parent.undoManager?.undo()
            try parent.save()
            #expect(parent.insertedObjects.isEmpty)
            #expect(try parent.all("Book").count == 1)
        }
        #expect(try stack.reopened().all("Book").map { $0.text("name") } == ["b"])
    }

    @Test(
        "Undoing a deletion brings each member back once, where others have deleted one of them meanwhile",
        arguments: Library.storeTypes)
    func memberDeletedByOthers(storeType: String) throws {
        let model = Shelves.model()
        try #require(model.entitiesByName["Shelf"]?.relationshipsByName["books"]).deleteRule = .cascadeDeleteRule
        let stack = try TemporaryStack(model: model, storeType: storeType)
        let (mine, other) = (stack.context(), stack.context())
        let shelf = mine.make("Shelf", ["name": "s"])
        let books = ["a", "b", "c"].map { mine.make("Book", ["name": $0, "shelf": shelf]) }
        try mine.save()
        let manager = mine.undoing()
        mine.step { mine.delete(shelf) }
        let log = SaveLog(other)
        other.delete(other.object(with: books[0].objectID))
        try other.save()
        for save in log.take() { mine.mergeChanges(fromContextDidSave: save) }
        manager.beginUndoGrouping()
        try mine.save()
        manager.endUndoGrouping()
        while manager.canUndo { manager.undo() }
        mine.undoManager = nil
        let names = try mine.all("Book").compactMap { $0.text("name") }.sorted()
        #expect(Set(names).isSuperset(of: ["b", "c"]) && Set(names).count == names.count)
        try mine.save()
        let saved = try #require(stack.reopened().all("Shelf").first)
        let members = (saved.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject]
        #expect(members?.compactMap { $0.text("name") }.sorted() == names)
    }
}
