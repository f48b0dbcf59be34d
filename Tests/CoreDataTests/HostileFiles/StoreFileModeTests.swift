import Foundation
import Testing

@testable import CoreData
import CoreDataRows

@Suite("Files that belong to a store of mode 0600")
struct StoreFileModeTests {
    private static func modes(in folder: URL) throws -> [String: Int] {
        var modes: [String: Int] = [:]
        let enumerator = FileManager.default.enumerator(atPath: folder.path)
        while let name = enumerator?.nextObject() as? String {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.appendingPathComponent(name).path)
            modes[name] = (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        return modes
    }

    @Test("are readable for nobody else", arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func privateFiles(type: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store")
        let model = HostileStore.model()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let first = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
        let setUp = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        setUp.persistentStoreCoordinator = coordinator
        try setUp.performAndWait {
            _ = NSManagedObject(entity: model.entities[0], insertInto: setUp)
            try setUp.save()
        }
        try coordinator.remove(first)
        for (name, _) in try Self.modes(in: folder.url) {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: folder.url.appendingPathComponent(name).path)
        }
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let object = NSManagedObject(entity: model.entities[0], insertInto: context)
            object.setValue(Data(count: 300_000), forKey: "photo")
            try context.save()
        }
        for (name, mode) in try Self.modes(in: folder.url) { #expect(mode & 0o077 == 0, "\(name)") }
        let moved = try coordinator.migratePersistentStore(
            store, to: folder.url.appendingPathComponent("Moved"), options: nil, withType: type)
        for (name, mode) in try Self.modes(in: folder.url) { #expect(mode & 0o077 == 0, "\(name)") }
        try coordinator.remove(moved)
        let copy = folder.url.appendingPathComponent("Copy")
        try coordinator.replacePersistentStore(
            at: copy, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil, ofType: type)
        if type == NSSQLiteStoreType {
            _ = try NSPersistentStoreCoordinator.repairStore(at: url, model: model)
        }
        for (name, mode) in try Self.modes(in: folder.url) { #expect(mode & 0o077 == 0, "\(name)") }
    }

    @Test(
        "stay so through a migration by a manager, and when another store takes the place",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func migrated(type: String) throws {
        let folder = try TemporaryFolder()
        let (url, other) = (folder.url.appendingPathComponent("Store"), folder.url.appendingPathComponent("Other"))
        let model = HostileStore.model()
        func make(_ url: URL, _ mode: Int) throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: url, options: nil)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                let object = NSManagedObject(entity: model.entities[0], insertInto: context)
                object.setValue(Data(count: 300_000), forKey: "photo")
                try context.save()
            }
            try coordinator.remove(store)
        }
        try make(url, 0o600)
        func expectPrivate(_ what: String) throws {
            for (name, mode) in try Self.modes(in: folder.url) where !name.contains("Other") {
                let isInside = name.contains("/")
                #expect(isInside || mode & 0o077 == 0, "\(what): \(name) \(String(mode, radix: 8))")
            }
        }
        let new = folder.url.appendingPathComponent("New")
        try NSMigrationManager(sourceModel: model, destinationModel: model).migrateStore(
            from: url, sourceType: type, options: nil,
            with: try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model),
            toDestinationURL: new, destinationType: type, destinationOptions: nil)
        try expectPrivate("migrated")
        try make(other, 0o644)
        try NSPersistentStoreCoordinator(managedObjectModel: model).replacePersistentStore(
            at: url, destinationOptions: nil, withPersistentStoreFrom: other, sourceOptions: nil, ofType: type)
        try expectPrivate("replaced")
    }
}

@Suite("Archived values")
struct ArchiveTrustTests {
    @Test("of classes other than Foundation's aren't made for a model that a file has")
    func trust() throws {
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: HostileValue(place: "here"), requiringSecureCoding: false)
        let program = HostileStore.model()
        let tags = try #require(program.entities[0].attributesByName["tags"])
        #expect(tags.transformable(fromStored: archive) is HostileValue)
        let carried = HostileStore.model()
        carried.isFromFile = true
        let same = try #require(carried.entities[0].attributesByName["tags"])
        #expect(same.transformable(fromStored: archive) == nil)
        let list = try NSKeyedArchiver.archivedData(withRootObject: ["a"] as NSArray, requiringSecureCoding: false)
        #expect(same.transformable(fromStored: list) as? [String] == ["a"])
        same.valueTransformerName = "NSNegateBoolean"
        #expect(same.transformable(fromStored: list) == nil)
        #expect((carried.copy() as! NSManagedObjectModel).isFromFile)
    }
}

@Suite("Copies of files")
struct SparseCopyTests {
    private static func blocks(_ url: URL) -> Int {
        var status = stat()
        return stat(url.path, &status) == 0 ? Int(status.st_blocks) : 0
    }

    @Test("have the holes of the file, and its data")
    func holes() throws {
        let folder = try TemporaryFolder()
        let (source, copy) = (folder.url.appendingPathComponent("a"), folder.url.appendingPathComponent("b"))
        try Data("first".utf8).write(to: source)
        let handle = try FileHandle(forWritingTo: source)
        for (offset, text) in [(3_000_000, "second"), (700_000_000, "third")] as [(UInt64, String)] {
            try handle.seek(toOffset: offset)
            try handle.write(contentsOf: Data(text.utf8))
        }
        try handle.truncate(atOffset: 2_000_000_001)
        try handle.close()
        try StoreFileMode.copy(source, to: copy)
        #expect(try FileManager.default.attributesOfItem(atPath: copy.path)[.size] as? Int == 2_000_000_001)
        #expect(Self.blocks(copy) <= Self.blocks(source) + 64)
        let read = try FileHandle(forReadingFrom: copy)
        for (offset, text) in [(0, "first"), (3_000_000, "second"), (700_000_000, "third")] as [(UInt64, String)] {
            try read.seek(toOffset: offset)
            #expect(try read.read(upToCount: text.utf8.count) == Data(text.utf8))
        }
        try read.close()
    }

    @Test("of any content are the same to the byte", arguments: [0, 1, 4095, 4096, 1 << 20, (1 << 20) + 1, 3_000_001])
    func bytes(count: Int) throws {
        let folder = try TemporaryFolder()
        let (source, copy) = (folder.url.appendingPathComponent("a"), folder.url.appendingPathComponent("b"))
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        try data.write(to: source)
        try StoreFileMode.copy(source, to: copy)
        #expect(try Data(contentsOf: copy) == data)
    }

    @Test("A store whose log someone has made of gigabytes is read, and its copy is small")
    func sparseLog() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        context.makeBook("a")
        try context.save()
        for store in stack.container.persistentStoreCoordinator.persistentStores {
            try stack.container.persistentStoreCoordinator.remove(store)
        }
        let log = URL(fileURLWithPath: stack.storeURL.path + "-wal")
        try Data([0x37, 0x7f, 0x06, 0x82]).write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        try handle.truncate(atOffset: 2_000_000_000)
        try handle.close()
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: stack.storeURL)
        #expect(metadata[NSStoreUUIDKey] != nil)
        let copy = stack.folder.appendingPathComponent("Copy.sqlite")
        try stack.container.persistentStoreCoordinator.replacePersistentStore(
            at: copy, withPersistentStoreFrom: stack.storeURL, type: .sqlite)
        let read = try StoreStack(copy, model: Library.model())
        #expect(try read.context.all("Book").map { $0.text("title") } == ["a"])
        try read.close()
    }
}
