import CoreData
import Foundation
import Testing
import WebStore

@MainActor @Suite("WebStore: an incremental store over a web service")
struct WebStoreTests {
    private let stack: WebStack
    private var service: LibraryService { stack.service }

    init() throws {
        stack = try WebStack()
        try stack.addBooks()
    }

    @Test("A save is two requests, however many objects it has")
    func requestsOfSave() throws {
        let fresh = try WebStack()
        #expect(fresh.service.takeRequests() == ["GET metadata"])
        var authors: [NSManagedObject] = []
        for number in 0..<30 {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: fresh.context)
            author.setValue("Author \(number)", forKey: "name")
            authors.append(author)
        }
        try fresh.context.save()
        #expect(fresh.service.takeRequests() == ["POST identifiers", "POST changes", "PUT metadata"])
        for author in authors { author.setValue("Anonymous", forKey: "name") }
        try fresh.context.save()
        #expect(fresh.service.takeRequests() == ["POST changes"])
    }

    @Test("Fetched objects bring their values: no fault goes over the wire")
    func requestsOfFetch() throws {
        let books = try stack.all("Book", "pages > 100")
        #expect(books.count == 20 && books.allSatisfy { $0.isFault })
        #expect(books.map { $0.text("title") }.contains("Jane 20"))
        #expect(service.takeRequests() == ["GET records"])
    }

    @Test(
        "40 books and their authors: one request where the fetch says that authors are wanted, at most one an author else"
    )
    func noRequestPerBook() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.relationshipKeyPathsForPrefetching = ["author"]
        let books = try stack.context.fetch(request)
        #expect(
            Set(books.map { ($0.value(forKey: "author") as? NSManagedObject)?.text("name") }) == ["Ursula", "Jane"])
        #expect(service.takeRequests() == ["GET records with author"])

        stack.context.reset()
        let again = try stack.all("Book")
        #expect(
            Set(again.map { ($0.value(forKey: "author") as? NSManagedObject)?.text("name") }) == ["Ursula", "Jane"])
        #expect(service.takeRequests().count <= 3)
    }

    @Test("A relationship is one request, and brings the values of its objects")
    func requestsOfRelationship() throws {
        let authors = try stack.all("Author", sort: "name")
        let titles = authors.map { author in
            (author.value(forKey: "books") as? Set<NSManagedObject> ?? []).compactMap { $0.text("title") }.count
        }
        #expect(titles == [20, 20])
        let requests = service.takeRequests()
        #expect(requests.count == 3 && requests[0] == "GET records")
        #expect(requests.dropFirst().allSatisfy { $0.hasSuffix("/books") })

        let other = stack.otherContext()
        let theirs = try other.existingObject(with: authors[0].objectID)
        #expect((theirs.value(forKey: "books") as? Set<NSManagedObject>)?.count == 20)
        #expect(service.takeRequests() == [])
    }

    @Test("A predicate over related objects reads them in one request")
    func requestsOfPredicate() throws {
        #expect(try stack.all("Book", "author.name == 'Jane'").count == 20)
        #expect(service.takeRequests() == ["GET records", "GET records"])
    }

    @Test("Limits go to the service where it can see to them")
    func limits() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.fetchLimit = 5
        request.fetchOffset = 3
        #expect(try stack.context.fetch(request).map { $0.text("title") }.count == 5)
        request.predicate = NSPredicate(format: "title BEGINSWITH 'Jane'")
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
        #expect(try stack.context.fetch(request).first?.text("title") == "Jane 17")
        #expect(try stack.context.count(for: request) == 5)
    }

    @Test("What the service makes of a save is what the objects have")
    func serverValues() throws {
        let book = try #require(stack.all("Book", "title == 'Jane 1'").first)
        book.setValue("  Emma ", forKey: "title")
        try stack.context.save()
        #expect(book.text("title") == "Emma")
        #expect(!stack.context.hasChanges)
        book.setValue("Persuasion", forKey: "title")
        try stack.context.save()
        #expect(service.value("Book/\(reference(book))", "title") as? String == "Persuasion")
    }

    private func reference(_ object: NSManagedObject) -> String {
        String(object.objectID.uriRepresentation().lastPathComponent.dropFirst())
    }

    @Test("A stale ETag is a merge conflict with the service's values")
    func conflicts() throws {
        let book = try #require(stack.all("Book", "title == 'Jane 1'").first)
        let path = "Book/\(reference(book))"
        book.setValue("Mine", forKey: "title")
        service.change(path, ["title": "Theirs", "copies": 9])
        _ = service.takeRequests()
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(list?.first?.persistedSnapshot?["title"] as? String == "Theirs")
        #expect(service.takeRequests() == ["POST changes"])
        #expect(service.value(path, "title") as? String == "Theirs")

        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(service.takeRequests() == ["POST changes", "POST changes"])
        #expect(service.value(path, "title") as? String == "Mine")
        #expect(service.value(path, "copies") as? Int == 9)
        #expect(book.value(forKey: "copies") as? Int == 9)
    }

    @Test("An object that the service has lost")
    func deletedElsewhere() throws {
        let book = try #require(stack.all("Book", "title == 'Jane 1'").first)
        book.setValue("Mine", forKey: "title")
        service.remove("Book/\(reference(book))")
        stack.context.mergePolicy = NSMergePolicy.rollback
        try stack.context.save()
        #expect(!stack.context.hasChanges && book.managedObjectContext == nil)
        let id = book.objectID
        let error = #expect(throws: NSError.self) { try stack.otherContext().existingObject(with: id) }
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
    }

    @Test("An error of the service is an error that names the request, and nothing is lost")
    func serverErrors() throws {
        let book = try #require(stack.all("Book").first)
        book.setValue("Mine", forKey: "title")
        for response in [
            LoopbackServer.Response(status: 503, body: Data("out of order".utf8)),
            LoopbackServer.Response(status: 200, body: Data("no JSON".utf8)),
            LoopbackServer.Response(status: 200, body: Data(#"{"records": [5]}"#.utf8)),
            LoopbackServer.Response(
                status: 200, body: Data(#"{"records": [{"path": "Cat/1", "etag": "", "values": {}}]}"#.utf8)),
        ] {
            service.answerAlways(response)
            let error = #expect(throws: (any Error).self) { try stack.context.save() }
            #expect(error?.localizedDescription.contains("127.0.0.1") == true)
            #expect(throws: (any Error).self) { try stack.all("Author", sort: "name") }
            #expect(book.text("title") == "Mine" && book.isUpdated)
        }
        service.answerAlways(nil)
        try stack.context.save()
        #expect(service.value("Book/\(reference(book))", "title") as? String == "Mine")
    }

    @Test("A service that takes too long is a timeout; one that isn't there is an error")
    func timeouts() throws {
        service.answerAlways(LoopbackServer.Response(isWithheld: true))
        let unopened = #expect(throws: NSError.self) {
            try WebStack(service, options: [WebStore.timeoutOption: 0.5])
        }
        #expect(unopened?.code == NSPersistentStoreTimeoutError)
        // Opened with the usual patience, as nobody knows how long that takes here.
        let store = try #require(stack.coordinator.persistentStores.first as? WebStore)
        #expect(store.timeout == 30)
        store.timeout = 0.5
        let error = #expect(throws: NSError.self) { try stack.all("Book") }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        service.answerAlways(nil)
        service.server.stop()
        store.timeout = 30
        let gone = #expect(throws: NSError.self) { try stack.all("Book") }
        #expect(gone?.code == NSPersistentStoreOperationError)
        #expect(throws: NSError.self) { try WebStack(service) }
    }

    @Test("Changes whose answer was lost are applied once when they are saved again")
    func lostAnswer() throws {
        let store = try #require(stack.coordinator.persistentStores.first as? WebStore)
        let before = try stack.all("Author", sort: "name").count
        let book = try #require(stack.all("Book", "title == 'Jane 1'").first)
        NSEntityDescription.insertNewObject(forEntityName: "Author", into: stack.context)
            .setValue("Once", forKey: "name")
        book.setValue("Changed", forKey: "title")
        // Long enough for the server to have taken the request, however much else the machine does.
        store.timeout = 5
        service.loseNextAnswer()
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        #expect(stack.context.hasChanges)
        store.timeout = 30
        try stack.context.save()
        #expect(try WebStack(service).all("Author", sort: "name").count == before + 1)
        #expect(service.value("Book/\(reference(book))", "title") as? String == "Changed")
    }

    @Test("The tests' server leaves no thread behind, not even one that waits for a client")
    func threads() throws {
        service.answerAlways(LoopbackServer.Response(isWithheld: true))
        let store = try #require(stack.coordinator.persistentStores.first as? WebStore)
        store.timeout = 0.1
        #expect(throws: NSError.self) { try stack.all("Book") }
        #expect(service.server.threadCount >= 1)
        service.server.stop()
        #expect(service.server.threadCount == 0)
    }

    @Test("The store is the same for every client: its UUID is the service's")
    func metadata() throws {
        try stack.context.save()
        let again = try WebStack(service)
        #expect(again.coordinator.persistentStores[0].identifier == stack.coordinator.persistentStores[0].identifier)
        let uri = try #require(stack.all("Book").first).objectID.uriRepresentation()
        let id = try #require(again.coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(try again.context.existingObject(with: id).text("title") == "Jane 1")
    }
}
