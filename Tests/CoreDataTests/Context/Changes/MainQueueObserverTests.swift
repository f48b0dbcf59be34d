import CoreData
import Foundation
import Testing

@Suite("Observers that ask for the main queue")
struct MainQueueObserverTests {
    private static let name = Notification.Name("MainQueueObserverTests")

    @Test("are called at once by a post on the main queue, whichever thread serves it")
    func onMainQueue() async {
        await MainActor.run {
            let center = NotificationCenter()
            nonisolated(unsafe) var received = 0
            let token = center.addObserver(forName: Self.name, object: nil, queue: .main) { _ in received += 1 }
            center.post(name: Self.name, object: nil)
            #expect(received == 1)
            center.removeObserver(token)
            center.post(name: Self.name, object: nil)
            #expect(received == 1)
        }
    }

    @Test("are called on the main queue by a post from elsewhere, before that returns")
    func fromElsewhere() async {
        let center = NotificationCenter()
        nonisolated(unsafe) var received = 0
        let token = center.addObserver(forName: Self.name, object: nil, queue: .main) { _ in
            MainActor.assumeIsolated { received += 1 }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                center.post(name: Self.name, object: nil)
                continuation.resume()
            }
        }
        #expect(received == 1)
        center.removeObserver(token)
    }

    @Test("receive what a context of the main queue saves")
    @MainActor
    func saves() throws {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        let entity = NSEntityDescription()
        entity.name = "Note"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try context.persistentStoreCoordinator?.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        nonisolated(unsafe) var inserted = 0
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: .main
        ) { inserted += ($0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0 }
        defer { NotificationCenter.default.removeObserver(token) }
        _ = NSManagedObject(entity: entity, insertInto: context)
        try context.save()
        #expect(inserted == 1)
    }
}
