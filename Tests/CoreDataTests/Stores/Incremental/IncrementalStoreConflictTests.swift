import CoreData
import Foundation
import Testing

@Suite("Versions of nodes drive optimistic locking")
struct IncrementalStoreConflictTests {
    /// A book that somebody else has changed in the store since the context read it.
    private func conflict(_ policy: NSMergePolicy) throws -> (WarehouseStack, NSManagedObject) {
        let stack = try WarehouseStack()
        stack.addBooks()
        let book = stack.object(.init("Book", 11))
        book.setValue("Mine", forKey: "title")
        book.setValue(20, forKey: "pages")
        stack.warehouse.records[.init("Book", 11)]?.version = 5
        stack.warehouse.records[.init("Book", 11)]?.values["title"] = "Theirs"
        stack.warehouse.records[.init("Book", 11)]?.values["copies"] = 5
        stack.context.mergePolicy = policy
        return (stack, book)
    }

    private func row(_ stack: WarehouseStack) -> [String] {
        let record = stack.warehouse.records[.init("Book", 11)]
        return ["title", "copies", "pages"].map { "\(record?.values[$0] ?? "nil")" } + ["\(record?.version ?? 0)"]
    }

    @Test("By default the save fails with the conflict, and nothing changes")
    func errorPolicy() throws {
        let (stack, book) = try conflict(.error)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let found = try #require((error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first)
        #expect(found.sourceObject === book && found.oldVersionNumber == 1 && found.newVersionNumber == 5)
        #expect(found.persistedSnapshot?["title"] as? String == "Theirs")
        #expect(found.cachedSnapshot?["title"] as? String == "Tehanu")
        #expect(found.objectSnapshot?["title"] as? String == "Tehanu")
        #expect(row(stack) == ["Theirs", "5", "226", "5"])
    }

    @Test("Merge policies see to conflicts that the store reports")
    func policies() throws {
        let expected: [(NSMergePolicy, [String])] = [
            (.mergeByPropertyObjectTrump, ["Mine", "5", "20", "6"]),
            (.mergeByPropertyStoreTrump, ["Theirs", "5", "20", "6"]),
            (.overwrite, ["Mine", "nil", "20", "6"]),
            (.rollback, ["Theirs", "5", "226", "5"]),
        ]
        for (policy, values) in expected {
            let (stack, book) = try conflict(policy)
            try stack.context.save()
            #expect(row(stack) == values)
            #expect(book.text("title") == values[0])
            #expect(!stack.context.hasChanges)
        }
    }

    @Test("A conflict may bring the values in the store along, so that they aren't asked for")
    func givenSnapshot() throws {
        let (stack, book) = try conflict(.mergeByPropertyObjectTrump)
        stack.warehouse.behaviour.execute = { request, store, _ in
            guard request is NSSaveChangesRequest, store.version(of: book) == 1 else { return nil }
            let values: [String: Any] = ["title": "Theirs", "copies": 5, "pages": 226]
            let conflict = NSMergeConflict(
                source: book, newVersion: 5, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: values)
            throw CocoaError(
                .persistentStoreSaveConflicts, userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
        }
        _ = stack.warehouse.takeLog()
        try stack.context.save()
        #expect(!stack.warehouse.takeLog().contains { $0.hasPrefix("newValues") })
        #expect(row(stack) == ["Mine", "5", "20", "6"])
    }

    @Test("An object that somebody else has deleted")
    func deletedElsewhere() throws {
        let (stack, book) = try conflict(.rollback)
        stack.warehouse.records[.init("Book", 11)] = nil
        try stack.context.save()
        #expect(!stack.context.hasChanges)
        #expect(book.managedObjectContext == nil)
    }

    @Test("Another context of the stack has saved: the store isn't even asked")
    func otherContext() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let book = stack.object(.init("Book", 11))
        book.setValue("Mine", forKey: "title")
        let other = stack.otherContext()
        let theirs = other.object(with: book.objectID)
        theirs.setValue("Theirs", forKey: "title")
        try other.save()
        _ = stack.warehouse.takeLog()
        #expect(throws: NSError.self) { try stack.context.save() }
        #expect(stack.warehouse.takeRequests() == [])
        withExtendedLifetime(theirs) {}
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(stack.warehouse.records[.init("Book", 11)]?.version == 3)
    }

    @Test("A conflict of a locked object")
    func locked() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let books = try stack.context.all("Book", sort: "title")
        #expect(books[0].text("title") == "Emma")
        stack.context.detectConflicts(for: books[0])
        books[1].setValue("Changed", forKey: "title")
        stack.warehouse.records[.init("Book", 13)]?.version = 2
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
    }
}
