import CoreData
import Foundation
import Testing

@Suite("Fetch requests to an incremental store")
struct IncrementalStoreFetchTests {
    @Test("Every property of the guide's list is handed over, with the entity found")
    func properties() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.predicate = NSPredicate(format: "pages > 1")
        request.sortDescriptors = [NSSortDescriptor(key: "author", ascending: false)]
        request.fetchLimit = 7
        request.fetchOffset = 1
        request.fetchBatchSize = 3
        request.resultType = .dictionaryResultType
        request.includesSubentities = false
        request.returnsDistinctResults = true
        request.propertiesToFetch = ["author"]
        request.propertiesToGroupBy = ["author"]
        request.havingPredicate = NSPredicate(format: "count:(pages) > 0")
        request.shouldRefreshRefetchedObjects = true
        request.relationshipKeyPathsForPrefetching = ["author"]
        stack.warehouse.behaviour.execute = { request, store, _ in
            store.warehouse.lastFetch =
                (request as? NSFetchRequest<NSFetchRequestResult>)?.copy()
                as? NSFetchRequest<NSFetchRequestResult>
            return [[String: Any]]()
        }
        _ = try stack.context.fetch(request)
        let handed = try #require(stack.warehouse.lastFetch)
        #expect(handed.entity === stack.store.entity("Book"))
        #expect(handed.predicate == request.predicate && handed.sortDescriptors == request.sortDescriptors)
        #expect(handed.fetchLimit == 7 && handed.fetchOffset == 1 && handed.fetchBatchSize == 3)
        #expect(handed.resultType == .dictionaryResultType && !handed.includesSubentities)
        #expect(handed.returnsDistinctResults && handed.shouldRefreshRefetchedObjects)
        #expect(handed.propertiesToFetch as? [String] == ["author"])
        #expect(handed.propertiesToGroupBy as? [String] == ["author"])
        #expect(handed.havingPredicate == request.havingPredicate)
        #expect(handed.relationshipKeyPathsForPrefetching == ["author"])
    }

    @Test("Each result type is asked for as such")
    func resultTypes() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        ids.resultType = .managedObjectIDResultType
        ids.predicate = NSPredicate(format: "title BEGINSWITH 'T'")
        #expect(try stack.context.fetch(ids) == [stack.store.id(.init("Book", 11))])
        #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 3)
        let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Book")
        dictionaries.resultType = .dictionaryResultType
        dictionaries.propertiesToFetch = ["title"]
        dictionaries.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        #expect(try stack.context.fetch(dictionaries).map { $0["title"] as? String } == ["Rocannon", "Tehanu", "Emma"])
        #expect(
            stack.warehouse.takeLog() == ["fetch IDs of Book", "fetch count of Book", "fetch dictionaries of Book"])
    }

    @Test("A store may answer a count with a bare number")
    func bareCount() throws {
        let stack = try WarehouseStack()
        stack.warehouse.behaviour.execute = { _, _, _ in NSNumber(value: 5) }
        #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 5)
    }

    @Test("Unsaved changes count, without the store knowing them")
    func pendingChanges() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        stack.context.make("Book", ["title": "Zadig", "pages": 90])
        stack.context.delete(stack.object(.init("Book", 13)))
        #expect(
            try stack.context.all("Book", sort: "title").map { $0.text("title") } == ["Rocannon", "Tehanu", "Zadig"])
    }

    @Test("Objects that aren't to be faults come with their values, asked for all at once")
    func realized() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.returnsObjectsAsFaults = false
        let books = try stack.context.fetch(request)
        #expect(books.allSatisfy { !$0.isFault })
        _ = stack.warehouse.takeLog()
        #expect(Set(books.map { $0.text("title") }) == ["Tehanu", "Rocannon", "Emma"])
        #expect(stack.warehouse.takeLog() == [])
    }

    @Test("Refetched objects are refreshed where the request says so, whether or not values come along")
    func refreshed() throws {
        for givesValues in [false, true] {
            let stack = try WarehouseStack()
            stack.addBooks()
            stack.warehouse.behaviour.givesValues = givesValues
            let books = try stack.context.all("Book", sort: "title")
            #expect(books.map { $0.text("title") } == ["Emma", "Rocannon", "Tehanu"])
            books[1].setValue(1, forKey: "pages")
            for key in [11, 12, 13] { stack.warehouse.records[.init("Book", key)]?.values["copies"] = 9 }
            _ = try stack.context.all("Book")
            #expect(books.map { $0.value(forKey: "copies") as? Int } == [nil, nil, nil])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.shouldRefreshRefetchedObjects = true
            _ = try stack.context.fetch(request)
            #expect(books.map { $0.value(forKey: "copies") as? Int } == [9, nil, 9])
            #expect(books[1].value(forKey: "pages") as? Int == 1)
        }
    }

    @Test("A store takes part in requests of other types by answering them")
    func otherRequests() throws {
        let stack = try WarehouseStack()
        stack.warehouse.behaviour.execute = { request, _, _ in request is TidyRequest ? "tidied" : nil }
        _ = stack.warehouse.takeLog()
        let answers = try stack.coordinator.execute(TidyRequest(), with: stack.context)
        #expect(answers as? [String] == ["tidied"])
        let deletion = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Book"))
        let error = #expect(throws: NSError.self) { try stack.context.execute(deletion) }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        #expect(stack.warehouse.takeLog() == ["execute TidyRequest", "execute NSBatchDeleteRequest"])
    }

    private final class TidyRequest: NSPersistentStoreRequest {}

    @Test("A request that the store doesn't know is its error")
    func unknownRequest() throws {
        let stack = try WarehouseStack()
        stack.warehouse.behaviour.execute = { _, _, _ in throw CocoaError(.persistentStoreUnsupportedRequestType) }
        let error = #expect(throws: NSError.self) { try stack.context.all("Book") }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }
}
