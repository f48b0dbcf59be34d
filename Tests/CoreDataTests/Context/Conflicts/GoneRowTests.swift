import CoreData
import Foundation
import Testing

@Suite("What somebody else has deleted or given away meanwhile leaves nothing behind, over every store type")
struct GoneRowTests {
    private struct Desk {
        let stack: TemporaryStack
        let mine: NSManagedObjectContext
        let other: NSManagedObjectContext

        init(_ storeType: String, _ names: [String: [String]]) throws {
            stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            (mine, other) = (stack.context(), stack.context())
            for (entity, names) in names { for name in names { other.make(entity, ["name": name]) } }
            try other.save()
        }

        func object(_ name: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
            try #require(
                ["Author", "Book", "Cover", "Genre", "Shelf"].flatMap { try context.all($0, "name == '\(name)'") }.first
            )
        }

        func names(_ entity: String) throws -> [String?] { try stack.reopened().all(entity).map { $0.text("name") } }

        func differences() throws -> [String] { try Relationships.differences(in: stack.reopened()) }
    }

    @Test(
        "An object that wasn't read, and whose row has gone, isn't led to by what is saved",
        arguments: Library.storeTypes)
    func unread(storeType: String) throws {
        for (entity, key) in ["Author": "books", "Shelf": "books", "Genre": "books", "Cover": "book"] {
            for isBookGone in [false, true] {
                let desk = try Desk(storeType, [entity: ["x"], "Book": ["b"]])
                let objects = try (desk.object("b", in: desk.mine), desk.object("x", in: desk.mine))
                let gone = isBookGone ? objects.0 : objects.1
                desk.mine.refresh(gone, mergeChanges: false)
                desk.other.delete(try desk.object(isBookGone ? "b" : "x", in: desk.other))
                try desk.other.save()
                switch entity {
                case "Cover": objects.1.setValue(objects.0, forKey: key)
                case "Author": objects.1.mutableSetValue(forKey: key).add(objects.0)
                default: objects.1.mutableOrderedSetValue(forKey: key).add(objects.0)
                }
                // Whether it is refused or saved without the link, nothing leads to the row.
                try? desk.mine.save()
                #expect(try desk.differences() == [], "\(entity), the book has gone: \(isBookGone)")
            }
        }
    }

    @Test("A row that has gone is no member of what was related to it, in memory either", arguments: Library.storeTypes)
    func shownAfterSave(storeType: String) throws {
        for isRolledBack in [false, true] {
            let desk = try Desk(storeType, ["Book": ["b"]])
            let book = try desk.object("b", in: desk.mine)
            desk.mine.refresh(book, mergeChanges: false)
            desk.other.delete(try desk.object("b", in: desk.other))
            try desk.other.save()
            if isRolledBack {
                #expect(book.text("name") == nil)
                desk.mine.rollback()
            }
            let author = desk.mine.make("Author", ["name": "x", "books": Set([book])])
            let cover = desk.mine.make("Cover", ["name": "y", "book": book])
            try desk.mine.save()
            #expect((author.value(forKey: "books") as? Set<NSManagedObject>)?.isEmpty == true)
            #expect(cover.value(forKey: "book") == nil)
            #expect(!desk.mine.hasChanges)
            #expect(try desk.differences() == [])
        }
    }

    @Test(
        "What was changed of an object whose row had gone stays changed when others bring it back, and its deletion doesn't",
        arguments: Library.storeTypes)
    func broughtBack(storeType: String) throws {
        let changes: [(NSManagedObject, NSManagedObject) -> Void] = [
            { book, _ in _ = book.text("name") }, { book, _ in book.setValue("mine", forKey: "name") },
            { book, author in book.setValue(author, forKey: "author") },
            { book, author in author.mutableSetValue(forKey: "books").add(book) },
        ]
        for (number, change) in changes.enumerated() {
            let desk = try Desk(storeType, ["Book": ["b"], "Author": ["x"]])
            let third = desk.stack.context()
            third.mergePolicy = NSMergePolicy.overwrite
            let thirds = try desk.object("b", in: third)
            #expect(thirds.text("name") == "b")
            let (book, author) = (try desk.object("b", in: desk.mine), try desk.object("x", in: desk.mine))
            desk.mine.refresh(book, mergeChanges: false)
            desk.other.delete(try desk.object("b", in: desk.other))
            try desk.other.save()
            change(book, author)
            let log = SaveLog(third)
            thirds.setValue(7, forKey: "pages")
            try third.save()
            for save in log.take() { desk.mine.mergeChanges(fromContextDidSave: save) }
            #expect(!book.isDeleted && book.value(forKey: "pages") as? Int == 7, "\(number)")
            #expect(book.text("name") == (number == 1 ? "mine" : "b"))
            #expect((book.value(forKey: "author") as? NSManagedObject === author) == (number > 1), "\(number)")
            #expect(author.members("books").contains(book) == (number > 1), "\(number)")
            try desk.mine.save()
            let saved = try #require(try desk.stack.reopened().all("Book").first)
            #expect(saved.text("name") == (number == 1 ? "mine" : "b"))
            #expect((saved.value(forKey: "author") != nil) == (number > 1), "\(number)")
            #expect(try desk.differences() == [])
        }
    }

    @Test("Undoing brings nothing back that others have deleted", arguments: Library.storeTypes)
    func undone(storeType: String) throws {
        for savesFirst in [true, false] {
            let desk = try Desk(storeType, ["Author": ["x"], "Book": ["b"]])
            try desk.object("b", in: desk.other).setValue(desk.object("x", in: desk.other), forKey: "author")
            try desk.other.save()
            let mine = desk.mine
            mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let manager = mine.undoing()
            let book = try desk.object("b", in: mine)
            let author = try #require(book.value(forKey: "author") as? NSManagedObject)
            desk.other.delete(try desk.object("x", in: desk.other))
            try desk.other.save()
            mine.step {
                book.setValue("c", forKey: "name")
                // Its row has gone, so it becomes an object without values, and is to be deleted.
                #expect(author.text("name") == nil)
            }
            if savesFirst { try mine.save() }
            manager.undo()
            #expect(mine.insertedObjects.isEmpty)
            try mine.save()
            #expect(try desk.names("Author") == [])
            #expect(try desk.names("Book") == ["b"])
            #expect(try desk.differences() == [])
        }
    }

    @Test(
        "A row that another writes back by force is a change of what it leads to again", arguments: Library.storeTypes)
    func overwritten(storeType: String) throws {
        for (entity, key) in ["Author": "author", "Shelf": "shelf"] {
            let desk = try Desk(storeType, [entity: ["x"], "Book": ["b"]])
            let (mine, other) = (desk.mine, desk.other)
            let (book, owner) = try (desk.object("b", in: mine), desk.object("x", in: mine))
            book.setValue(owner, forKey: key)
            try mine.save()
            other.mergePolicy = NSMergePolicy.overwrite
            other.refreshAllObjects()
            let theirs = try desk.object("b", in: other)
            #expect(theirs.value(forKey: key) != nil)
            book.setValue(nil, forKey: key)
            try mine.save()
            theirs.setValue(5, forKey: "pages")
            try other.save()
            mine.delete(owner)
            // A conflict, as somebody else leads to the owner again; or none, where the store keeps both ends.
            try? mine.save()
            #expect(try desk.differences() == [], "\(entity)")
        }
    }

    @Test(
        "A policy that gives way to the store doesn't restore a pair that nobody wants", arguments: Library.storeTypes,
        [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
    func partedPair(storeType: String, policy: NSMergePolicy) throws {
        for isDeleted in [false, true] {
            let desk = try Desk(storeType, ["Book": ["a", "b"], "Cover": ["x", "y", "z"]])
            let (mine, other) = (desk.mine, desk.other)
            for (book, cover) in [("a", "x"), ("b", "y")] {
                try desk.object(book, in: other).setValue(desk.object(cover, in: other), forKey: "cover")
            }
            try other.save()
            mine.mergePolicy = policy
            let (book, cover) = try (desk.object("a", in: mine), desk.object("x", in: mine))
            #expect(cover.value(forKey: "book") as? NSManagedObject === book)
            if isDeleted {
                mine.delete(book)
                mine.processPendingChanges()
            } else {
                book.setValue(try desk.object("z", in: mine), forKey: "cover")
            }
            try desk.object("b", in: other).setValue(desk.object("x", in: other), forKey: "cover")
            try other.save()
            mine.refresh(cover, mergeChanges: true)
            try mine.save()
            let owner = try desk.stack.reopened().all("Cover", "name == 'x'").first?.value(forKey: "book")
            #expect((owner as? NSManagedObject)?.text("name") == "b", "deleted: \(isDeleted)")
            #expect(try desk.differences() == [])
        }
    }

    @Test(
        "An undone deletion over what others have deleted has both ends of a pair", arguments: Library.storeTypes)
    func undoneOverDeleted(storeType: String) throws {
        let desk = try Desk(storeType, ["Book": ["a"], "Cover": ["x"]])
        let (mine, other) = (desk.mine, desk.other)
        try desk.object("a", in: other).setValue(desk.object("x", in: other), forKey: "cover")
        try other.save()
        mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let manager = mine.undoing()
        let (book, cover) = try (desk.object("a", in: mine), desk.object("x", in: mine))
        #expect(book.value(forKey: "cover") as? NSManagedObject === cover && cover.value(forKey: "book") != nil)
        other.delete(try desk.object("a", in: other))
        try other.save()
        mine.step { mine.delete(cover) }
        try mine.save()
        manager.undo()
        try mine.save()
        #expect(try desk.differences() == [])
        #expect(book.value(forKey: "cover") as? NSManagedObject === cover)
    }

    @Test(
        "A deletion that gives way takes back what its delete rules have done", arguments: Library.storeTypes,
        [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
    func givenUpDeletion(storeType: String, policy: NSMergePolicy) throws {
        for rule in [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule] {
            for (entity, key) in ["Author": "author", "Shelf": "shelf", "Cover": "cover"] {
                let model = Shelves.model()
                let inverse = entity == "Cover" ? "book" : "books"
                model.entitiesByName[entity]?.relationshipsByName[inverse]?.deleteRule = rule
                let stack = try TemporaryStack(model: model, storeType: storeType)
                let (mine, other) = (stack.context(), stack.context())
                let owner = other.make(entity, ["name": "x"])
                let count = entity == "Cover" ? 1 : 3
                for number in 0..<count { other.make("Book", ["name": "\(number)", key: owner]) }
                try other.save()
                mine.mergePolicy = policy
                let mineOwner = try #require(try mine.all(entity).first)
                _ = mineOwner.text("name")
                owner.setValue("y", forKey: "name")
                try other.save()
                mine.delete(mineOwner)
                try mine.save()
                #expect(!mineOwner.isDeleted && mineOwner.text("name") == "y")
                let books = try stack.reopened().all("Book")
                #expect(books.count == count && books.allSatisfy { $0.value(forKey: key) != nil }, "\(entity), \(rule)")
                #expect(try Relationships.differences(in: stack.reopened()) == [])
            }
        }
    }

    @Test(
        "What another has taken out of a relationship isn't put back by a deletion that gives way",
        arguments: Library.storeTypes)
    func movedMember(storeType: String) throws {
        for (entity, key) in ["Author": "author", "Shelf": "shelf"] {
            let desk = try Desk(storeType, [entity: ["x", "y"], "Book": ["b"]])
            let (mine, other) = (desk.mine, desk.other)
            let theirs = try desk.object("b", in: other)
            theirs.setValue(try desk.object("x", in: other), forKey: key)
            try other.save()
            mine.mergePolicy = NSMergePolicy.rollback
            let book = try desk.object("b", in: mine)
            #expect(book.value(forKey: key) != nil)
            theirs.setValue(entity == "Author" ? nil : try desk.object("y", in: other), forKey: key)
            try other.save()
            mine.delete(book)
            try mine.save()
            let owner = try desk.stack.reopened().all("Book").first?.value(forKey: key) as? NSManagedObject
            #expect(owner?.text("name") == (entity == "Author" ? nil : "y"))
            #expect(try desk.differences() == [])
        }
    }
}
