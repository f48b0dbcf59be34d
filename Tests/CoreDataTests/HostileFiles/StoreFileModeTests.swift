import Foundation
import Testing

@testable import CoreData

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
