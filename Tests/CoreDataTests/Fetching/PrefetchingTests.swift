import CoreData
import Foundation
import Testing

@Suite("Prefetching relationships")
struct PrefetchingTests {
    @Test("A to-many comes with its rows in one query more")
    func toMany() throws {
        let library = try LibraryOfMany(authors: 600)
        let (authors, _) = try library.authors { $0.relationshipKeyPathsForPrefetching = ["books"] }
        #expect(library.statements.takeQueries().count == 2)
        for (number, author) in authors.enumerated() {
            #expect(!author.hasFault(forRelationshipNamed: "books"))
            let name = try #require(author.text("name")).dropFirst("Author ".count)
            #expect(author.titles("books") == Set((0..<3).map { "Book \(name)-\($0)" }), "\(number)")
        }
        #expect(library.statements.takeQueries() == [])
    }

    @Test("A to-one comes with its rows in one query more, each row once")
    func toOne() throws {
        let library = try LibraryOfMany(authors: 300)
        let (books, _) = try library.fetch("Book", sort: "title") {
            $0.relationshipKeyPathsForPrefetching = ["author"]
        }
        #expect(library.statements.takeQueries().count == 2)
        for book in books {
            let author = try #require(book.value(forKey: "author") as? NSManagedObject)
            let number = try #require(author.text("name")).dropFirst("Author ".count)
            #expect(try #require(book.text("title")).hasPrefix("Book \(number)-"))
        }
        #expect(library.statements.takeQueries() == [])
    }

    @Test("A key path over three relationships takes a query for each, and shares what it has in common with another")
    func keyPath() throws {
        let library = try LibraryOfMany(authors: 50)
        let (authors, _) = try library.authors {
            $0.relationshipKeyPathsForPrefetching = ["books.genres", "books.loans.member", "books"]
        }
        #expect(library.statements.takeQueries().count == 5)
        var genres: Set<String> = []
        for author in authors {
            for book in author.members("books") {
                genres.formUnion(book.members("genres").compactMap { $0.text("name") })
                for loan in book.members("loans") {
                    #expect((loan.value(forKey: "member") as? NSManagedObject)?.text("name") == "Ada")
                }
            }
        }
        #expect(genres == ["Gothic", "Satire", "Travel"])
        #expect(library.statements.takeQueries() == [])
    }

    @Test("An ordered relationship keeps its order")
    func ordered() throws {
        let library = try LibraryOfMany(authors: 20)
        let expected = try library.stack.context().all("Member")[0].objectIDs(forRelationshipNamed: "loans")
            .map { $0.uriRepresentation() }
        let (members, _) = try library.fetch("Member", sort: "name") {
            $0.relationshipKeyPathsForPrefetching = ["loans"]
        }
        let loans = try #require(members[0].value(forKey: "loans") as? NSOrderedSet)
        #expect(loans.compactMap { ($0 as? NSManagedObject)?.objectID.uriRepresentation() } == expected)
        #expect(expected.count == 60)
    }

    @Test("Unsaved changes of a relationship are laid over what comes")
    func changes() throws {
        let library = try LibraryOfMany(authors: 2)
        let (authors, context) = try library.authors()
        let added = context.makeBook("New", ["author": authors[0]])
        let moved = try #require(authors[1].members("books").first)
        moved.setValue(authors[0], forKey: "author")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.relationshipKeyPathsForPrefetching = ["books"]
        _ = try context.fetch(request)
        #expect(authors[0].members("books").count == 5)
        #expect(authors[0].members("books").isSuperset(of: [added, moved]))
        #expect(authors[1].members("books").count == 2)
    }

    @Test("What isn't a relationship is left out", arguments: ["book", "name", "books.title", "books.", ""])
    func wrongKeyPath(path: String) throws {
        let library = try LibraryOfMany(authors: 2)
        let (authors, _) = try library.authors { $0.relationshipKeyPathsForPrefetching = [path, "books"] }
        #expect(authors.count == 2)
        // The other one is brought in.
        #expect(!authors[0].hasFault(forRelationshipNamed: "books"))
    }

    @Test("Destinations that others have changed in the meantime are those of the newest save")
    func afterChangeByOthers() throws {
        let library = try LibraryOfMany(authors: 2)
        let (authors, context) = try library.authors { $0.relationshipKeyPathsForPrefetching = ["books"] }
        let other = try library.stack.reopened()
        let book = try #require(try other.all("Book", "title == 'Book 0-0'").first)
        book.setValue(try other.all("Author", "name == 'Author 1'").first, forKey: "author")
        try other.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.relationshipKeyPathsForPrefetching = ["books"]
        // What is realised stays as it is until it's refreshed.
        context.refreshAllObjects()
        #expect(try context.fetch(request) == authors)
        #expect(authors.map { $0.members("books").count } == [2, 4])
    }

    @Test(
        "Stores that hold everything in memory take prefetching for granted", arguments: Library.storeTypes.dropFirst())
    func otherStores(type: String) throws {
        let stack = try TemporaryStack(storeType: type)
        let context = stack.context()
        let author = context.make("Author", ["name": "Emma"])
        context.makeBook("Orphans", ["author": author])
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.relationshipKeyPathsForPrefetching = ["books.author"]
        request.fetchBatchSize = 1
        #expect(try context.fetch(request).first?.titles("books") == ["Orphans"])
    }
}
