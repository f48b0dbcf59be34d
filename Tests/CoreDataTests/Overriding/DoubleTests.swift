import CoreData
import Foundation
import Testing

/// Subclasses as tests of programs have them: what they override is what happens.
@Suite("Doubles that programs' tests make of the framework's classes")
struct DoubleTests {
    private static func stack<Context: NSManagedObjectContext>(_ type: Context.Type) throws -> (
        Context, NSEntityDescription
    ) {
        let name = NSAttributeDescription()
        name.name = "name"
        name.type = .string
        name.isOptional = true
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = unsafeDowncast(
            ContextMaker.make(type), to: Context.self)
        context.persistentStoreCoordinator = coordinator
        return (context, entity)
    }

    private final class FailingContext: NSManagedObjectContext, @unchecked Sendable {
        struct Refusal: Error {}
        var asked: [String] = []

        override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
            asked.append("fetch \(request.entityName ?? "")")
            throw Refusal()
        }
        override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int { 42 }
        override func save() throws { throw Refusal() }
        override func performAndWait(_ block: () -> Void) {
            asked.append("performAndWait")
            super.performAndWait(block)
        }
        override func perform(_ block: @escaping () -> Void) {
            asked.append("perform")
            super.perform(block)
        }
    }

    private enum ContextMaker {
        static func make(_ type: NSManagedObjectContext.Type) -> NSManagedObjectContext {
            type == FailingContext.self
                ? FailingContext(concurrencyType: .privateQueueConcurrencyType)
                : PassingContext(concurrencyType: .privateQueueConcurrencyType)
        }
    }

    private final class PassingContext: NSManagedObjectContext, @unchecked Sendable {
        var fetches = 0
        override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
            fetches += 1
            return try super.fetch(request)
        }
    }

    @Test("A typed fetch and a typed count go by way of the overridden methods")
    func typedRequestsAskTheDouble() throws {
        let (context, _) = try Self.stack(FailingContext.self)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        #expect(throws: FailingContext.Refusal.self) { try context.fetch(request) }
        #expect(try context.count(for: request) == 42)
        #expect(context.asked == ["fetch Thing"])
    }

    @Test("An overridden fetch that calls super gives typed objects")
    func superGivesTypedObjects() throws {
        let (context, entity) = try Self.stack(PassingContext.self)
        try context.performAndWait {
            _ = NSManagedObject(entity: entity, insertInto: context)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            #expect(try context.fetch(request).count == 1)
            let results: [NSManagedObject] = try request.execute()
            #expect(results.count == 1)
            #expect(context.fetches == 2)
        }
    }

    @Test("A results controller fetches by way of the overridden method")
    func resultsControllersAskTheDouble() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        func controller(_ context: NSManagedObjectContext) -> NSFetchedResultsController<NSManagedObject> {
            NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        }
        let (failing, _) = try Self.stack(FailingContext.self)
        #expect(throws: FailingContext.Refusal.self) { try controller(failing).performFetch() }
        let (passing, entity) = try Self.stack(PassingContext.self)
        try passing.performAndWait {
            _ = NSManagedObject(entity: entity, insertInto: passing)
            let results = controller(passing)
            try results.performFetch()
            #expect(results.fetchedObjects?.count == 1)
            #expect(passing.fetches == 1)
        }
    }

    @Test("A block that returns or throws goes by way of the overridden performAndWait")
    func resultsOfBlocksPassTheDouble() throws {
        let (context, _) = try Self.stack(FailingContext.self)
        #expect(context.performAndWait { 7 } == 7)
        #expect(throws: FailingContext.Refusal.self) {
            try context.performAndWait { () throws -> Int in throw FailingContext.Refusal() }
        }
        #expect(context.asked == ["performAndWait", "performAndWait"])
    }

    @Test("An asynchronous block goes by way of the overridden perform")
    func asynchronousBlocksPassTheDouble() async throws {
        let (context, _) = try Self.stack(FailingContext.self)
        #expect(await context.perform(schedule: .enqueued) { 7 } == 7)
        #expect(context.asked == ["perform"])
    }

    private final class StoredID: NSManagedObjectID, @unchecked Sendable {
        override var isTemporaryID: Bool { false }
    }
    private final class EmptyResults: NSFetchedResultsController<NSManagedObject> {
        override var fetchedObjects: [NSManagedObject]? { [] }
        override func performFetch() throws {}
    }
    private final class FakeDeletion: NSBatchDeleteResult {
        override var result: Any? { [NSManagedObjectID]() }
    }
    private final class FakeTransaction: NSPersistentHistoryTransaction {
        override var author: String? { "somebody" }
    }

    @Test("Objects of the framework's own making can be made with init() for doubles")
    func doublesAreMadeWithoutAStack() throws {
        #expect(!StoredID().isTemporaryID)
        #expect(NSManagedObjectID().isTemporaryID)
        #expect(NSManagedObjectID() != NSManagedObjectID())
        #expect(NSManagedObjectID().uriRepresentation().scheme == "x-coredata")
        let controller = EmptyResults()
        try controller.performFetch()
        #expect(controller.fetchedObjects?.isEmpty == true)
        #expect(NSFetchedResultsController<NSManagedObject>().fetchedObjects == nil)
        #expect((FakeDeletion().result as? [NSManagedObjectID])?.isEmpty == true)
        #expect(FakeTransaction().author == "somebody")
        #expect(NSPersistentHistoryResult().result == nil)
        #expect(NSAsynchronousFetchResult<NSManagedObject>().finalResult == nil)
        #expect(NSSaveChangesRequest().insertedObjects == nil)
    }

    private final class OtherContainer: NSPersistentContainer, @unchecked Sendable {
        private let other = NSManagedObjectContext(.mainQueue)
        override var viewContext: NSManagedObjectContext { other }
    }

    @Test("A container may hand out another view context")
    func containersHandOutAnotherContext() {
        let container = OtherContainer(name: "Other", managedObjectModel: NSManagedObjectModel())
        #expect(container.viewContext.persistentStoreCoordinator == nil)
    }
}
