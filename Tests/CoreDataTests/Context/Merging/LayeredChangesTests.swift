import CoreData
import Foundation
import Testing

@Suite("Unsaved changes of relationships are laid over what others have saved")
struct LayeredChangesTests {
    /// Two contexts that both have a shelf with three books, by an author and in a genre, and a child of the second.
    private struct Two {
        let stack: TemporaryStack
        let writer: NSManagedObjectContext
        let reader: NSManagedObjectContext
        let saves: SaveLog
        private let written: [String: NSManagedObject]
        private let read: [String: NSManagedObject]

        /// - Parameter isParent: whether the second context is to be a parent, and used in blocks alone.
        init(_ storeType: String, isParent: Bool = false) throws {
            stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let (writer, reader) = (stack.context(), isParent ? stack.queueContext() : stack.context())
            var written: [String: NSManagedObject] = [:]
            for name in ["a", "b", "c", "d", "e"] { written[name] = writer.make("Book", ["name": name]) }
            for name in ["X", "Y", "Z"] { written[name] = writer.make("Author", ["name": name]) }
            written["shelf"] = writer.make("Shelf", ["name": "shelf"])
            written["genre"] = writer.make("Genre", ["name": "genre"])
            let books = ["a", "b", "c"].compactMap { written[$0] }
            for owner in ["shelf", "genre", "X"] {
                written[owner]?.setValue(owner == "X" ? Set(books) as Any : NSOrderedSet(array: books), forKey: "books")
            }
            try writer.save()
            self.writer = writer
            self.reader = reader
            self.written = written
            let read = reader.performAndWait { written.mapValues { reader.object(with: $0.objectID) } }
            self.read = read
            saves = SaveLog(writer)
            reader.performAndWait {
                for owner in ["shelf", "genre", "X", "Y", "Z"] { _ = read[owner]?.value(forKey: "books") }
            }
        }

