import CoreData
import Foundation
import Synchronization
import Testing

/// A store whose answers wait until they are let go, and that counts how many are being given at once.
private final class SlowStore: NSIncrementalStore, @unchecked Sendable {
    static let typeName = "CoordinatorLockTests.SlowStore"
    let gate = DispatchSemaphore(value: 0)
    let waits = Mutex(false)
    let begun = DispatchSemaphore(value: 0)
    let counts = Mutex<(now: Int, most: Int)>((0, 0))

    override var type: String { Self.typeName }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: Self.typeName, NSStoreUUIDKey: UUID().uuidString]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        defer { counts.withLock { $0.now -= 1 } }
        if waits.withLock({ $0 }) {
            begun.signal()
            gate.wait()
        }
        return [Any]()
    }
}

@Suite("The coordinator's locks")
struct CoordinatorLockTests {
    private let folder: TemporaryFolder
    private let coordinator: NSPersistentStoreCoordinator

    init() throws {
        folder = try TemporaryFolder()
        NSPersistentStoreCoordinator.registerStoreClass(SlowStore.self, forStoreType: SlowStore.typeName)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model())
    }

    private static func model() throws -> NSManagedObjectModel {
        // The suite has stores of several types.
        let model = try Library.model(for: NSInMemoryStoreType)
        model.setEntities(model.entities.filter { $0.name == "Genre" }, forConfigurationName: "Slow")
        model.setEntities(model.entities.filter { $0.name != "Genre" }, forConfigurationName: "Fast")
        return model
    }

    private func place(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Whether something is done in time on another thread.
    private func isDone(_ work: @escaping @Sendable () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            work()
            done.signal()
        }
        return done.wait(timeout: .now() + 20) == .success
    }

    @Test("are free while observers are told that stores come and go")
    func observers() throws {
        let coordinator = coordinator
        let names: [Notification.Name] = [
            .NSPersistentStoreCoordinatorStoresDidChange, .NSPersistentStoreCoordinatorWillRemoveStore,
        ]
        let free = Mutex<[Bool]>([])
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                // What will remove a store is posted by the store.
                let poster = note.object as? NSPersistentStore
                guard note.object as AnyObject? === coordinator || poster?.persistentStoreCoordinator === coordinator
                else {
                    return
                }
                // Another thread gets the stores to itself meanwhile.
                let isFree = Mutex(false)
                let done = DispatchSemaphore(value: 0)
                let free2 = Box()
                Thread.detachNewThread {
                    coordinator.performAndWait {}
                    free2.isSet = true
                    done.signal()
                }
                _ = done.wait(timeout: .now() + 20)
                isFree.withLock { $0 = free2.isSet }
                free.withLock { $0.append(isFree.withLock { $0 }) }
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "Fast", at: place("a"))
        let moved = try coordinator.migratePersistentStore(store, to: place("b"), withType: NSBinaryStoreType)
        try coordinator.remove(moved)
        // Added; about to go and exchanged; about to go and gone.
        #expect(free.withLock { $0 } == Array(repeating: true, count: 5))
    }

    private final class Box: @unchecked Sendable {
        var isSet = false
    }

    @Test("let a store be removed from inside the notification of its changes")
    func watcher() throws {
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: place("watched"),
            options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
        let (coordinator, box) = (coordinator, StoreBox(store))
        let told = DispatchSemaphore(value: 0)
        let removed = DispatchSemaphore(value: 0)
        let once = Mutex(false)
        let waited = Mutex(false)
        let token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { _ in
            let isFirst = once.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
            guard isFirst else { return }
            // Somebody else removes the store while this observer waits for it.
            Thread.detachNewThread {
                try? coordinator.remove(box.value)
                removed.signal()
            }
            let isRemoved = removed.wait(timeout: .now() + 20) == .success
            waited.withLock { $0 = isRemoved }
            told.signal()
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let context = context()
        context.make("Author", ["name": "A"])
        try context.save()
        #expect(told.wait(timeout: .now() + 40) == .success)
        #expect(waited.withLock { $0 }, "the removal has waited for the observer")
        #expect(coordinator.persistentStores.isEmpty)
    }

    private struct StoreBox: @unchecked Sendable {
        let value: NSPersistentStore
        init(_ value: NSPersistentStore) { self.value = value }
    }

    @Test(
        "A slow store doesn't keep others from being read, saved, added and removed, and is asked one thing at a time")
    func slowStore() throws {
        let slow = try #require(
            try coordinator.addPersistentStore(
                ofType: SlowStore.typeName, configurationName: "Slow", at: place("slow")) as? SlowStore)
        try coordinator.addPersistentStore(ofType: NSXMLStoreType, configurationName: "Fast", at: place("fast.xml"))
        // A new store's metadata go to it with the first save.
        try context().save()
        slow.waits.withLock { $0 = true }
        let contexts = (0..<3).map { _ in context() }
        let answered = DispatchSemaphore(value: 0)
        for context in contexts {
            Thread.detachNewThread {
                context.performAndWait {
                    _ = try? context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Genre"))
                }
                answered.signal()
            }
        }
        #expect(slow.begun.wait(timeout: .now() + 20) == .success)
        let (coordinator, other, place) = (coordinator, context(), place("third.xml"))
        #expect(
            isDone {
                other.performAndWait {
                    other.make("Author", ["name": "A"])
                    try? other.save()
                    _ = try? other.all("Author")
                }
                let third = try? coordinator.addPersistentStore(
                    ofType: NSXMLStoreType, configurationName: "Fast", at: place)
                if let third { try? coordinator.remove(third) }
            })
        #expect(other.performAndWait { !other.hasChanges })
        slow.waits.withLock { $0 = false }
        for _ in contexts { slow.gate.signal() }
        for _ in contexts { #expect(answered.wait(timeout: .now() + 20) == .success) }
        #expect(slow.counts.withLock { $0.most } == 1)
    }
}
