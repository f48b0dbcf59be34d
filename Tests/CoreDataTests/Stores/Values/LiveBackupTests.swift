import CoreData
import Foundation
import Synchronization
import Testing

@Suite("A copy of a store that others save to meanwhile")
struct LiveBackupTests {
    private static let authors = 12

    private static func model() throws -> NSManagedObjectModel { try Library.model(withFiles: true) }

    private static func portrait(_ generation: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: generation), count: 120_000 + generation)
    }

    /// Gives all authors a name and a portrait of one generation after the other, each in one save.
    private static func write(_ context: NSManagedObjectContext, until ends: @Sendable () -> Bool) {
        context.performAndWait {
            var generation = 1
            while !ends() {
                // A fetch that fails leaves out one generation.
                for author in (try? context.all("Author")) ?? [] {
                    author.setValue("\(generation)", forKey: "name")
                    author.setValue(portrait(generation), forKey: "portrait")
                }
                // A copy that can't be had otherwise may have the lock for a moment.
                if (try? context.save()) == nil { context.rollback() }
                generation += 1
            }
        }
    }

    @Test("has the files that its rows name, and they are of the same save", arguments: [0.0, 0.03])
    func backups(pause: Double) throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.container.newBackgroundContext()
        try context.performAndWait {
            for _ in 0..<Self.authors { context.make("Author", ["name": "0", "portrait": Self.portrait(0)]) }
            try context.save()
        }
        let ends = Atomic(false)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            Self.write(context) {
                if pause > 0 { Thread.sleep(forTimeInterval: pause) }
                return ends.load(ordering: .relaxed)
            }
            ended.signal()
        }
        defer {
            ends.store(true, ordering: .relaxed)
            ended.wait()
        }
        // As another program would.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model())
        for round in 0..<12 {
            // A new place, and one that holds an older copy.
            let copy = stack.folder.appendingPathComponent("Copy\(round % 2 == 0 ? round : 1).sqlite")
            try coordinator.replacePersistentStore(
                at: copy, withPersistentStoreFrom: stack.storeURL, ofType: NSSQLiteStoreType)
            let read = try StoreStack(copy, model: Self.model())
            let found = try read.context.all("Author").map { author in
                (Int(author.text("name") ?? "") ?? -1, author.value(forKey: "portrait") as? Data)
            }
            #expect(found.count == Self.authors)
            for (generation, data) in found {
                #expect(generation == found[0].0 && data == Self.portrait(generation), "copy \(round)")
            }
            try read.close()
            let folder = copy.deletingLastPathComponent().appendingPathComponent(
                ".\(copy.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
            // No more than the save under way had as well.
            #expect(files >= Self.authors && files <= 3 * Self.authors)
        }
    }

    @Test("is made where a file is missing for good, and lacks that value alone")
    func missingFile() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        context.make("Author", ["name": "0", "portrait": Self.portrait(0)])
        context.make("Author", ["name": "1", "portrait": Self.portrait(1)])
        try context.save()
        let folder = stack.folder.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        let copy = stack.folder.appendingPathComponent("Copy.sqlite")
        try stack.container.persistentStoreCoordinator.replacePersistentStore(
            at: copy, withPersistentStoreFrom: stack.storeURL, ofType: NSSQLiteStoreType)
        let read = try StoreStack(copy, model: Self.model())
        #expect(try read.context.all("Author").count { $0.value(forKey: "portrait") == nil } == 1)
        try read.close()
    }
}
