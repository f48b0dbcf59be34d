import CoreData
import Foundation
import Testing

@Suite("The place of a store of one file")
struct AtomicFilePlaceTests {
    private let folder: TemporaryFolder
    private static let types = [NSXMLStoreType, NSBinaryStoreType]

    init() throws { folder = try TemporaryFolder() }

    private func model() -> NSManagedObjectModel {
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.isOptional = true
        let entities = ["Author", "Book"].map { entityName -> NSEntityDescription in
            let entity = NSEntityDescription()
            entity.name = entityName
            entity.properties = [name.copy() as! NSAttributeDescription]
            return entity
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        model.setEntities([entities[0]], forConfigurationName: "First")
        model.setEntities([entities[1]], forConfigurationName: "Second")
        return model
    }

    @Test("is never a folder, which is not opened, destroyed or replaced", arguments: types)
    func folders(type: String) throws {
        let place = folder.url.appendingPathComponent("Store")
        let inside = place.appendingPathComponent("kept")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: inside)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        #expect(throws: (any Error).self) {
            try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: place, options: nil)
        }
        let source = folder.url.appendingPathComponent("Source")
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: source, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.make("Author", ["name": "A"])
        try context.save()
        try coordinator.remove(store)
        #expect(throws: NSError.self) {
            try coordinator.destroyPersistentStore(at: place, ofType: type, options: nil)
        }
        #expect(throws: NSError.self) {
            try coordinator.replacePersistentStore(
                at: place, destinationOptions: nil, withPersistentStoreFrom: source, sourceOptions: nil, ofType: type)
        }
        #expect(try Data(contentsOf: inside) == Data("x".utf8))
    }

    @Test("is written by a save into several stores only once each has its new contents on the disk", arguments: types)
    func severalStores(type: String) throws {
        // Whichever of the two comes first: the other's folder has gone.
        for isFirst in [true, false] {
            let places = ["First", "Second"].map {
                folder.url.appendingPathComponent("\($0)-\(isFirst)").appendingPathComponent("Store")
            }
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
            for (place, configuration) in zip(places, ["First", "Second"]) {
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try coordinator.addPersistentStore(
                    ofType: type, configurationName: configuration, at: place, options: nil)
            }
            let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.make("Author", ["name": "A"])
            context.make("Book", ["name": "B"])
            try context.save()
            let (gone, kept) = isFirst ? (places[0], places[1]) : (places[1], places[0])
            let before = try Data(contentsOf: kept)
            let aside = folder.url.appendingPathComponent("Aside-\(isFirst)")
            try FileManager.default.moveItem(at: gone.deletingLastPathComponent(), to: aside)
            context.make("Author", ["name": "A2"])
            context.make("Book", ["name": "B2"])
            let error = try #require(throws: NSError.self) { try context.save() }
            #expect(error.code == NSPersistentStoreIncompleteSaveError)
            #expect(try Data(contentsOf: kept) == before)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: kept.deletingLastPathComponent().path) == ["Store"])
            try FileManager.default.moveItem(at: aside, to: gone.deletingLastPathComponent())
            try context.save()
            let reader = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            reader.persistentStoreCoordinator = coordinator
            for entity in ["Author", "Book"] { #expect(try reader.all(entity).count == 2) }
        }
    }

    @Test(
        "goes on naming the model when a program sets metadata of its own",
        arguments: types + [NSSQLiteStoreType], [true, false])
    func metadata(type: String, isOpen: Bool) throws {
        let place = folder.url.appendingPathComponent("Store")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: place, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.make("Author", ["name": "A"])
        try context.save()
        let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: place)
        if isOpen {
            coordinator.setMetadata(["mine": 1], for: store)
            try context.save()
        } else {
            try coordinator.remove(store)
            try NSPersistentStoreCoordinator.setMetadata(["mine": 1], forPersistentStoreOfType: type, at: place)
        }
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: place)
        #expect(after["mine"] as? Int == 1)
        #expect(Set(after.keys) == Set(before.keys).union(["mine"]))
        let hashes = [before, after].map { $0[NSStoreModelVersionHashesKey] as? [String: Data] }
        #expect(hashes[0] == hashes[1] && hashes[0]?.count == 2)
        #expect(after[NSStoreUUIDKey] as? String == before[NSStoreUUIDKey] as? String)
        #expect(model().isConfiguration(withName: nil, compatibleWithStoreMetadata: after))
    }

    @Test("is waited for by SQLite as long as it can count", arguments: [1e300, .infinity, .greatestFiniteMagnitude])
    func timeouts(seconds: Double) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("Store"),
            options: [NSPersistentStoreTimeoutOption: seconds])
        #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("Other"),
                options: [NSPersistentStoreTimeoutOption: "abc"])
        }
    }
}
