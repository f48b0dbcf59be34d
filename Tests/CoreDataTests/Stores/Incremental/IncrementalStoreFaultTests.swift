import CoreData
import Foundation
import Testing

@Suite("Faults of an incremental store")
struct IncrementalStoreFaultTests {
    @Test("Values are asked for when the fault is fired, and once")
    func values() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let books = try stack.context.all("Book", sort: "title")
        #expect(stack.warehouse.takeLog() == ["fetch objects of Book"])
        #expect(books.allSatisfy { $0.isFault })
        #expect(books.map { $0.text("title") } == ["Emma", "Rocannon", "Tehanu"])
        #expect(stack.warehouse.takeLog() == ["newValues Book/13", "newValues Book/12", "newValues Book/11"])
        #expect(books[0].value(forKey: "pages") as? Int == 474)
        #expect(stack.warehouse.takeLog() == [])
    }

    @Test("The row cache answers a second context while the first has the object")
    func rowCache() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let book = stack.object(.init("Book", 11))
        #expect(book.text("title") == "Tehanu")
        _ = stack.warehouse.takeLog()
        let other = stack.otherContext()
        #expect(other.object(with: book.objectID).text("title") == "Tehanu")
        #expect(stack.warehouse.takeLog() == [])
    }

    @Test("Relationships that a node leaves out are asked for when they are needed, once for the row")
    func relationships() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let book = stack.object(.init("Book", 11))
        #expect(book.text("title") == "Tehanu")
        _ = stack.warehouse.takeLog()
        let author = try #require(book.value(forKey: "author") as? NSManagedObject)
        #expect(stack.warehouse.takeLog() == ["newValue Book/11.author"])
        #expect(author.isFault)
        #expect(author.titles("books") == ["Tehanu", "Rocannon"])
        #expect(stack.warehouse.takeLog() == ["newValues Author/1", "newValue Author/1.books", "newValues Book/12"])
        #expect(author.members("books").count == 2 && book.value(forKey: "author") as? NSManagedObject === author)
        let other = stack.otherContext()
        let theirs = other.object(with: author.objectID)
        #expect(theirs.titles("books") == ["Tehanu", "Rocannon"])
        #expect(stack.warehouse.takeLog() == [])
    }

    @Test("Relationships in the node are taken from it")
    func givenRelationships() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        stack.warehouse.behaviour.givesRelationships = true
        let author = stack.object(.init("Author", 1))
        #expect(author.members("books").count == 2)
        #expect(stack.warehouse.takeLog() == ["newValues Author/1"])
        let emma = stack.object(.init("Book", 13))
        #expect(emma.value(forKey: "author") == nil)
        #expect(stack.warehouse.takeLog() == ["newValues Book/13"])
    }

    @Test("A to-one that was never read stays unread through a save")
    func unreadToOne() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let book = stack.object(.init("Book", 11))
        book.setValue(1, forKey: "pages")
        let saved = book.committedValues(forKeys: ["title"])
        #expect(saved["title"] as? String == "Tehanu")
        stack.warehouse.behaviour.execute = { request, _, _ in request is NSSaveChangesRequest ? [Any]() : nil }
        try stack.context.save()
        _ = stack.warehouse.takeLog()
        #expect((book.value(forKey: "author") as? NSManagedObject)?.text("name") == "Ursula")
        #expect(stack.warehouse.takeLog() == ["newValue Book/11.author", "newValues Author/1"])
        book.setValue(nil, forKey: "author")
        #expect(book.changedValues()["author"] is NSNull)
        #expect((book.committedValues(forKeys: ["author"])["author"] as? NSManagedObject)?.text("name") == "Ursula")
    }

    @Test("A refreshed object is read anew")
    func refreshing() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let book = stack.object(.init("Book", 11))
        #expect(book.text("title") == "Tehanu")
        stack.warehouse.records[.init("Book", 11)]?.values["title"] = "Changed"
        stack.warehouse.records[.init("Book", 11)]?.version = 2
        _ = stack.warehouse.takeLog()
        stack.context.refresh(book, mergeChanges: false)
        #expect(book.text("title") == "Changed")
        #expect(stack.warehouse.takeLog() == ["newValues Book/11"])
        #expect(stack.store.version(of: book) == 2)
    }

    @Test("An object that the store doesn't have")
    func missing() throws {
        let stack = try WarehouseStack()
        let id = stack.store.newObjectID(for: try #require(stack.store.entity("Book")), referenceObject: 99)
        let error = #expect(throws: NSError.self) { try stack.context.existingObject(with: id) }
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        #expect(stack.context.object(with: id).value(forKey: "title") == nil)
    }

    @Test("Values given along with a fetch: no fault asks again")
    func givenAlong() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        stack.warehouse.behaviour.givesValues = true
        let books = try stack.context.all("Book", sort: "title")
        #expect(books.allSatisfy { $0.isFault })
        #expect(books.map { $0.text("title") } == ["Emma", "Rocannon", "Tehanu"])
        #expect(stack.warehouse.takeLog() == ["fetch objects of Book"])
    }

    @Test("Values of other objects given along last as long as those of the answer")
    func companions() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        stack.warehouse.behaviour.givesRelationships = true
        stack.warehouse.behaviour.execute = { request, store, context in
            guard let fetch = request as? AnyFetchRequest else { return nil }
            let books = (11...13).map { store.node(store.id(.init("Book", $0))) }
            store.addToRowCache([store.node(store.id(.init("Author", 1)))])
            return try store.evaluate(fetch, over: books, with: context)
        }
        let books = try stack.context.all("Book", "pages < 300", sort: "title")
        #expect(books.map { ($0.value(forKey: "author") as? NSManagedObject)?.text("name") } == ["Ursula", "Ursula"])
        #expect(stack.warehouse.takeLog() == ["fetch objects of Book"])
    }

    @Test("Values given along with a relationship")
    func givenWithRelationship() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        stack.warehouse.behaviour.value = { relationship, id, store in
            guard relationship.name == "books" else { return nil }
            let nodes = [11, 12].map { store.node(store.id(.init("Book", $0))) }
            store.addToRowCache(nodes)
            return nodes.map(\.objectID)
        }
        let author = stack.object(.init("Author", 1))
        #expect(author.titles("books") == ["Tehanu", "Rocannon"])
        #expect(stack.warehouse.takeLog() == ["newValues Author/1", "newValue Author/1.books"])
    }

    @Test("The values that a save gives along are what the objects have then")
    func givenWithSave() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let book = stack.object(.init("Book", 11))
        book.setValue("  tehanu ", forKey: "title")
        stack.warehouse.behaviour.execute = { request, store, _ in
            guard request is NSSaveChangesRequest else { return nil }
            let id = store.id(.init("Book", 11))
            store.addToRowCache([
                NSIncrementalStoreNode(objectID: id, withValues: ["title": "Tehanu", "copies": 7], version: 40)
            ])
            return []
        }
        try stack.context.save()
        #expect(book.text("title") == "Tehanu" && book.value(forKey: "copies") as? Int == 7)
        #expect(stack.store.version(of: book) == 40)
        #expect(!stack.context.hasChanges)
        let other = stack.otherContext()
        _ = stack.warehouse.takeLog()
        #expect(other.object(with: book.objectID).text("title") == "Tehanu")
        #expect(stack.warehouse.takeLog() == [])
    }
}
