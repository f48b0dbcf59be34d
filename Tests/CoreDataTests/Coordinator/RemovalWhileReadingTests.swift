import CoreData
import Foundation
import Synchronization
import Testing

@Suite("A SQLite store that is removed while others read it")
struct RemovalWhileReadingTests {
    @Test("gives them an answer or an error")
    func reading() throws {
        for _ in 0..<10 {
            let folder = try TemporaryFolder()
            let stack = try AtomicStack(
                folder.url.appendingPathComponent("store.sqlite"), type: NSSQLiteStoreType,
                options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
            for number in 0..<20 { stack.context.make("Author", ["name": "\(number)"]) }
            try stack.context.save()
            let coordinator = stack.coordinator
            // It is only handed back to the coordinator, which may be called on any thread.
            nonisolated(unsafe) let store = stack.store
            let answers = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                if thread == 0 {
                    while answers.load(ordering: .relaxed) < 20 { usleep(100) }
                    let isRemoved = (try? coordinator.remove(store)) != nil
                    #expect(isRemoved)
                    return
                }
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                context.performAndWait {
                    for _ in 0..<200 {
                        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                        // Before the store goes all of them, afterwards none, and an error in between.
                        if let count = try? context.count(for: request) { #expect(count == 20 || count == 0) }
                        answers.add(1, ordering: .relaxed)
                    }
                }
            }
            #expect(coordinator.persistentStores.isEmpty)
        }
    }
}
