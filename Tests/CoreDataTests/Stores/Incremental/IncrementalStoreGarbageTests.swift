import CoreData
import Foundation
import Testing

@Suite("A store that answers what can't be an answer: an error that names the store, never a crash")
struct IncrementalStoreGarbageTests {
    private let stack: WarehouseStack
    private let other: WarehouseStack

    init() throws {
        stack = try WarehouseStack()
        stack.addBooks()
        other = try WarehouseStack()
    }

    private func expectComplaint(about text: String, _ body: () throws -> Void, line: Int = #line) {
        let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
        let error = #expect(throws: NSError.self, sourceLocation: location, performing: body)
        let message = error?.localizedDescription ?? ""
        #expect(message.contains("WarehouseStore (warehouse:"), "\(message)", sourceLocation: location)
        #expect(message.contains(text), "\(message)", sourceLocation: location)
    }

    @Test("Answers to fetches of the wrong type")
    func wrongAnswers() throws {
        let context = stack.context
        for answer in ["text", 5, ["text"], [NSNull()], [5], NSNull(), [String: Any]()] as [Any] {
            stack.warehouse.behaviour.execute = { _, _, _ in answer }
            expectComplaint(about: "fetch for Book") { _ = try context.all("Book") }
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            expectComplaint(about: "fetch for Book") { _ = try context.fetch(ids) }
        }
        let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Book")
        dictionaries.resultType = .dictionaryResultType
        for answer in ["text", ["text"], [1, 2]] as [Any] {
            stack.warehouse.behaviour.execute = { _, _, _ in answer }
            expectComplaint(about: "fetch for Book") { _ = try context.fetch(dictionaries) }
        }
        for answer in [[], [1, 2], ["1"], "1", [-1]] as [Any] {
            stack.warehouse.behaviour.execute = { _, _, _ in answer }
            expectComplaint(about: "Book") {
                _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
            }
        }
    }

    @Test("Results that the request isn't for")
    func wrongResults() throws {
        let context = stack.context
        let author = stack.object(.init("Author", 1))
        let stranger = other.context.make("Book")
        let unsaved = context.make("Book")
        let audioBook = stack.object(.init("AudioBook", 50))
        stack.warehouse.behaviour.execute = { _, _, _ in [author] }
        expectComplaint(about: "entity Author") { _ = try context.all("Book") }
        stack.warehouse.behaviour.execute = { _, _, _ in [stranger] }
        expectComplaint(about: "another context") { _ = try context.all("Book") }
        stack.warehouse.behaviour.execute = { _, _, _ in [unsaved] }
        expectComplaint(about: "temporary") { _ = try context.all("Book") }
        stack.warehouse.behaviour.execute = { _, _, _ in [audioBook.objectID] }
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        ids.resultType = .managedObjectIDResultType
        ids.includesSubentities = false
        ids.includesPendingChanges = false
        expectComplaint(about: "AudioBook") { _ = try context.fetch(ids) }
        let foreign = other.store.id(.init("Book", 11))
        stack.warehouse.behaviour.execute = { _, _, _ in [foreign] }
        expectComplaint(about: "another store") { _ = try context.fetch(ids) }
    }

    @Test("Nodes with values of other types, of other objects or stores, or with impossible versions")
    func wrongNodes() throws {
        let id = stack.store.id(.init("Book", 11))
        let foreign = other.store.id(.init("Author", 1))
        let book = stack.store.id(.init("Book", 12))
        let hostile: [([String: Any], String)] = [
            (["title": 5], "Book.title"), (["pages": "many"], "Book.pages"),
            (["published": "yesterday"], "Book.published"),
            (["identifier": "no UUID"], "Book.identifier"), (["author": "Ursula"], "Book.author"),
            (["author": foreign], "another store"), (["author": book], "entity Book"), (["genres": 5], "Book.genres"),
            (["genres": [book]], "Book.genres"), (["genres": ["SF"]], "Book.genres"), (["author": [id]], "Book.author"),
        ]
        for (values, text) in hostile {
            stack.warehouse.behaviour.node = { id, _ in
                NSIncrementalStoreNode(objectID: id, withValues: values, version: 1)
            }
            expectComplaint(about: text) { _ = try stack.context.existingObject(with: id) }
            stack.context.reset()
        }
        stack.warehouse.behaviour.node = { id, store in
            NSIncrementalStoreNode(objectID: store.id(.init("Book", 12)), withValues: [:], version: 1)
        }
        expectComplaint(about: "Book/p12") { _ = try stack.context.existingObject(with: id) }
        stack.warehouse.behaviour.node = { id, _ in NSIncrementalStoreNode(objectID: id, withValues: [:], version: .max)
        }
        expectComplaint(about: "version") { _ = try stack.context.existingObject(with: id) }
        stack.warehouse.behaviour.node = { _, _ in throw WarehouseStore.Failure() }
        #expect(throws: WarehouseStore.Failure.self) { try stack.context.existingObject(with: id) }
    }

