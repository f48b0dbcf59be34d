import CoreData
import Foundation
import Testing

/// An object that was fetched has its row at once, though it stays a fault until something of it is read.
@Suite("Fetched objects that nothing was read of yet take over what others have saved")
struct UnreadObjectTests {
    enum Renewal: CaseIterable {
        case merge, refreshKeepingChanges, refresh, refreshAll
    }

    private static func renew(
        _ books: [NSManagedObject], _ ids: [NSManagedObjectID], by renewal: Renewal, in context: NSManagedObjectContext
    ) {
        switch renewal {
        case .merge:
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
        case .refreshKeepingChanges: for book in books { context.refresh(book, mergeChanges: true) }
        case .refresh: for book in books { context.refresh(book, mergeChanges: false) }
        case .refreshAll: context.refreshAllObjects()
        }
    }

    private static func names(_ books: [NSManagedObject]) -> Set<String?> { Set(books.map { $0.text("name") }) }

    @Test("by a batch update", arguments: Renewal.allCases, [true, false])
    func batchUpdate(renewal: Renewal, isRead: Bool) throws {
        let stack = try TemporaryStack(model: Shelves.model())
        let context = stack.context()
        for _ in 0..<10 { context.make("Book", ["name": "old"]) }
        try context.save()
        context.reset()
        let books = try context.all("Book")
        if isRead { _ = Self.names(books) }
        let update = NSBatchUpdateRequest(entityName: "Book")
        update.propertiesToUpdate = ["name": "new"]
        update.resultType = .updatedObjectIDsResultType
        let result = try #require(context.execute(update) as? NSBatchUpdateResult)
        Self.renew(books, try #require(result.result as? [NSManagedObjectID]), by: renewal, in: context)
        #expect(Self.names(books) == ["new"])
        #expect(Self.names(try context.all("Book")) == ["new"])
    }

    @Test("by another stack over the same file", arguments: Renewal.allCases, [NSSQLiteStoreType])
    func otherStack(renewal: Renewal, storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let context = stack.context()
        for _ in 0..<10 { context.make("Book", ["name": "old"]) }
        try context.save()
        context.reset()
        let books = try context.all("Book")
        let other = try stack.reopened()
        for book in try other.all("Book") { book.setValue("new", forKey: "name") }
        try other.save()
        Self.renew(books, books.map(\.objectID), by: renewal, in: context)
        #expect(Self.names(books) == ["new"])
    }

    @Test("by a sibling or the parent of their context", arguments: Library.storeTypes)
    func family(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let parent = stack.queueContext()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        try NSManagedObjectContext.performAndWait(in: [parent, child]) {
            for _ in 0..<10 { parent.make("Book", ["name": "old"]) }
            try parent.save()
            let books = try child.all("Book")
            for book in try parent.all("Book") { book.setValue("new", forKey: "name") }
            parent.processPendingChanges()
            child.refreshAllObjects()
            #expect(Self.names(books) == ["new"])
        }
    }

    @Test("Prefetched members are read again too")
    func prefetched() throws {
        let stack = try TemporaryStack(model: Shelves.model())
        let context = stack.context()
        let author = context.make("Author", ["name": "a"])
        for _ in 0..<3 { context.make("Book", ["name": "b", "author": author]) }
        try context.save()
        context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.relationshipKeyPathsForPrefetching = ["books"]
        let fetched = try #require(context.fetch(request).first)
        let other = try stack.reopened()
        for book in try other.all("Book").prefix(2) { other.delete(book) }
        try other.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [fetched.objectID]], into: [context])
        #expect(fetched.members("books").count == 1)
    }
}
