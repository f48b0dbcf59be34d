import CoreData
import Foundation
import Testing

@Suite("Batch requests and kinds of store")
struct BatchStoreTests {
    @Test("stores that can't execute them say so", arguments: Library.storeTypes.filter { $0 != NSSQLiteStoreType })
    func unsupported(_ type: String) throws {
        let stack = try TemporaryStack(storeType: type)
        let context = stack.context()
        let requests: [NSPersistentStoreRequest] = [
            NSBatchInsertRequest(entityName: "Genre", objects: [["name": "x"]]),
            NSBatchUpdateRequest(entityName: "Genre"),
            NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Genre")),
            NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?),
        ]
        for request in requests {
            #expect(thrownCode { try context.execute(request) } == NSPersistentStoreUnsupportedRequestTypeError)
        }
    }

    @Test("a read-only store refuses them")
    func readOnly() throws {
        let stack = try TrackedStack()
        try stack.coordinator.remove(stack.store)
        let second = try AtomicStack(
            stack.url, type: NSSQLiteStoreType, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let update = NSBatchUpdateRequest(entityName: "Genre")
        update.propertiesToUpdate = ["shelf": 1]
        #expect(thrownCode { try second.context.execute(update) } == CocoaError.fileWriteNoPermission.rawValue)
        try second.coordinator.remove(second.store)
    }

    @Test("an incremental store gets the request, and its answer becomes the result")
    func incremental() throws {
        let model = try Library.model(for: NSInMemoryStoreType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        NSPersistentStoreCoordinator.registerStoreClass(AnsweringStore.self, forStoreType: AnsweringStore.storeType)
        let store = try coordinator.addPersistentStore(
            ofType: AnsweringStore.storeType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let update = NSBatchUpdateRequest(entityName: "Genre")
        update.resultType = .updatedObjectsCountResultType
        #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 42)
        let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Genre"))
        delete.resultType = .resultTypeObjectIDs
        #expect(thrownText { try context.execute(delete) }.contains("answered a NSBatchDeleteRequest with"))
        delete.affectedStores = []
        #expect(thrownCode { try context.execute(delete) } == NSPersistentStoreOperationError)
        #expect((store as? AnsweringStore)?.types == [.batchUpdateRequestType, .batchDeleteRequestType])
    }

    @Test("the coordinator executes fetches, saves and batch requests")
    func coordinator() throws {
        let stack = try TrackedStack()
        let genre = stack.context.make("Genre", ["name": "Gothic"])
        try stack.context.obtainPermanentIDs(for: [genre])
        let save = NSSaveChangesRequest(inserted: [genre], updated: nil, deleted: nil, locked: nil)
        #expect((try stack.coordinator.execute(save, with: stack.context) as? [Any])?.isEmpty == true)
        #expect(try stack.rows("SELECT ZNAME FROM ZGENRE") == [["Gothic"]])
        let reader = stack.anotherContext()
        let fetch = NSFetchRequest<NSManagedObject>(entityName: "Genre")
        reader.make("Genre", ["name": "Unsaved"])
        #expect((try stack.coordinator.execute(fetch, with: reader) as? [NSManagedObject])?.count == 1)
        fetch.resultType = .countResultType
        #expect(try stack.coordinator.execute(fetch, with: reader) as? [Int] == [1])
        let insert = NSBatchInsertRequest(entityName: "Genre", objects: [["name": "Satire"]])
        #expect((try stack.coordinator.execute(insert, with: reader) as? NSBatchInsertResult)?.result as? Bool == true)
    }
}

/// A store that answers every batch request with 42.
private final class AnsweringStore: NSIncrementalStore {
    static let storeType = "AnsweringStore"
    private(set) var types: [NSPersistentStoreRequestType] = []

    override var type: String { Self.storeType }

    override func loadMetadata() throws {
        metadata = [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: Self.storeType]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        types.append(request.requestType)
        return NSNumber(value: 42)
    }
}
