import CoreData
import Foundation
import Testing

@Suite("Fetching in batches, as faults and without values")
struct BatchedFetchTests {
    @Test("Rows come a batch at a time, in order, when one of a batch is touched", arguments: [1, 7, 100, 1000])
    func batches(size: Int) throws {
        let library = try LibraryOfMany(authors: 250, booksEach: 0)
        let (authors, _) = try library.authors { $0.fetchBatchSize = size }
        #expect(library.statements.takeQueries().count == 1)
        #expect(authors.count == 250 && authors.allSatisfy(\.isFault))
        let names = authors.map { $0.text("name") ?? "" }
        #expect(names == names.sorted() && Set(names).count == 250)
        #expect(library.statements.takeQueries().count == (250 + size - 1) / size)
    }

    @Test("A batch in the middle comes alone")
    func middle() throws {
        let library = try LibraryOfMany(authors: 100, booksEach: 0)
        let (authors, _) = try library.authors { $0.fetchBatchSize = 10 }
        _ = library.statements.takeQueries()
        #expect(authors[55].text("name") != nil)
        #expect(authors[50].text("name") != nil && authors[59].text("name") != nil)
        #expect(library.statements.takeQueries().count == 1)
        #expect(authors[49].text("name") != nil)
        #expect(library.statements.takeQueries().count == 1)
    }

    @Test("Limit, offset and objects that the context has already go with batches")
    func limit() throws {
        let library = try LibraryOfMany(authors: 30, booksEach: 0)
        let (all, context) = try library.authors()
        #expect(all[5].text("name") != nil)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchBatchSize = 4
        request.fetchLimit = 10
        request.fetchOffset = 3
        #expect(try context.fetch(request) == Array(all[3..<13]))
    }

    @Test("A batch brings the prefetched relationships of its objects along")
    func prefetching() throws {
        let library = try LibraryOfMany(authors: 40)
        let (authors, _) = try library.authors {
            $0.fetchBatchSize = 10
            $0.relationshipKeyPathsForPrefetching = ["books"]
        }
        #expect(library.statements.takeQueries().count == 1)
        for author in authors { #expect(author.titles("books").count == 3) }
        #expect(library.statements.takeQueries().count == 8)
    }

    @Test("A batch that isn't returned as faults is realised when one of it is touched")
    func realised() throws {
        let library = try LibraryOfMany(authors: 20, booksEach: 0)
        let (authors, _) = try library.authors {
            $0.fetchBatchSize = 10
            $0.returnsObjectsAsFaults = false
        }
        #expect(authors[0].text("name") != nil)
        #expect(authors.map(\.isFault) == Array(repeating: false, count: 10) + Array(repeating: true, count: 10))
    }

    @Test("So is a batch of one object, whose relationships are prefetched too", arguments: [1, 10])
    func one(size: Int) throws {
        let library = try LibraryOfMany(authors: 1)
        let (authors, _) = try library.authors {
            $0.fetchBatchSize = size
            $0.returnsObjectsAsFaults = false
            $0.relationshipKeyPathsForPrefetching = ["books"]
        }
        let author = try #require(authors.first)
        #expect(author.text("name") != nil)
        _ = library.statements.takeQueries()
        #expect(author.titles("books").count == 3)
        #expect(library.statements.takeQueries().isEmpty)
    }

    @Test("Without values only identities come; rows are then read more and more at a time")
    func withoutValues() throws {
        let library = try LibraryOfMany(authors: 1000, booksEach: 0)
        let (authors, _) = try library.authors { $0.includesPropertyValues = false }
        let queries = library.statements.takeQueries()
        #expect(queries.count == 1 && !queries[0].contains("ZPORTRAIT"), "\(queries)")
        for author in authors { #expect(author.text("name") != nil) }
        #expect(library.statements.takeQueries().count < 10)
    }

    @Test("A row that others have deleted is an object without values, whatever batch it is in")
    func deleted() throws {
        let library = try LibraryOfMany(authors: 10, booksEach: 0)
        let (authors, _) = try library.authors { $0.fetchBatchSize = 5 }
        let other = try library.stack.reopened()
        other.delete(try #require(try other.all("Author", "name == 'Author 3'").first))
        try other.save()
        #expect(authors[2].text("name") == "Author 2")
        #expect(authors[3].text("name") == nil && authors[3].isDeleted)
        #expect(authors[4].text("name") == "Author 4")
    }

    @Test("A batch shows what was saved between the fetch and the touch")
    func changedMeanwhile() throws {
        let library = try LibraryOfMany(authors: 10, booksEach: 0)
        let (authors, _) = try library.authors { $0.fetchBatchSize = 5 }
        let other = try library.stack.reopened()
        try #require(try other.all("Author", "name == 'Author 7'").first).setValue("Zola", forKey: "name")
        try other.save()
        #expect(authors[7].text("name") == "Zola")
    }

    @Test("Objects are realised, faults with rows, or refreshed, as the request says")
    func faultsAndRefreshing() throws {
        let library = try LibraryOfMany(authors: 10, booksEach: 0)
        let (realised, context) = try library.authors { $0.returnsObjectsAsFaults = false }
        #expect(realised.allSatisfy { !$0.isFault })
        let other = try library.stack.reopened()
        for author in try other.all("Author") { author.setValue("Changed", forKey: "name") }
        try other.save()
        realised[0].setValue("Mine", forKey: "name")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.includesPendingChanges = false
        _ = try context.fetch(request)
        #expect(realised[1].text("name") == "Author 1")
        request.shouldRefreshRefetchedObjects = true
        _ = try context.fetch(request)
        #expect(realised[1].text("name") == "Changed")
        #expect(realised[0].text("name") == "Mine")
    }

    @Test("Faults are fired all at once by a fetch with SELF IN")
    func faultingMany() throws {
        let library = try LibraryOfMany(authors: 200, booksEach: 0)
        let (authors, context) = try library.authors()
        let faults = authors.map { context.object(with: $0.objectID) }
        for author in faults { context.refresh(author, mergeChanges: false) }
        _ = library.statements.takeQueries()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.predicate = NSPredicate(format: "SELF IN %@", faults)
        request.returnsObjectsAsFaults = false
        #expect(try context.fetch(request).count == 200)
        #expect(faults.allSatisfy { !$0.isFault && $0.text("name") != nil })
        #expect(library.statements.takeQueries().count == 1)
    }

    @Test("Subentities come where they are asked for")
    func subentities() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        context.makeBook("Paper")
        context.make("AudioBook", ["title": "Sound", "identifier": UUID(), "narrator": "Ada"])
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.fetchBatchSize = 1
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let fresh = try stack.reopened()
        let both = try fresh.fetch(request)
        #expect(both.map(\.entity.name) == ["Book", "AudioBook"])
        #expect(both.last?.text("narrator") == "Ada")
        request.includesSubentities = false
        #expect(try fresh.fetch(request).map { $0.text("title") } == ["Paper"])
    }
}