    @Test("A node without values, and one with values that the entity doesn't have")
    func oddNodes() throws {
        let id = stack.store.id(.init("Book", 11))
        stack.warehouse.behaviour.node = { id, _ in
            NSIncrementalStoreNode(objectID: id, withValues: ["weight": 5, "title": NSNull()], version: 1)
        }
        let book = try stack.context.existingObject(with: id)
        #expect(book.value(forKey: "title") == nil && book.value(forKey: "pages") == nil)
    }

    @Test("Relationships that lead to what can't be there")
    func wrongDestinations() throws {
        let author = try stack.context.existingObject(with: stack.store.id(.init("Author", 1)))
        let wrong: [Any] = [5, "text", ["text"], [other.store.id(.init("Book", 11))], [author.objectID]]
        for value in wrong {
            stack.warehouse.behaviour.value = { _, _, _ in value }
            expectComplaint(about: "Author.books") { try author.fulfillFault(forRelationshipNamed: "books") }
        }
        // A property can't throw: it is empty, and nothing can be saved that was worked out from it.
        #expect(author.members("books").isEmpty)
        author.setValue("Changed", forKey: "name")
        expectComplaint(about: "Author.books") { try stack.context.save() }
        stack.context.rollback()
        stack.warehouse.behaviour.value = nil
        #expect(author.members("books").count == 2)
    }

    @Test("A deletion whose rules need what can't be read is saved once it can be, and forgotten once it is taken back")
    func unreadableDeletion() throws {
        let context = stack.context
        stack.warehouse.add("Author", 2, ["name": "Jane"], ["books": [.init("Book", 13)]])
        stack.warehouse.add("Book", 13, ["title": "Emma", "pages": 474], ["author": [.init("Author", 2)]])
        let ursula = try context.existingObject(with: stack.store.id(.init("Author", 1)))
        let jane = try context.existingObject(with: stack.store.id(.init("Author", 2)))
        context.undoManager = UndoManager()

        setReachable(false)
        context.delete(ursula)
        context.processPendingChanges()
        for _ in 0..<2 { expectUnreadableBooks { try context.save() } }
        #expect(ursula.isDeleted)
        context.undo()
        setReachable(true)
        ursula.setValue("Ursula K.", forKey: "name")
        try context.save()
        #expect(ursula.members("books").count == 2)

        setReachable(false)
        context.delete(jane)
        context.processPendingChanges()
        expectUnreadableBooks { try context.save() }
        setReachable(true)
        try context.save()
        #expect(try context.all("Author") == [ursula])
        let emma = try context.existingObject(with: stack.store.id(.init("Book", 13)))
        #expect(emma.value(forKey: "author") == nil)
    }

    private func expectUnreadableBooks(_ body: () throws -> Void) {
        let error = #expect(throws: NSError.self, performing: body)
        #expect(error?.localizedDescription.contains("the relationship 'books' of") == true)
        #expect(error?.userInfo[NSUnderlyingErrorKey] != nil)
    }

    private func setReachable(_ isReachable: Bool) {
        stack.warehouse.behaviour.value = isReachable ? nil : { _, _, _ in throw WarehouseStore.Failure() }
    }

    @Test("Permanent IDs that can't be those of new objects")
    func wrongPermanentIDs() throws {
        let context = stack.context
        context.make("Book", ["title": "A"])
        context.make("Book", ["title": "B"])
        let foreign = other.store.id(.init("Book", 7))
        let wrong: [(([NSManagedObject], WarehouseStore) -> [NSManagedObjectID], String)] = [
            ({ _, _ in [] }, "0 permanent IDs for 2"),
            ({ objects, _ in objects.map(\.objectID) }, "temporary"),
            ({ objects, _ in objects.map { _ in foreign } }, "another store"),
            ({ objects, store in objects.map { _ in store.id(.init("Author", 5)) } }, "entity Author"),
            ({ objects, store in objects.map { _ in store.id(.init("AudioBook", 5)) } }, "entity AudioBook"),
            ({ objects, store in objects.map { _ in store.id(.init("Book", 5)) } }, "two new objects"),
        ]
        for (answer, text) in wrong {
            stack.warehouse.behaviour.permanentIDs = answer
            expectComplaint(about: text) { try context.save() }
            #expect(context.insertedObjects.allSatisfy { $0.objectID.isTemporaryID })
        }
        stack.warehouse.behaviour.permanentIDs = nil
        try context.save()
        #expect(stack.warehouse.records.count == 6)
    }

    @Test("Conflicts of objects that aren't saved")
    func wrongConflicts() throws {
        let books = try stack.context.all("Book", sort: "title")
        books[0].setValue("Changed", forKey: "title")
        stack.warehouse.behaviour.execute = { request, _, _ in
            guard request is NSSaveChangesRequest else { return nil }
            let conflict = NSMergeConflict(
                source: books[1], newVersion: 2, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
            throw CocoaError(.managedObjectMerge, userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
        }
        expectComplaint(about: "isn't being saved") { try stack.context.save() }
    }
}
