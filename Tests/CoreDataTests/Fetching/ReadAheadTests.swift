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

    @Test("A to-one that is faulted object by object is told, with the prefetch that cures it")
    func oneByOne() throws {
        let library = try LibraryOfMany(authors: 60, booksEach: 1)
        let (books, context) = try library.fetch("Book", sort: "title")
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