        func w(_ name: String) throws -> NSManagedObject { try #require(written[name]) }
        func r(_ name: String) throws -> NSManagedObject { try #require(read[name]) }

        func saveAndMerge() throws {
            try writer.save()
            for save in saves.take() { reader.mergeChanges(fromContextDidSave: save) }
        }

        /// The names in the relationship `books`, in order where it has one.
        static func books(_ object: NSManagedObject) -> [String] {
            if let ordered = object.value(forKey: "books") as? NSOrderedSet {
                return ordered.array.compactMap { ($0 as? NSManagedObject)?.text("name") }
            }
            return object.members("books").compactMap { $0.text("name") }.sorted()
        }

        /// What a new stack finds.
        func stored(_ entity: String, _ name: String) throws -> NSManagedObject {
            try #require(try stack.reopened().all(entity, "name == '\(name)'").first)
        }
    }

    @Test(
        "Members of an unordered and an ordered relationship that either side added or removed",
        arguments: Library.storeTypes)
    func members(storeType: String) throws {
        let two = try Two(storeType)
        for owner in ["genre", "shelf"] {
            let (mine, theirs) = (
                try two.r(owner).mutableOrderedSetValue(forKey: "books"),
                try two.w(owner).mutableOrderedSetValue(forKey: "books")
            )
            mine.remove(try two.r("a"))
            mine.add(try two.r("d"))
            theirs.remove(try two.w("b"))
            theirs.insert(try two.w("e"), at: 0)
        }
        try two.r("X").mutableSetValue(forKey: "books").remove(two.r("a"))
        try two.w("X").mutableSetValue(forKey: "books").add(two.w("e"))
        try two.saveAndMerge()
        #expect(try Two.books(two.r("genre")) == ["e", "c", "d"])
        #expect(try Two.books(two.r("shelf")) == ["e", "c", "d"])
        #expect(try Two.books(two.r("X")) == ["b", "c", "e"])
        try two.reader.save()
        #expect(try Two.books(two.stored("Genre", "genre")) == ["e", "c", "d"])
        #expect(try Two.books(two.stored("Shelf", "shelf")) == ["e", "c", "d"])
        #expect(try Two.books(two.stored("Author", "X")) == ["b", "c", "e"])
        #expect(try two.stored("Book", "a").value(forKey: "author") == nil)
        #expect(try two.stored("Book", "e").value(forKey: "shelf") != nil)
        #if DEBUG
            #expect(two.reader.checkInvariants() == [])
        #endif
    }

    @Test(
        "A book that both have moved stays where this context has it, and nowhere else", arguments: Library.storeTypes)
    func rivals(storeType: String) throws {
        let two = try Two(storeType)
        try two.r("a").setValue(two.r("Y"), forKey: "author")
        try two.w("a").setValue(two.w("Z"), forKey: "author")
        try two.saveAndMerge()
        #expect(try Two.books(two.r("X")) == ["b", "c"])
        #expect(try Two.books(two.r("Y")) == ["a"])
        #expect(try Two.books(two.r("Z")) == [])
        try two.reader.save()
        #expect(try Two.books(two.stored("Author", "Y")) == ["a"])
        #expect(try Two.books(two.stored("Author", "Z")) == [])
    }

    @Test("A merge policy lays members over the store's too", arguments: Library.storeTypes)
    func policy(storeType: String) throws {
        let two = try Two(storeType)
        try two.r("genre").mutableOrderedSetValue(forKey: "books").add(two.r("d"))
        try two.w("genre").mutableOrderedSetValue(forKey: "books").add(two.w("e"))
        try two.writer.save()
        two.reader.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try two.reader.save()
        #expect(try Set(Two.books(two.stored("Genre", "genre"))) == ["a", "b", "c", "d", "e"])
        #expect(try two.stored("Book", "e").members("genres").count == 1)
    }

    @Test("The same by automatic merging", arguments: Library.storeTypes)
    func automatically(storeType: String) throws {
        let two = try Two(storeType, isParent: true)
        let reader = two.reader
        reader.automaticallyMergesChangesFromParent = true
        func change(_ owner: NSManagedObject, _ gone: NSManagedObject, _ new: NSManagedObject) {
            owner.mutableSetValue(forKey: "books").remove(gone)
            owner.mutableSetValue(forKey: "books").add(new)
        }
        try reader.performAndWait { change(try two.r("X"), try two.r("a"), try two.r("d")) }
        change(try two.w("X"), try two.w("b"), try two.w("e"))
        try two.writer.save()
        // What has been enqueued comes before this.
        try reader.performAndWait {
            #expect(Two.books(try two.r("X")) == ["c", "d", "e"])
            try reader.save()
        }
        let reopened = try two.stack.reopened()
        let author = try #require(try reopened.all("Author", "name == 'X'").first)
        #expect(Two.books(author) == ["c", "d", "e"])
        for book in try reopened.all("Book") {
            let isMember = ["c", "d", "e"].contains(book.text("name") ?? "")
            #expect((book.value(forKey: "author") as? NSManagedObject === author) == isMember)
        }
    }

    @Test("The same in a child, by refreshing", arguments: Library.storeTypes)
    func child(storeType: String) throws {
        let two = try Two(storeType, isParent: true)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = two.reader
        try NSManagedObjectContext.performAndWait(in: [two.reader, child]) {
            let genre = child.object(with: try two.r("genre").objectID)
            genre.mutableOrderedSetValue(forKey: "books").add(child.object(with: try two.r("d").objectID))
            try two.w("genre").mutableOrderedSetValue(forKey: "books").add(two.w("e"))
            try two.saveAndMerge()
            child.refresh(genre, mergeChanges: true)
            #expect(Two.books(genre) == ["a", "b", "c", "e", "d"])
            try child.save()
            try two.reader.save()
            #expect(try Two.books(two.stored("Genre", "genre")) == ["a", "b", "c", "e", "d"])
        }
    }

    @Test("Refreshing without merging takes the other sides back too")
    func dropped() throws {
        let two = try Two(NSInMemoryStoreType)
        try two.r("a").setValue(two.r("Y"), forKey: "author")
        two.reader.refresh(try two.r("a"), mergeChanges: false)
        #expect(try Two.books(two.r("X")) == ["a", "b", "c"])
        #expect(try Two.books(two.r("Y")) == [])
        #expect(try !two.r("X").hasPersistentChangedValues)
    }
}

@Suite("What is set back to its saved value isn't written")
struct UnchangedTests {
    /// Objects whose values were changed and set back: still marked, and no longer different.
    @Test("No transaction in the store's history")
    func history() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Shelves.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("Store.sqlite"),
            options: [NSPersistentHistoryTrackingKey: true])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let books = NSOrderedSet(array: ["a", "b"].map { context.make("Book", ["name": $0]) })
            let shelf = context.make("Shelf", ["name": "shelf", "books": books])
            try context.save()
            let before = coordinator.currentPersistentHistoryToken(fromStores: nil)
            shelf.setValue(NSOrderedSet(), forKey: "books")
            shelf.setValue(books, forKey: "books")
            #expect(shelf.hasChanges)
            try context.save()
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: before)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 0)
        }
    }

    @Test("No row, no conflict", arguments: Library.storeTypes)
    func setBack(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let (writer, other) = (stack.context(), stack.context())
        let books = ["a", "b"].map { writer.make("Book", ["name": $0]) }
        let shelf = writer.make("Shelf", ["name": "shelf"])
        let author = writer.make("Author", ["name": "author"])
        shelf.setValue(NSOrderedSet(array: books), forKey: "books")
        author.setValue(Set(books), forKey: "books")
        try writer.save()
        let mine = other.object(with: shelf.objectID)
        let myBook = other.object(with: books[0].objectID)

        let order = try #require(mine.value(forKey: "books") as? NSOrderedSet)
        mine.setValue(NSOrderedSet(), forKey: "books")
        mine.setValue(order, forKey: "books")
        let myAuthor = myBook.value(forKey: "author")
        myBook.setValue(nil, forKey: "author")
        myBook.setValue(myAuthor, forKey: "author")
        myBook.setValue("other", forKey: "name")
        myBook.setValue("a", forKey: "name")
        for object in [mine, myBook] {
            #expect(object.hasChanges && object.isUpdated)
            #expect(!object.hasPersistentChangedValues)
            #expect(object.changedValues().isEmpty)
        }
        // Somebody else's save of the same objects is none of this one's business.
        shelf.setValue("new", forKey: "name")
        books[0].setValue("new", forKey: "name")
        try writer.save()
        try other.save()
        #expect(!other.hasChanges)
        other.refreshAllObjects()
        #expect(mine.text("name") == "new" && myBook.text("name") == "new")
    }

    @Test("Setting the same value leaves row and version as they are")
    func sameValue() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        let book = context.makeBook("One")
        try context.save()
        book.setValue("One", forKey: "title")
        try context.save()
        #expect(try PlainSQLite.rows("SELECT Z_OPT FROM ZBOOK", in: stack.storeURL) == [["1"]])
        book.setValue("Two", forKey: "title")
        try context.save()
        #expect(try PlainSQLite.rows("SELECT Z_OPT FROM ZBOOK", in: stack.storeURL) == [["2"]])
    }

    @Test("An object that is only marked is still checked where that was asked for")
    func locked() throws {
        let stack = try TemporaryStack()
        let (writer, other) = (stack.context(), stack.context())
        let book = writer.makeBook("One")
        try writer.save()
        let mine = try other.existingObject(with: book.objectID)
        mine.setValue("One", forKey: "title")
        other.detectConflicts(for: mine)
        book.setValue("Two", forKey: "title")
        try writer.save()
        #expect(throws: NSError.self) { try other.save() }
    }
}
