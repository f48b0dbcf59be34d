import CoreData
import Foundation
import Testing

@Suite("What a merge policy does to objects beside those that are in conflict, over every store type")
struct SettledConflictTests {
    /// Two contexts that have read a shelf with a book, another shelf, and a book that stands on none.
    private struct Room {
        let stack: TemporaryStack
        let mine: NSManagedObjectContext
        let theirs: NSManagedObjectContext

        init(_ storeType: String, _ policy: NSMergePolicy) throws {
            let model = Shelves.model()
            try #require(model.entitiesByName["Shelf"]?.relationshipsByName["books"]).deleteRule = .cascadeDeleteRule
            stack = try TemporaryStack(model: model, storeType: storeType)
            (mine, theirs) = (stack.context(), stack.context())
            mine.mergePolicy = policy
            let shelf = mine.make("Shelf", ["name": "first"])
            mine.make("Shelf", ["name": "second"])
            mine.make("Book", ["name": "on it", "shelf": shelf])
            mine.make("Book", ["name": "loose"])
            try mine.save()
        }

        func object(_ name: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
            try #require(["Book", "Shelf", "Cover"].flatMap { try context.all($0, "name == '\(name)'") }.first)
        }

        static func books(of shelf: NSManagedObject) -> [NSManagedObject]? {
            (shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject]
        }

        func storedBook(_ name: String) throws -> NSManagedObject {
            try #require(stored("Book").first { $0.text("name") == name })
        }

        func stored(_ entity: String) throws -> [NSManagedObject] { try stack.context().all(entity) }
    }

    @Test(
        "Overwriting leaves what others have saved of an object that the program hasn't changed",
        arguments: Library.storeTypes)
    func overwriting(storeType: String) throws {
        let room = try Room(storeType, .overwrite)
        let (book, shelf) = (try room.object("loose", in: room.mine), try room.object("second", in: room.mine))
        #expect(Room.books(of: shelf) == [] && book.value(forKey: "pages") == nil)
        let moved = try room.object("second", in: room.theirs)
        try room.object("loose", in: room.theirs).setValue(moved, forKey: "shelf")
        moved.setValue("theirs", forKey: "name")
        try room.theirs.save()
        book.setValue(21, forKey: "pages")
        try room.mine.save()
        #expect(Set(try room.stored("Shelf").map { $0.text("name") }) == ["first", "theirs"])
        let stored = try room.storedBook("loose")
        #expect(stored.value(forKey: "pages") as? Int == 21 && stored.value(forKey: "shelf") == nil)
        #expect(shelf.text("name") == "theirs")
    }

    @Test("Rolling back deletes nothing that nobody has deleted", arguments: Library.storeTypes)
    func leftOwner(storeType: String) throws {
        let room = try Room(storeType, .rollback)
        let book = try room.object("on it", in: room.mine)
        #expect(book.value(forKey: "pages") == nil)
        try room.object("on it", in: room.theirs).setValue(300, forKey: "pages")
        try room.theirs.save()
        book.setValue(nil, forKey: "shelf")
        room.mine.processPendingChanges()
        room.mine.delete(try room.object("first", in: room.mine))
        try room.mine.save()
        let stored = try room.storedBook("on it")
        #expect(stored.value(forKey: "pages") as? Int == 300 && stored.value(forKey: "shelf") == nil)
        #expect(book.value(forKey: "pages") as? Int == 300 && book.value(forKey: "shelf") == nil)
        #expect(try room.stored("Shelf").map { $0.text("name") } == ["second"])
    }

    @Test(
        "A member that has left an owner which is deleted stays with its new one", arguments: Library.storeTypes,
        ["book", "shelf"])
    func newOwner(storeType: String, changed: String) throws {
        let room = try Room(storeType, .rollback)
        let (book, second) = (try room.object("on it", in: room.mine), try room.object("second", in: room.mine))
        _ = (book.text("name"), second.text("name"))
        if changed == "book" {
            try room.object("on it", in: room.theirs).setValue(300, forKey: "pages")
        } else {
            try room.object("second", in: room.theirs).setValue("theirs", forKey: "name")
        }
        try room.theirs.save()
        book.setValue(second, forKey: "shelf")
        room.mine.processPendingChanges()
        room.mine.delete(try room.object("first", in: room.mine))
        try room.mine.save()
        let stored = try room.storedBook("on it")
        let owner = try #require(stored.value(forKey: "shelf") as? NSManagedObject)
        #expect(Room.books(of: owner) == [stored])
        #expect(owner.text("name") == (changed == "book" ? "second" : "theirs"))
        #expect(book.value(forKey: "shelf") as? NSManagedObject === second)
        #expect(Room.books(of: second) == [book])
    }

    @Test(
        "What the store makes lead to a deleted object leads nowhere, and the next change is saved",
        arguments: Library.storeTypes)
    func newReference(storeType: String) throws {
        let room = try Room(storeType, .rollback)
        let book = try room.object("loose", in: room.mine)
        #expect(book.value(forKey: "pages") == nil)
        let cover = room.theirs.make("Cover", ["name": "blue"])
        cover.setValue(try room.object("loose", in: room.theirs), forKey: "book")
        try room.theirs.save()
        room.mine.delete(try room.object("blue", in: room.mine))
        book.setValue(337, forKey: "pages")
        try room.mine.save()
        #expect(book.value(forKey: "cover") == nil && !room.mine.hasChanges)
        book.setValue(555, forKey: "pages")
        try room.mine.save()
        let stored = try room.storedBook("loose")
        #expect(stored.value(forKey: "pages") as? Int == 555 && stored.value(forKey: "cover") == nil)
    }

    @Test(
        "Overwriting with a reference to what others have deleted leads nowhere, for other contexts too",
        arguments: Library.storeTypes)
    func goneReference(storeType: String) throws {
        let room = try Room(storeType, .overwrite)
        let book = try room.object("loose", in: room.mine)
        let cover = room.mine.make("Cover", ["name": "blue"])
        book.setValue(cover, forKey: "cover")
        book.mutableSetValue(forKey: "genres").add(room.mine.make("Genre", ["name": "g"]))
        try room.mine.save()
        #expect(cover.text("name") == "blue" && book.members("genres").count == 1)
        room.theirs.delete(try room.object("blue", in: room.theirs))
        try room.theirs.save()
        book.setValue(21, forKey: "pages")
        try room.mine.save()
        let stored = try room.storedBook("loose")
        #expect(stored.value(forKey: "cover") == nil && stored.value(forKey: "pages") as? Int == 21)
        #expect(book.value(forKey: "cover") == nil && stored.members("genres").count == 1)
    }
}
