import CoreData
import Foundation
import Testing

/// Notes what it is asked, and fails when it is told to.
private final class SpyingCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    struct Refusal: Error {}
    var asked: [NSPersistentStoreRequestType] = []
    var fails = false
    var answer: Any?
    var leavesOutSaves = false

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        asked.append(request.requestType)
        if fails { throw Refusal() }
        if let answer { return answer }
        if leavesOutSaves, request is NSSaveChangesRequest { return [Any]() }
        return try super.execute(request, with: context)
    }
}

@Suite("A coordinator of a program's own class executes what contexts ask for")
@MainActor
struct CoordinatorDoubleTests {
    private let coordinator: SpyingCoordinator
    private let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    private let folder: TemporaryFolder
    private let things = NSFetchRequest<NSManagedObject>(entityName: "Author")

    init() throws {
        folder = try TemporaryFolder()
        coordinator = SpyingCoordinator(managedObjectModel: Shelves.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("Store"))
        context.persistentStoreCoordinator = coordinator
    }

    @Test("Saves, fetches, counts and batches go through it, unsaved changes and all, each once")
    func asks() throws {
        context.make("Author", ["name": "A"])
        try context.save()
        #expect(coordinator.asked == [.saveRequestType])
        context.make("Author", ["name": "B"])
        coordinator.asked = []
        #expect(try context.fetch(things).count == 2)
        #expect(try context.count(for: things) == 2)
        #expect(coordinator.asked == [.fetchRequestType, .fetchRequestType])
        try context.save()
        coordinator.asked = []
        let deletion = NSBatchDeleteRequest(
            fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Author"))
        deletion.resultType = .resultTypeCount
        #expect((try context.execute(deletion) as? NSBatchDeleteResult)?.result as? Int == 2)
        #expect(coordinator.asked == [.batchDeleteRequestType])
        things.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: things, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        coordinator.asked = []
        try controller.performFetch()
        #expect(coordinator.asked == [.fetchRequestType])
    }

    @Test("What it throws is what the context throws, and the changes stay")
    func fails() throws {
        let author = context.make("Author", ["name": "A"])
        coordinator.fails = true
        #expect(throws: SpyingCoordinator.Refusal.self) { try context.save() }
        #expect(throws: SpyingCoordinator.Refusal.self) { try context.fetch(things) }
        #expect(throws: SpyingCoordinator.Refusal.self) { try context.count(for: things) }
        #expect(context.insertedObjects == [author] && author.objectID.isTemporaryID)
        coordinator.fails = false
        try context.save()
        #expect(!context.hasChanges && !author.objectID.isTemporaryID)
        #expect(try context.count(for: things) == 1)
    }

    @Test("Its own answer counts; an answer that is none, and a save that isn't passed on, are errors")
    func answers() throws {
        coordinator.answer = [NSManagedObject]()
        #expect(try context.fetch(things).isEmpty)
        coordinator.answer = "nothing"
        #expect(throws: NSError.self) { try context.fetch(things) }
        coordinator.answer = nil
        context.make("Author", ["name": "A"])
        coordinator.leavesOutSaves = true
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.localizedDescription.contains("inherited method") == true)
        #expect(context.hasChanges)
    }
}
