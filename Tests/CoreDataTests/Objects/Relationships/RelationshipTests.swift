import CoreData
import Foundation
import Testing

@Suite("Both sides of a relationship agree")
struct RelationshipTests {
    @Test("Setting a to-one changes the to-many at once, before and after a save", arguments: Library.storeTypes)
    func toOne(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let (first, second) = (context.make("Author", ["name": "A"]), context.make("Author", ["name": "B"]))
        let book = context.makeBook("One", ["author": first])
        #expect(first.members("books") == [book])
        book.setValue(second, forKey: "author")
        #expect(first.members("books").isEmpty)
        #expect(second.members("books") == [book])
        try context.save()
        book.setValue(first, forKey: "author")
        #expect(first.members("books") == [book])
        #expect(second.members("books").isEmpty)
        try context.save()
        let reread = try #require(stack.reopened().all("Book").first)
        #expect((reread.value(forKey: "author") as? NSManagedObject)?.text("name") == "A")
    }

    @Test("A to-many follows its inverse without having been read", arguments: Library.storeTypes)
    func unreadToMany(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let writer = stack.context()
        let author = writer.make("Author", ["name": "A"])
        for title in ["One", "Two", "Three"] { writer.makeBook(title, ["author": author]) }
        try writer.save()
        let context = stack.context()
        let books = try context.all("Book", sort: "title")
        books[0].setValue(nil, forKey: "author")
        #expect(books.map { $0.text("title") } == ["One", "Three", "Two"])
        let reread = try #require(context.all("Author").first)
        #expect(reread.titles("books") == ["Two", "Three"])
    }

    @Test(
        "An ordered set that was made of an array with repetitions gives each of its objects",
        arguments: Library.storeTypes)
    func repetitions(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let author = context.make("Author", ["name": "A"])
        let books = ["One", "Two", "Three"].map { context.makeBook($0) }
        let set = NSMutableOrderedSet(array: [books[0], books[1], books[0], books[1], books[2]])
        let other = context.makeBook("Other")
        for place in [0, 3] { set.insert(other, at: place) }
        set.remove(other)
        author.setValue(set.set, forKey: "books")
        author.mutableSetValue(forKey: "books").removeAllObjects()
        author.setValue(set, forKey: "books")
        #expect(author.titles("books") == ["One", "Three", "Two"])
        try context.save()
        #expect(try context.all("Book").filter { NSPredicate(format: "SELF IN %@", set).evaluate(with: $0) }.count == 3)
    }

    @Test("Setting a to-many changes the to-ones", arguments: Library.storeTypes)
    func toMany(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let author = context.make("Author", ["name": "A"])
        let (one, two) = (context.makeBook("One"), context.makeBook("Two"))
        author.setValue(Set([one, two]), forKey: "books")
        #expect(one.value(forKey: "author") as? NSManagedObject === author)
        author.setValue(NSSet(object: two), forKey: "books")
        #expect(one.value(forKey: "author") == nil)
        #expect(two.value(forKey: "author") as? NSManagedObject === author)
        author.mutableSetValue(forKey: "books").add(one)
        #expect(one.value(forKey: "author") as? NSManagedObject === author)
        #expect(author.members("books") == [one, two])
    }

    @Test("A many-to-many is kept on both sides, and in the store", arguments: Library.storeTypes)
    func manyToMany(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let (sf, fantasy) = (context.make("Genre", ["name": "SF"]), context.make("Genre", ["name": "Fantasy"]))
        let (one, two) = (context.makeBook("One"), context.makeBook("Two"))
        one.mutableSetValue(forKey: "genres").add(sf)
        one.mutableSetValue(forKey: "genres").add(fantasy)
        sf.mutableSetValue(forKey: "books").add(two)
        #expect(sf.members("books") == [one, two])
        #expect(two.members("genres") == [sf])
        try context.save()
        one.mutableSetValue(forKey: "genres").remove(sf)
        #expect(sf.members("books") == [two])
        try context.save()
        let other = try stack.reopened()
        let reread = try #require(other.all("Genre", "name == 'SF'").first)
        #expect(reread.titles("books") == ["Two"])
        #expect(try other.all("Book", "ANY genres.name == 'Fantasy'").map { $0.text("title") } == ["One"])
    }

    @Test("An ordered relationship keeps its order through changes and saves", arguments: Library.storeTypes)
    func ordered(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let book = context.makeBook("One")
        let member = context.make("Member", ["name": "M", "card": 7])
        let now = Date()
        let loans = (0..<4).map { index in
            context.make(
                "Loan", ["lent": now, "due": now.addingTimeInterval(Double(index)), "book": book, "member": member])
        }
        #expect((member.value(forKey: "loans") as? NSOrderedSet)?.array as? [NSManagedObject] == loans)
        try context.save()
        let order = member.mutableOrderedSetValue(forKey: "loans")
        order.removeObject(at: 3)
        order.insert(loans[3], at: 0)
        try context.save()
        let other = try stack.reopened()
        let reread = try #require(other.all("Member").first?.value(forKey: "loans") as? NSOrderedSet)
        let expected = [loans[3], loans[0], loans[1], loans[2]].map { $0.objectID.uriRepresentation() }
        #expect(reread.array.compactMap { ($0 as? NSManagedObject)?.objectID.uriRepresentation() } == expected)
    }

    @Test("Delete rules: nullify empties the other side, cascade follows, deny refuses", arguments: Library.storeTypes)
    func deleteRules(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let author = context.make("Author", ["name": "A"])
        let book = context.makeBook("One", ["author": author])
        let member = context.make("Member", ["name": "M", "card": 1])
        let loan = context.make("Loan", ["lent": Date(), "due": Date(), "book": book, "member": member])
        try context.save()

        context.delete(book)
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(
            error?.code == NSValidationRelationshipDeniedDeleteError || error?.code == NSValidationMultipleErrorsError)
        context.rollback()
        #expect(!book.isDeleted)

        context.delete(author)
        try context.save()
        #expect(book.value(forKey: "author") == nil)

        context.delete(member)
        context.processPendingChanges()
        #expect(loan.isDeleted)
        try context.save()
        #expect(try stack.reopened().all("Loan").isEmpty)
        #expect(book.members("loans").isEmpty)
    }
}
