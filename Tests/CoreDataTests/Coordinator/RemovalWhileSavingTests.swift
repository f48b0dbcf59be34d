import CoreData
import Foundation
import Synchronization
import Testing

@Suite("A store that is removed while others save into it")
struct RemovalWhileSavingTests {
    @Test(
        "keeps all that it had, and each save is in the file or has failed",
        arguments: [NSXMLStoreType, NSBinaryStoreType, NSSQLiteStoreType])
    func saving(storeType: String) throws {
        for _ in 0..<25 {
            let folder = try TemporaryFolder()
            let url = folder.url.appendingPathComponent("store")
            let stack = try AtomicStack(url, type: storeType)
            for number in 0..<30 { stack.context.make("Author", ["name": "\(number)"]) }
            try stack.context.save()
            let coordinator = stack.coordinator
            // It is only handed back to the coordinator, which may be called on any thread.
            nonisolated(unsafe) let store = stack.store
            let saved = Mutex<Set<String>>([])
            let ready = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                if thread == 0 {
                    while ready.load(ordering: .relaxed) < 2 { usleep(50) }
                    let isRemoved = (try? coordinator.remove(store)) != nil
                    #expect(isRemoved)
                    return
                }
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                context.performAndWait {
                    for number in 0..<6 {
                        let name = "new \(thread) \(number)"
                        context.make("Author", ["name": name])
                        ready.add(1, ordering: .relaxed)
                        guard (try? context.save()) != nil else { return }
                        saved.withLock { _ = $0.insert(name) }
                    }
                }
            }
            let reopened = try AtomicStack(url, type: storeType)
            let names = try Set(reopened.context.all("Author").compactMap { $0.text("name") })
            let old = Set((0..<30).map { "\($0)" })
            #expect(names.isSuperset(of: old), "\(names.count) are left")
            #expect(names.subtracting(old) == saved.withLock { $0 })
            try reopened.close()
        }
    }
}
