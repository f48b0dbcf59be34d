import CoreData
import Foundation
import Testing

@Suite("What can't be read is told")
struct SwallowedErrorTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store.sqlite")
    }

    @Test("A copy of an asynchronous request is for the same stores")
    func copiedRequest() throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType)
        let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Author"))
        request.estimatedResultCount = 3
        request.affectedStores = [stack.store]
        let copy = try #require(request.copy() as? NSAsynchronousFetchRequest<NSManagedObject>)
        #expect(copy.affectedStores?.first === stack.store && copy.estimatedResultCount == 3)
        #expect(copy.fetchRequest.entityName == "Author")
    }

    @Test("A refresh of a row that can't be read keeps the values, and fails the next save")
    func refreshing() throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType)
        let author = stack.context.make("Author", ["name": "A"])
        try stack.context.save()
        stack.context.stalenessInterval = 0
        _ = try PlainSQLite.rows("ALTER TABLE ZAUTHOR RENAME TO ZGONE", in: url)
        author.setValue("B", forKey: "name")
        stack.context.refresh(author, mergeChanges: true)
        #expect(author.text("name") == "B")
        #expect(throws: NSError.self) { try stack.context.save() }
        _ = try PlainSQLite.rows("ALTER TABLE ZGONE RENAME TO ZAUTHOR", in: url)
        stack.context.rollback()
        author.setValue("B", forKey: "name")
        try stack.context.save()
    }

    @Test("A fetch inside a predicate that fails is false, and fails the next save")
    func subfetch() throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType)
        let author = stack.context.make("Author", ["name": "A"])
        try stack.context.save()
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        let expression = NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: stack.context),
            countOnly: true)
        let predicate = NSComparisonPredicate(
            leftExpression: expression, rightExpression: NSExpression(forConstantValue: 0), modifier: .direct,
            type: .equalTo)
        #expect(predicate.evaluate(with: author))
        _ = try PlainSQLite.rows("ALTER TABLE ZBOOK RENAME TO ZGONE", in: url)
        #expect(!predicate.evaluate(with: author))
        author.setValue("B", forKey: "name")
        #expect(throws: NSError.self) { try stack.context.save() }
    }

    @Test(
        "A fetch that asks such a predicate fails, whether or not unsaved changes count",
        arguments: Library.storeTypes, [true, false])
    func fetchWithSubfetch(type: String, includesPendingChanges: Bool) throws {
        let stack = try AtomicStack(folder.url.appendingPathComponent("main"), type: type)
        stack.context.make("Author", ["name": "A"])
        stack.context.makeBook("Momo")
        try stack.context.save()
        stack.context.make("Author", ["name": "B"])
        let books = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        let count = NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: books), context: NSExpression(forConstantValue: stack.context),
            countOnly: true)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.includesPendingChanges = includesPendingChanges
        request.predicate = NSComparisonPredicate(
            leftExpression: count, rightExpression: NSExpression(forConstantValue: 1), modifier: .direct, type: .equalTo
        )
        #expect(try stack.context.count(for: request) == (includesPendingChanges ? 2 : 1))
        // Any reason for which a fetch fails.
        books.predicate = NSPredicate(format: "title MATCHES '('")
        #expect(throws: NSError.self) { try stack.context.fetch(request) }
        stack.context.rollback()
        #expect(throws: NSError.self) { try stack.context.count(for: request) }
    }

    @Test("Metadata of a store on disk is read and written with the options that are given")
    func metadataOptions() throws {
        try AtomicStack(url, type: NSSQLiteStoreType).close()
        let wrong: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: -1]
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url, options: wrong)
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        for type in [NSSQLiteStoreType, NSXMLStoreType] {
            #expect(throws: NSError.self) {
                try NSPersistentStoreCoordinator.setMetadata(
                    metadata, forPersistentStoreOfType: type, at: url, options: [NSReadOnlyPersistentStoreOption: true])
            }
        }
    }

    @Test("Settings of a context may be set while its queue is at work")
    func settings() throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType)
        let context = stack.context
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<500 {
                if thread < 2 {
                    context.name = "name \(number)"
                    context.transactionAuthor = "author \(number)"
                    context.mergePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
                } else {
                    _ = (context.name?.count, context.transactionAuthor?.count, context.mergePolicy)
                }
            }
        }
        #expect(context.name == "name 499")
    }
}
