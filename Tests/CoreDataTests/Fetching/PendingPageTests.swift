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
