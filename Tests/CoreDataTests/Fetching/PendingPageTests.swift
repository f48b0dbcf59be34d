import CoreData
import Foundation
import Testing

@Suite("Pages and counts of a fetch with unsaved changes read no more than they show")
struct PendingPageTests {
    /// 300 books, titled by number, and a context that has changed, deleted and inserted a few.
    ///
    /// - Parameter isParent: whether that context is to be a parent, and used in blocks alone.
    private func changed(
        _ storeType: String, isParent: Bool = false
    ) throws -> (NSManagedObjectContext, StatementRecord, TemporaryStack) {
        let record = StatementRecord()
        let stack = try TemporaryStack(storeType: storeType, observer: record.observer)
        let writer = stack.context()
        for number in 0..<300 { writer.makeBook(Self.title(number), ["pages": number + 1]) }
        try writer.save()
        let context = isParent ? stack.queueContext() : stack.context()
        try context.performAndWait { try Self.change(context) }
        _ = record.takeQueries()
        return (context, record, stack)
    }

    private static func change(_ context: NSManagedObjectContext) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "title IN %@", [3, 50, 120, 200, 280].map(title))
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let books = try context.fetch(request)
        books[0].setValue(title(150) + "a", forKey: "title")
        books[1].setValue(0, forKey: "pages")
        books[2].setValue(title(1) + "a", forKey: "title")
        context.delete(books[3])
        books[4].setValue(1000, forKey: "copies")
        context.makeBook(title(10) + "a", ["pages": 20])
        context.makeBook(title(299) + "a", ["pages": 20])
        context.makeBook("none", ["pages": 0])
        context.processPendingChanges()
    }

    private static func title(_ number: Int) -> String { String(format: "%04d", number) }

    @Test("A page of a sorted fetch is that of the whole", arguments: Library.storeTypes)
    func pages(storeType: String) throws {
        let (context, record, stack) = try changed(storeType)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "pages > 0")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let all = try context.fetch(request)
        #expect(all.count == 300)
        let titles = all.map { $0.text("title") }
        _ = record.takeQueries()
        for (offset, limit) in [
            (0, 5), (0, 12), (2, 10), (9, 4), (100, 30), (145, 10), (196, 8), (290, 0), (295, 20), (299, 5),
        ] {
            for batch in [0, 4] {
                request.fetchOffset = offset
                request.fetchLimit = limit
                request.fetchBatchSize = batch
                let wanted = titles.dropFirst(offset).prefix(limit == 0 ? 300 : limit)
                #expect(try context.fetch(request).map { $0.text("title") } == Array(wanted), "\(offset), \(limit)")
                #expect(try context.count(for: request) == wanted.count)
            }
        }
        _ = stack
    }

    @Test("So is one that a child fetches, of its parent's changes and its own", arguments: Library.storeTypes)
    func pagesOfChild(storeType: String) throws {
        let (context, _, stack) = try changed(storeType, isParent: true)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "pages > 0")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        (request.fetchOffset, request.fetchLimit) = (4, 6)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = context
        try child.performAndWait {
            let mine = try #require(try child.all("Book", "title == '0005'").first)
            mine.setValue(Self.title(7) + "b", forKey: "title")
            #expect(
                try child.fetch(request).map { $0.text("title") }
                    == ["0004", "0006", "0007", "0007b", "0008", "0009"])
            #expect(try child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 302)
        }
        _ = stack
    }

    @Test(
        "Aggregates over all objects, and empty to-manys, are asked as a whole fetch asks them",
        arguments: Library.storeTypes)
    func objectPredicates(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let context = stack.queueContext()
        try context.performAndWait {
            for pages in 1...3 { context.make("Book", ["name": "b\(pages)", "pages": pages]) }
            let full = context.make("Genre", ["name": "full"])
            full.setValue(NSOrderedSet(array: try context.all("Book", "pages == 1")), forKey: "books")
            context.make("Genre", ["name": "empty"])
            context.make("Author", ["name": "a"])
            try context.save()
            context.make("Book", ["name": "new", "pages": 0])
            context.make("Genre", ["name": "new"])
            let author = context.make("Author", ["name": "new"])
            try #require(try context.all("Book", "pages == 2").first).setValue(author, forKey: "author")
        }
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = context
        for context in [context, child] {
            try context.performAndWait {
                // A change of the child's own.
                if context === child { child.make("Genre", ["name": "child's"]) }
                for (entity, format, wanted) in [
                    ("Book", "pages == max(pages)", 1), ("Book", "pages < average(pages)", 2),
                    ("Book", "pages == @min.pages", 1), ("Book", "genres == nil", 3), ("Book", "genres != nil", 1),
                    ("Genre", "books == nil", context === child ? 3 : 2), ("Genre", "NOT (books == nil)", 1),
                    ("Author", "books == nil OR name == 'none'", 1), ("Author", "books != nil", 1),
                ] {
                    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                    request.predicate = NSPredicate(format: format)
                    #expect(try context.fetch(request).count == wanted, "\(format)")
                    #expect(try context.count(for: request) == wanted, "\(format), counted")
                    request.fetchLimit = 10
                    #expect(try context.fetch(request).count == wanted, "\(format), limited")
                    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                    (request.fetchLimit, request.fetchBatchSize) = (0, 1)
                    #expect(try context.fetch(request).count == wanted, "\(format), in batches")
                    let controller = NSFetchedResultsController(
                        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
                    try controller.performFetch()
                    #expect(controller.fetchedObjects?.count == wanted)
                }
            }
        }
        _ = stack
    }

    @Test("A results controller shows new objects as a fetch would")
    func objectPredicatesOfController() throws {
        let stack = try TemporaryStack(model: Shelves.model())
        let context = stack.context()
        for pages in 1...3 { context.make("Book", ["name": "b\(pages)", "pages": pages]) }
        try context.save()
        for (format, wanted) in [("genres == nil", ["b1", "b2", "b3", "new"]), ("pages == max(pages)", ["b3"])] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: format)
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let follower = ResultsFollower()
            controller.delegate = follower
            try controller.performFetch()
            let book = context.make("Book", ["name": "new", "pages": 1])
            context.processPendingChanges()
            #expect(controller.fetchedObjects?.map { $0.text("name") } == wanted, "\(format)")
            #expect(try context.fetch(request).map { $0.text("name") } == wanted, "\(format)")
            context.delete(book)
            try context.save()
        }
        _ = stack
    }

    @Test("Of an unsorted fetch too")
    func unsorted() throws {
        let (context, _, stack) = try changed(NSSQLiteStoreType)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "pages > 0")
        request.fetchLimit = 20
        let found = try context.fetch(request)
        #expect(found.count == 20 && Set(found).count == 20)
        #expect(found.allSatisfy { !$0.isDeleted && ($0.value(forKey: "pages") as? Int ?? 0) > 0 })
        request.fetchLimit = 0
        request.fetchOffset = 295
        #expect(try context.fetch(request).count == 5)
        _ = stack
    }

    @Test("One statement, and no object that isn't shown")
    func cost() throws {
        let (context, record, stack) = try changed(NSSQLiteStoreType)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        let known = context.registeredObjects.count
        #expect(try context.count(for: request) == 302)
        #expect(record.takeQueries().count <= 1)
        #expect(context.registeredObjects.count == known)
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        request.fetchOffset = 100
        request.fetchLimit = 10
        let page = try context.fetch(request)
        #expect(page.count == 10)
        #expect(record.takeQueries().count == 1)
        #expect(context.registeredObjects.count <= known + 20)
        _ = stack
    }
}

private final class ResultsFollower: NSObject, NSFetchedResultsControllerDelegate {}
