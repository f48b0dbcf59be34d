import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Going through a fetched set")
struct ReadAheadTests {
    @Test("The to-manys of a fetched set take few queries, without prefetching too")
    func toMany() throws {
        let library = try LibraryOfMany(authors: 1000)
        let (authors, _) = try library.authors()
        #expect(library.statements.takeQueries().count == 1)
        for author in authors {
            let name = try #require(author.text("name")).dropFirst("Author ".count)
            #expect(author.titles("books") == Set((0..<3).map { "Book \(name)-\($0)" }))
        }
        // 4,000 with a query for each relationship and each book.
        #expect(library.statements.takeQueries().count < 60)
    }

    @Test("The relationship of one object is read for that one alone")
    func one() throws {
        let library = try LibraryOfMany(authors: 100)
        let (authors, _) = try library.authors()
        _ = library.statements.takeQueries()
        #expect(authors[10].members("books").count == 3)
        #expect(library.statements.takeQueries().count == 1)
        #expect(authors[11].hasFault(forRelationshipNamed: "books"))
    }

    @Test("Whatever order objects are gone through in, each has its own destinations", arguments: UInt64(1)...5)
    func randomOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let library = try LibraryOfMany(authors: 60)
        let (books, _) = try library.fetch("Book", sort: "title")
        for book in books.shuffled(using: &random) {
            let place = try #require(book.text("title")?.last?.wholeNumberValue)
            #expect(
                book.members("genres").map { $0.text("name") } == [["Gothic", "Satire", "Travel"][place]],
                "seed \(seed)")
            #expect(book.members("loans").count == 1, "seed \(seed)")
        }
    }

    @Test("The to-ones of a fetched set take few queries too")
    func toOne() throws {
        let library = try LibraryOfMany(authors: 1000, booksEach: 1)
        let (books, _) = try library.fetch("Book", sort: "pages")
        #expect(library.statements.takeQueries().count == 1)
        for (number, book) in books.enumerated() {
            #expect((book.value(forKey: "author") as? NSManagedObject)?.text("name") == "Author \(number)")
        }
        // 1,000 with a query for each.
        #expect(library.statements.takeQueries().count < 12)
    }

    @Test("Whatever order to-ones are followed in, and whatever is changed meanwhile, each leads where it should")
    func toOnesInRandomOrder() throws {
        for seed in UInt64(1)...5 {
            var random = SeededGenerator(seed: seed)
            let library = try LibraryOfMany(authors: 40)
            let (books, context) = try library.fetch("Book", sort: "title")
            var expected: [NSManagedObject: String?] = [:]
            for book in books {
                expected[book] = book.text("title")?.split(separator: "-").first.map { "Author " + $0.dropFirst(5) }
            }
            let (others, other) = try library.fetch("Book", sort: "title")
            for place in 0..<20 {
                others[place].setValue(
                    place.isMultiple(of: 2) ? nil : others[100].value(forKey: "author"), forKey: "author")
            }
            for (step, book) in books.shuffled(using: &random).enumerated() {
                if step == 30 {
                    let ada = context.make("Author", ["name": "Ada"])
                    books[50].setValue(ada, forKey: "author")
                    expected[books[50]] = "Ada"
                    books[51].setValue(nil, forKey: "author")
                    expected[books[51]] = .some(nil)
                }
                if step == 60 {
                    try other.save()
                    context.stalenessInterval = 0
                    for (place, book) in books.prefix(20).enumerated() {
                        context.refresh(book, mergeChanges: true)
                        expected[book] = place.isMultiple(of: 2) ? .some(nil) : expected[books[100]]
                    }
                }
                #expect(
                    (book.value(forKey: "author") as? NSManagedObject)?.text("name") == expected[book]!, "seed \(seed)")
            }
            for book in books {
                #expect(
                    (book.value(forKey: "author") as? NSManagedObject)?.text("name") == expected[book]!, "seed \(seed)")
            }
            try context.save()
        }
    }

    @Test("A to-one that is faulted object by object is told, with the prefetch that cures it")
    func oneByOne() throws {
        let library = try LibraryOfMany(authors: 60, booksEach: 1)
        let (fetched, _) = try library.fetch("Book", sort: "title")
        let context = try library.stack.reopened()
        // Objects that came one at a time have nothing beside them to read along.
        let books = try fetched.map { book in
            try context.existingObject(
                with: #require(
                    context.persistentStoreCoordinator?.managedObjectID(
                        forURIRepresentation: book.objectID.uriRepresentation())))
        }
        let told = Mutex<[FetchDiagnostic]>([])
        context.persistentStoreCoordinator?.diagnosticsHandler = { diagnostic in told.withLock { $0.append(diagnostic) }
        }
        for book in books.prefix(50) {
            #expect((book.value(forKey: "author") as? NSManagedObject)?.text("name") != nil)
        }
        #expect(told.withLock { $0.isEmpty })
        for book in books.suffix(10) {
            #expect((book.value(forKey: "author") as? NSManagedObject)?.text("name") != nil)
        }
        let diagnostics = told.withLock { $0 }
        #expect(diagnostics.map(\.entityName) == ["Book"])
        #expect(diagnostics.map(\.cause) == [.faultedOneByOne(relationship: "author", count: 51)])
        #expect(diagnostics.first?.description.contains("relationshipKeyPathsForPrefetching = [\"author\"]") ?? false)
    }

    @Test("Going through a prefetched to-one is nothing to tell of")
    func prefetched() throws {
        let library = try LibraryOfMany(authors: 60, booksEach: 1)
        let (books, context) = try library.fetch("Book", sort: "title") {
            $0.relationshipKeyPathsForPrefetching = ["author"]
        }
        context.persistentStoreCoordinator?.diagnosticsHandler = { Issue.record("\($0)") }
        for book in books { #expect((book.value(forKey: "author") as? NSManagedObject)?.text("name") != nil) }
    }

    @Test("A big table that is scanned where an index would serve is told, once")
    func scan() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        for number in 0..<10_100 { context.makeBook("Book \(number)") }
        try context.save()
        let told = Mutex<[FetchDiagnostic]>([])
        stack.container.persistentStoreCoordinator.diagnosticsHandler = { diagnostic in
            told.withLock { $0.append(diagnostic) }
        }
        #expect(try context.all("Book", "title == 'Book 7' AND pages == nil").count == 1)
        #expect(try context.all("Book", "title == 'Book 8' AND pages == nil").count == 1)
        let diagnostics = told.withLock { $0 }
        #expect(diagnostics.count == 1)
        guard case .scannedTable(let attributes, let rowCount) = diagnostics.first?.cause else {
            Issue.record("\(diagnostics)")
            return
        }
        #expect(attributes == ["title", "pages"] && rowCount >= 10_000)
        // Nothing to say of what an index can't help with, or of what has one.
        told.withLock { $0 = [] }
        let identifier = try #require(
            try context.all("Book", "title == 'Book 9'").first?.value(forKey: "identifier") as? UUID)
        told.withLock { $0 = [] }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "identifier == %@", identifier as NSUUID)
        #expect(try context.fetch(request).count == 1)
        #expect(try context.all("Book", "title CONTAINS[cd] 'book 77'").count == 111)
        #expect(try context.all("Book", "title BEGINSWITH 'Book'").count == 10_100)
        #expect(told.withLock { $0 } == [])
    }
}
