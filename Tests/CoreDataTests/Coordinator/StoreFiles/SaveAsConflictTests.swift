import CoreData
import Foundation
import Testing

@Suite("What contexts haven't seen before a Save As is a conflict after it")
struct SaveAsConflictTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func place(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// Two books that a context has read, and changed one of; with the stack that others use.
    private func edited(_ type: String) throws -> (AtomicStack, NSManagedObjectContext, [NSManagedObject]) {
        let stack = try AtomicStack(place("old"), type: type, model: Library.model(for: NSXMLStoreType))
        let editor = NSManagedObjectContext(.privateQueue)
        editor.persistentStoreCoordinator = stack.coordinator
        try stack.context.performAndWait {
            for title in ["Jim Knopf", "Momo"] { stack.context.makeBook(title) }
            try stack.context.save()
        }
        let books = try editor.performAndWait {
            let books = try editor.all("Book", sort: "title")
            for book in books { book.setValue(7, forKey: "copies") }
            return books
        }
        return (stack, editor, books)
    }

    private func migrate(_ stack: AtomicStack, _ name: String, to type: String) throws {
        let store = try #require(stack.coordinator.persistentStores.first)
        _ = try stack.coordinator.migratePersistentStore(store, to: place(name), withType: type)
    }

    @Test("where another coordinator, or a batch request, has written", arguments: Library.storeTypes, [true, false])
    func writtenElsewhere(type: String, byBatch: Bool) throws {
        let (stack, editor, books) = try edited(NSSQLiteStoreType)
        if byBatch {
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.predicate = NSPredicate(format: "title == 'Momo'")
            update.propertiesToUpdate = ["copies": 3]
            _ = try stack.context.performAndWait { try stack.context.execute(update) }
        } else {
            let other = try AtomicStack(
                place("old"), type: NSSQLiteStoreType, model: Library.model(for: NSXMLStoreType))
            try other.context.performAndWait {
                try other.context.all("Book", "title == 'Momo'").first?.setValue(3, forKey: "copies")
                try other.context.save()
            }
        }
        try migrate(stack, "new", to: type)
        try editor.performAndWait {
            let error = #expect(throws: NSError.self) { try editor.save() }
            let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            #expect(conflicts?.map(\.sourceObject) == [books[1]])
            editor.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try editor.save()
            #expect(books.map { $0.value(forKey: "copies") as? Int } == [7, 3])
        }
    }

    @Test("or a deletion, also after two of them in a row", arguments: Library.storeTypes, [1, 2])
    func deletedElsewhere(type: String, times: Int) throws {
        let (stack, editor, _) = try edited(type)
        try stack.context.performAndWait {
            stack.context.delete(try stack.context.all("Book", "title == 'Momo'")[0])
            try stack.context.save()
        }
        let (begun, go, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // Its queue comes to adopt what has changed when all has.
        editor.perform {
            begun.signal()
            go.wait()
            done.signal()
        }
        begun.wait()
        for number in 0..<times { try migrate(stack, "new\(number)", to: number == 0 ? NSSQLiteStoreType : type) }
        go.signal()
        done.wait()
        try editor.performAndWait {
            #expect(throws: NSError.self) { try editor.save() }
            editor.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try editor.save()
            #expect(!editor.hasChanges)
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = stack.coordinator
        let copies = try context.performAndWait { try context.all("Book").map { $0.value(forKey: "copies") as? Int } }
        #expect(copies == [7])
    }

    @Test("or a change of what had been deleted, which is made later", arguments: Library.storeTypes, [true, false])
    func changedLater(type: String, byDeletion: Bool) throws {
        let (stack, editor, books) = try edited(type)
        try editor.performAndWait {
            try editor.save()
            try stack.context.performAndWait {
                stack.context.delete(try stack.context.all("Book", "title == 'Momo'")[0])
                try stack.context.save()
            }
            try migrate(stack, "new", to: NSSQLiteStoreType)
            editor.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            books[0].setValue(8, forKey: "copies")
            if byDeletion { editor.delete(books[1]) } else { books[1].setValue(9, forKey: "copies") }
            try editor.save()
            #expect(!editor.hasChanges)
            #expect(try editor.all("Book").map { $0.value(forKey: "copies") as? Int } == [8])
        }
    }

    @Test(
        "A context is asked on the way, while the stores belong to one thread", .timeLimit(.minutes(1)),
        arguments: Library.storeTypes)
    func alone(type: String) throws {
        let (stack, editor, books) = try edited(type)
        nonisolated(unsafe) var failure: (any Error)?
        stack.coordinator.performAndWait {
            do {
                try migrate(stack, "new", to: NSSQLiteStoreType)
                try editor.performAndWait {
                    #expect(try editor.all("Book", sort: "title") == books)
                    try editor.save()
                }
            } catch { failure = error }
        }
        #expect(failure == nil)
        let copies = try editor.performAndWait { try editor.all("Book").map { $0.value(forKey: "copies") as? Int } }
        #expect(copies == [7, 7])
    }
}
