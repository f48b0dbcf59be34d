import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Two that migrate one store at the same time")
struct MigrationRaceTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let options: [AnyHashable: Any] = [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Notes.sqlite")
    }

    /// Each version has one attribute more.
    private static func model(_ version: Int) -> NSManagedObjectModel {
        let note = NSEntityDescription()
        note.name = "Note"
        note.properties = (1...version).map { MigrationLibrary.attribute("value\($0)", .integer64AttributeType) }
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    private func makeStore(_ notes: Int, type: String = NSSQLiteStoreType) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(1))
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for number in 0..<notes {
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(
                    number, forKey: "value1")
            }
            try context.save()
        }
        try coordinator.remove(store)
    }

    private func count(_ model: NSManagedObjectModel, _ options: [AnyHashable: Any]?) throws -> Int {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let count = try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
        }
        try coordinator.remove(store)
        return count
    }

    private func reference(_ version: Int) -> NSManagedObjectModelReference {
        let model = Self.model(version)
        return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    @Test("Each stage runs once; who comes second waits, and finds the store migrated")
    func stages() throws {
        try makeStore(5)
        let calls = Mutex<[String]>([])
        let second = Thread.Completion()
        let started = DispatchSemaphore(value: 0)
        let errors = Mutex<[any Error]>([])
        func options(_ name: String, _ will: @escaping () -> Void) -> [AnyHashable: Any] {
            let stages = [(1, 2), (2, 3)].map { old, new in
                let stage = NSCustomMigrationStage(migratingFrom: reference(old), to: reference(new))
                stage.willMigrateHandler = { _, _ in
                    calls.withLock { $0.append("\(old)") }
                    will()
                }
                return stage
            }
            return self.options.merging(
                [NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages)]
            ) { $1 }
        }
        let first = options("first") {
            started.signal()
            Thread.sleep(forTimeInterval: 0.4)
        }
        let other = options("second") {}
        second.run {
            started.wait()
            do {
                #expect(try count(Self.model(3), other) == 5)
            } catch {
                errors.withLock { $0.append(error) }
            }
        }
        #expect(try count(Self.model(3), first) == 5)
        second.wait()
        #expect(errors.withLock { $0.map { "\($0)" } } == [])
        #expect(calls.withLock { $0 } == ["1", "2"])
    }

    @Test(
        "Processes that open a store by stages, and by a manager, all end with it migrated",
        arguments: ["staged", "manager", "place"])
    func processes(way: String) throws {
        for round in 0..<3 {
            let url = folder.url.appendingPathComponent("Library \(round).sqlite")
            let models = [try Library.model(), try MigrationLibrary.nextModel()]
            let files = ["Old", "New"].map { folder.url.appendingPathComponent("\($0) \(round).mom") }
            for (model, file) in zip(models, files) { try model.archivedData().write(to: file) }
            let stack = try StoreStack(url, model: models[0])
            for number in 0..<300 { stack.context.make("Author", ["name": "Author \(number)"]) }
            try stack.context.save()
            try stack.close()
            let children = try (0..<5).map { _ in
                try ChildProcess(["migrate", url.path, files[0].path, files[1].path, way], includesErrors: true)
            }
            for child in children {
                let (lines, endedWell) = child.finish(within: 120)
                #expect(endedWell, "\(way): \(lines)")
            }
            let migrated = try StoreStack(url, model: models[1])
            #expect(try migrated.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Writer")) == 300)
            try migrated.close()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix(".") } == [])
    }

    @Test("Who waits for another's migration longer than it may says so")
    func timeout() throws {
        try makeStore(1)
        let lock = folder.url.appendingPathComponent(".Notes.sqlite-migration.lock")
        try Data().write(to: lock)
        let descriptor = open(lock.path, O_RDONLY)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let error = #expect(throws: NSError.self) {
            _ = try count(Self.model(2), options.merging([NSPersistentStoreTimeoutOption: 0.3]) { $1 })
        }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        #expect(FileManager.default.fileExists(atPath: lock.path))
        close(descriptor)
        #expect(try count(Self.model(2), options) == 1)
        #expect(!FileManager.default.fileExists(atPath: lock.path))
    }
}

extension Thread {
    /// A thread that can be waited for.
    fileprivate final class Completion: Sendable {
        private let done = DispatchSemaphore(value: 0)

        func run(_ body: @escaping () -> Void) {
            let work = Work(body: body)
            Thread.detachNewThread {
                work.body()
                self.done.signal()
            }
        }

        func wait() { done.wait() }

        // Safe: it is handed to the one thread that runs it.
        private struct Work: @unchecked Sendable {
            let body: () -> Void
        }
    }
}
