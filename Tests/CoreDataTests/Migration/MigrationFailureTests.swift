import CoreData
import Foundation
import Testing

/// Throws at one of its hooks.
final class FailingPolicy: NSEntityMigrationPolicy {
    struct Failure: Error, Equatable {
        let hook: String
    }

    static let hooks = ["begin", "create", "end creation", "relate", "end relations", "validate", "end"]

    private func fail(_ hook: String, _ manager: NSMigrationManager, _ mapping: NSEntityMapping) throws {
        if mapping.userInfo?["fails"] as? String == hook { throw Failure(hook: hook) }
        if mapping.userInfo?["cancels"] as? String == hook {
            manager.cancelMigrationWithError(CocoaError(.migrationCancelled))
        }
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        try fail("begin", manager, mapping)
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        try fail("create", manager, mapping)
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try fail("end creation", manager, mapping)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
        try fail("relate", manager, mapping)
    }

    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try fail("end relations", manager, mapping)
    }

    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try fail("validate", manager, mapping)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try fail("end", manager, mapping)
    }
}

@Suite("A migration that fails")
struct MigrationFailureTests {
    private let folder: TemporaryFolder
    private let old: NSManagedObjectModel
    private let new: NSManagedObjectModel
    private var url: URL { folder.url.appendingPathComponent("Library.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        old = try Library.model(withFiles: true)
        new = try MigrationLibrary.nextModel()
        new.entitiesByName["Writer"]?.attributesByName["portrait"]?.allowsExternalBinaryDataStorage = true
        NSEntityMigrationPolicy.register(FailingPolicy.self, forName: "Test.FailingPolicy")
    }

    private func makeStore(authors: Int = 20, portraits: Int = 2) throws {
        let stack = try StoreStack(url, model: old)
        for number in 0..<authors {
            let author = stack.context.make("Author", ["name": "Author \(number)"])
            if number < portraits {
                author.setValue(Data(repeating: UInt8(number), count: 150_000), forKey: "portrait")
            }
            for place in 0..<3 { stack.context.makeBook("Book \(number)-\(place)", ["author": author]) }
        }
        try stack.context.save()
        try stack.close()
    }

    /// A mapping model that isn't known to be inferred, so that it goes by way of the manager.
    private func mapping() throws -> NSMappingModel {
        let mapping = NSMappingModel()
        mapping.entityMappings = try NSMappingModel.inferredMappingModel(
            forSourceModel: old, destinationModel: new
        ).entityMappings
        return mapping
    }

    private func migrate(_ mapping: NSMappingModel? = nil) throws {
        try NSPersistentStoreCoordinator.migrateStore(
            at: url, ofType: NSSQLiteStoreType, from: old, to: new, mapping: mapping)
    }

    /// Every file of the folder, those in folders too.
    private func files() throws -> [String: Int] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let path = folder.url.appendingPathComponent(name).path
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
                return (name, isFolder ? -1 : (attributes[.size] as? NSNumber)?.intValue ?? 0)
            })
    }

    /// Makes sure that the old store is there with everything in it, and nothing beside it that wasn't before.
    private func expectOld(_ content: [String: [Int64: [String: PlainValue]]], _ files: Set<String>) throws {
        #expect(try PlainDatabase(url).content() == content)
        #expect(try Set(self.files().keys).subtracting(["Library.sqlite-wal", "Library.sqlite-shm"]) == files)
        let stack = try StoreStack(url, model: old)
        let authors = try stack.context.all("Author", sort: "name")
        #expect(authors.compactMap { $0.value(forKey: "portrait") as? Data }.allSatisfy { $0.count == 150_000 })
        #expect(authors.allSatisfy { $0.members("books").count == 3 })
        try stack.close()
    }

    @Test("at any hook of a policy leaves the old store whole and nothing beside it", arguments: FailingPolicy.hooks)
    func hooks(hook: String) throws {
        try makeStore()
        let (content, names) = (try PlainDatabase(url).content(), Set(try files().keys))
        for action in ["fails", "cancels"] {
            let mapping = try mapping()
            let writer = try #require(mapping.entityMappingsByName["IEM_Transform_Writer"])
            writer.entityMigrationPolicyClassName = "Test.FailingPolicy"
            writer.userInfo = [action: hook]
            // A cancellation at the very last step of the last mapping comes too late.
            mapping.entityMappings = mapping.entityMappings.filter { $0 !== writer }
            mapping.entityMappings.insert(writer, at: 0)
            if action == "fails" {
                #expect(throws: FailingPolicy.Failure(hook: hook)) { try migrate(mapping) }
            } else {
                let error = #expect(throws: CocoaError.self) { try migrate(mapping) }
                #expect(error?.code == .migrationCancelled)
            }
            try expectOld(content, names)
        }
        try migrate(mapping())
        let stack = try StoreStack(url, model: new)
        #expect(try stack.context.all("Writer").count == 20)
        try stack.close()
    }

    @Test("as objects don't hold the new model's rules names them, and leaves the old store")
    func validation() throws {
        try makeStore(authors: 3, portraits: 0)
        let (content, names) = (try PlainDatabase(url).content(), Set(try files().keys))
        let mapping = try mapping()
        // The new name of the title is required.
        mapping.entityMappingsByName["IEM_Transform_Book"]?.attributeMappings?.removeAll { $0.name == "name" }
        let error = #expect(throws: NSError.self) { try migrate(mapping) }
        #expect(error?.code == NSValidationMultipleErrorsError)
        let text = "\(error?.userInfo ?? [:])"
        #expect(text.contains("Book.name"))
        try expectOld(content, names)
    }

    @Test("by a mapping model that leaves an entity out, whose objects would be lost, is refused and names it")
    func partialMapping() throws {
        try makeStore(authors: 3, portraits: 0)
        let (content, names) = (try PlainDatabase(url).content(), Set(try files().keys))
        let mapping = try mapping()
        mapping.entityMappings.removeAll { $0.sourceEntityName == "Book" }
        let error = #expect(throws: NSError.self) { try migrate(mapping) }
        #expect(error?.code == NSMigrationMissingMappingModelError)
        #expect(error?.userInfo["entities"] as? [String] == ["Book"])
        #expect(error?.localizedDescription.contains("no mapping for Book") == true, "\(error!)")
        try expectOld(content, names)
    }

    @Test(
        "on a disk without room leaves the old store, and succeeds once there is room",
        .enabled(if: SmallDisk.canBeMade, "no file system can be mounted here"), arguments: ["place", "manager"])
    func fullDisk(way: String) throws {
        let disk = try SmallDisk(at: folder.url, kilobytes: 16_384)
        defer { disk.remove() }
        try makeStore(authors: 1500, portraits: 12)
        let (content, names) = (try PlainDatabase(url).content(), Set(try files().keys))
        let used = try files().values.filter { $0 > 0 }.reduce(0) { $0 + ($1 + 4095) / 4096 * 4 }
        var failures = 0
        // Each time a little more room, so that it is missing at another place.
        for room in stride(from: 24, to: 1500, by: way == "place" ? 40 : 160) {
            try disk.grow(toKilobytes: used + room)
            do {
                try migrate(way == "place" ? nil : mapping())
                break
            } catch let error as NSError {
                failures += 1
                let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
                let codes = [error.code, underlying?.code]
                #expect(codes.contains(CocoaError.fileWriteOutOfSpace.rawValue), "\(room) KB: \(error)")
                try disk.grow(toKilobytes: 16_384)
                try expectOld(content, names)
            }
        }
        #expect(failures > 2)
        try disk.grow(toKilobytes: 16_384)
        if try NSPersistentStoreCoordinator.cachedModel(forStoreAt: url).entitiesByName["Author"] != nil {
            try migrate(way == "place" ? nil : mapping())
        }
        let stack = try StoreStack(url, model: new)
        let writers = try stack.context.all("Writer")
        #expect(writers.count == 1500)
        #expect(writers.compactMap { $0.value(forKey: "portrait") as? Data }.filter { $0.count == 150_000 }.count == 12)
        try stack.close()
        let left = try files().keys.filter { $0.contains("-work-") || $0.contains("-migration.lock") }
        #expect(left.isEmpty)
    }

    @Test("as the store is open elsewhere says so; what is written there meanwhile isn't lost")
    func openElsewhere() throws {
        try makeStore(authors: 3, portraits: 0)
        let stack = try StoreStack(url, model: old)
        _ = try stack.context.all("Author")
        let error = #expect(throws: NSError.self) { try migrate(mapping()) }
        #expect(error?.code == NSMigrationError)
        #expect(error?.localizedDescription.contains(url.path) == true)
        #expect(error?.localizedDescription.contains("open elsewhere") == true, "\(error!)")
        stack.context.make("Author", ["name": "Meanwhile"])
        try stack.context.save()
        try stack.close()
        try migrate(mapping())
        #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM ZWRITER", in: url) == [["4"]])
    }

    @Test("in place waits for who has it open elsewhere, and that one's next save is refused with the reason")
    func openElsewhereInPlace() throws {
        try makeStore(authors: 3, portraits: 0)
        let stack = try StoreStack(url, model: old)
        _ = try stack.context.all("Author")
        try migrate()
        stack.context.make("Author", ["name": "Meanwhile"])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.domain == NSCocoaErrorDomain)
        try? stack.close()
        #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM ZWRITER", in: url) == [["3"]])
        #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: url) == [["ok"]])
    }

    @Test("as two processes migrate at once: one does, and the other finds it done", arguments: ["place", "manager"])
    func twoProcesses(way: String) throws {
        try makeStore(authors: 800, portraits: 2)
        let models = ["Old", "New"].map { folder.url.appendingPathComponent("\($0).mom") }
        try old.archivedData().write(to: models[0])
        try new.archivedData().write(to: models[1])
        let children = try (0..<3).map { _ in
            try ChildProcess(["migrate", url.path, models[0].path, models[1].path, way], includesErrors: true)
        }
        for child in children {
            let (lines, endedWell) = child.finish(within: 120)
            #expect(endedWell, "\(lines)")
        }
        let stack = try StoreStack(url, model: new)
        #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Writer")) == 800)
        #expect(
            try stack.context.all("Writer").compactMap { $0.value(forKey: "portrait") as? Data }.filter {
                $0.count == 150_000
            }.count == 2)
        try stack.close()
        #expect(try files().keys.filter { $0.contains("-work-") || $0.contains("-migration.lock") }.isEmpty)
        #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: url) == [["ok"]])
    }

    @Test("removes what a killed one left beside the store")
    func remains() throws {
        try makeStore(authors: 3, portraits: 0)
        let left = folder.url.appendingPathComponent(".Library.sqlite-work-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: left.appendingPathComponent("Library.sqlite"))
        try migrate(mapping())
        #expect(!FileManager.default.fileExists(atPath: left.path))
    }
}
