import CoreData
import Foundation
import Testing

@Suite("What a merge policy doesn't decide stays as both ends of each relationship have it, over every store type")
struct OneToOneConflictTests {
    private static let types = Library.storeTypes

    @Test(
        "A partner that this save gives to another stays there, whatever the store has for one in conflict",
        arguments: types)
    func ownChange(storeType: String) throws {
        for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite] {
            let library = try ContextPair(storeType, policy)
            let (a, b, cover) = (library.make("Book", "a"), library.make("Book", "b"), library.make("Cover", "x"))
            try library.mine.save()
            let (theirBook, theirCover) = (try library.their(b), try library.their(cover))
            a.setValue(cover, forKey: "cover")
            b.setValue(95, forKey: "pages")
            theirBook.setValue(theirCover, forKey: "cover")
            try library.theirs.save()
            try library.mine.save()
            #expect(try library.stored(cover, "book") == ["a"], "\(policy)")
            #expect(b.value(forKey: "cover") == nil)
            try library.agree()
        }
    }

    @Test("A pair that others have made stays where this save only touches a partner of before", arguments: types)
    func othersPair(storeType: String) throws {
        for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .rollback] {
            let library = try ContextPair(storeType, policy)
            let (book, old, new) = (
                library.make("Book", "a"), library.make("Cover", "old"), library.make("Cover", "new")
            )
            book.setValue(old, forKey: "cover")
            try library.mine.save()
            _ = new.value(forKey: "book")
            let (theirBook, theirCover) = (try library.their(book), try library.their(new))
            theirBook.setValue(theirCover, forKey: "cover")
            try library.theirs.save()
            old.setValue("older", forKey: "name")
            new.setValue("newer", forKey: "name")
            try library.mine.save()
            #expect(try library.stored(book, "cover") == [policy == .rollback ? "new" : "newer"], "\(policy)")
            #expect(book.value(forKey: "cover") as? NSManagedObject === new)
            #expect(old.value(forKey: "book") == nil)
            try library.agree("\(policy)")
        }
    }

    @Test("Rolling back gives a partner back that the save has moved", arguments: types)
    func movedPartner(storeType: String) throws {
        let library = try ContextPair(storeType, .rollback)
        let (book, old, new) = (library.make("Book", "a"), library.make("Cover", "old"), library.make("Cover", "new"))
        book.setValue(old, forKey: "cover")
        try library.mine.save()
        try library.their(new).setValue("other", forKey: "name")
        try library.theirs.save()
        new.setValue(book, forKey: "book")
        try library.mine.save()
        #expect(try library.stored(book, "cover") == ["old"])
        #expect(book.value(forKey: "cover") as? NSManagedObject === old)
        try library.agree()
    }

    @Test("Rolling back removes no member that the store has, where it was taken out and put back", arguments: types)
    func memberPutBack(storeType: String) throws {
        for policy in [NSMergePolicy.rollback, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite] {
            let library = try ContextPair(storeType, policy)
            let (theirBook, theirGenre) = (
                library.theirs.make("Book", ["name": "a"]), library.theirs.make("Genre", ["name": "g"])
            )
            try library.theirs.save()
            let genre = try library.mine.existingObject(with: theirGenre.objectID)
            #expect((genre.value(forKey: "books") as? NSOrderedSet)?.count == 0)
            theirBook.mutableSetValue(forKey: "genres").add(theirGenre)
            try library.theirs.save()
            let book = try library.mine.existingObject(with: theirBook.objectID)
            book.mutableSetValue(forKey: "genres").remove(genre)
            book.mutableSetValue(forKey: "genres").add(genre)
            try library.mine.save()
            #expect(try library.stored(book, "genres") == ["g"], "\(policy)")
        }
    }

    @Test(
        "Overwriting with a partner that has gone leaves the one of the store without a partner too", arguments: types)
    func gonePartner(storeType: String) throws {
        let library = try ContextPair(storeType, .overwrite)
        let (book, old, new) = (library.make("Book", "a"), library.make("Cover", "old"), library.make("Cover", "new"))
        book.setValue(old, forKey: "cover")
        try library.mine.save()
        let (theirBook, theirCover) = (try library.their(book), try library.their(new))
        library.theirs.delete(try library.their(old))
        theirBook.setValue(theirCover, forKey: "cover")
        try library.theirs.save()
        book.setValue(91, forKey: "pages")
        try library.mine.save()
        #expect(try Relationships.differences(in: library.stack.reopened()) == [])
    }

    @Test("A save names whatever it has changed: contexts that merge it show both ends, and can save", arguments: types)
    func namedChanges(storeType: String) throws {
        for (entity, key) in [("Cover", "cover"), ("Author", "author")] {
            let library = try ContextPair(storeType)
            let (book, owner) = (library.make("Book", "a"), library.make(entity, "x"))
            try library.mine.save()
            let theirOwner = try library.their(owner)
            _ = theirOwner.value(forKey: entity == "Cover" ? "book" : "books")
            book.setValue(owner, forKey: key)
            try library.mine.save()
            // One end was read before, the other is read now.
            let theirBook = try library.their(book)
            #expect(theirBook.value(forKey: key) as? NSManagedObject === theirOwner)
            theirBook.setValue(nil, forKey: key)
            _ = library.log.take()
            try library.theirs.save()
            let saves = library.log.take()
            let named = saves.compactMap { $0.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> }.joined()
            #expect(Set(named) == [theirBook.objectID, theirOwner.objectID], "\(key)")
            for save in saves { library.mine.mergeChanges(fromContextDidSave: save) }
            try library.agree(key)
            owner.setValue("edited", forKey: "name")
            try library.mine.save()
            try library.agree(key)
        }
    }

    @Test("Rolling back keeps a link that others have saved as well, of which one end was merged", arguments: types)
    func linkOfBoth(storeType: String) throws {
        let pair = try ContextPair(storeType, .rollback)
        let (book, genre) = (pair.make("Book", "a"), pair.make("Genre", "g"))
        try pair.mine.save()
        let (theirBook, theirGenre) = (try pair.their(book), try pair.their(genre))
        book.mutableSetValue(forKey: "genres").add(genre)
        theirBook.mutableSetValue(forKey: "genres").add(theirGenre)
        try pair.theirs.save()
        pair.mine.refresh(genre, mergeChanges: true)
        genre.setValue("h", forKey: "name")
        book.setValue(1, forKey: "pages")
        try pair.mine.save()
        #expect(try pair.stack.context().existingObject(with: book.objectID).members("genres").count == 1)
        try pair.agree()
    }

    @Test(
        "A deletion that is merged late, after others have brought the object back, takes nothing away",
        arguments: types)
    func broughtBack(storeType: String) throws {
        let library = try ContextPair(storeType)
        let third = library.stack.context()
        third.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let saves = SaveLog(third)
        let author = library.theirs.make("Author", ["name": "x"])
        try library.theirs.save()
        let theirs = try third.existingObject(with: author.objectID)
        _ = theirs.text("name")
        let book = third.make("Book", ["name": "a", "author": theirs])
        library.theirs.delete(author)
        try library.theirs.save()
        try third.save()
        let mine = try library.mine.existingObject(with: book.objectID)
        mine.setValue("mine", forKey: "name")
        for save in library.log.take() + saves.take() { library.mine.mergeChanges(fromContextDidSave: save) }
        #expect((mine.value(forKey: "author") as? NSManagedObject)?.text("name") == "x")
        try library.mine.save()
        try library.agree()
    }

    @Test(
        "A pair of which others have saved the same and taken it back has two ends, whichever was refreshed between",
        arguments: types)
    func equalledChange(storeType: String) throws {
        let library = try ContextPair(storeType)
        let (book, cover) = (library.make("Book", "a"), library.make("Cover", "x"))
        try library.mine.save()
        let (theirBook, theirCover) = (try library.their(book), try library.their(cover))
        book.setValue(cover, forKey: "cover")
        book.setValue(1, forKey: "pages")
        theirBook.setValue(theirCover, forKey: "cover")
        try library.theirs.save()
        library.mine.refresh(book, mergeChanges: true)
        theirBook.setValue(nil, forKey: "cover")
        try library.theirs.save()
        library.merge()
        try library.mine.save()
        #expect(try library.stored(book, "cover") == ["x"])
        try library.agree()
    }

    @Test("Undoing a deletion of what others have brought back changes the object that is there", arguments: types)
    func undoneDeletion(storeType: String) throws {
        let library = try ContextPair(storeType)
        let book = library.make("Book", "a")
        try library.mine.save()
        library.mine.undoManager = UndoManager()
        let theirs = try library.their(book)
        library.theirs.mergePolicy = NSMergePolicy.overwrite
        library.mine.delete(book)
        try library.mine.save()
        theirs.setValue(4, forKey: "pages")
        try library.theirs.save()
        library.mine.undo()
        #expect(try library.mine.all("Book") == [book])
        book.setValue("b", forKey: "name")
        try library.mine.save()
        let stored = try library.stack.context().all("Book")
        #expect(stored.map { $0.text("name") } == ["b"] && stored.first?.value(forKey: "pages") as? Int == 4)
    }

    @Test("After a rollback, members that were left out of a list are there, and nothing is changed", arguments: types)
    func rolledBack(storeType: String) throws {
        let library = try ContextPair(storeType)
        let book = library.make("Book", "a")
        try library.mine.save()
        let theirBook = try library.their(book)
        library.mine.delete(book)
        library.mine.processPendingChanges()
        theirBook.setValue(library.theirs.make("Author", ["name": "x"]), forKey: "author")
        try library.theirs.save()
        let author = try #require(try library.mine.all("Author").first)
        #expect(author.members("books").isEmpty)
        library.mine.rollback()
        library.mine.refreshAllObjects()
        #expect(!library.mine.hasChanges)
        #expect(author.members("books") == [book] && book.value(forKey: "author") as? NSManagedObject === author)
    }

    @Test("detectConflicts(for:) compares nothing of an object that wasn't read, or has gone", arguments: types)
    func detection(storeType: String) throws {
        for policy in [NSMergePolicy.error, .overwrite] {
            let library = try ContextPair(storeType, policy)
            let (watched, other) = (library.make("Book", "a"), library.make("Book", "b"))
            try library.mine.save()
            library.mine.detectConflicts(for: watched)
            library.mine.refreshAllObjects()
            other.setValue(1, forKey: "pages")
            try library.mine.save()
            _ = watched.text("name")
            library.mine.detectConflicts(for: watched)
            library.theirs.delete(try library.their(watched))
            try library.theirs.save()
            library.merge()
            other.setValue(2, forKey: "pages")
            try library.mine.save()
        }
    }
}
