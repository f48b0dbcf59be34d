import ArchiveStore
import CoreData
import Foundation
import Testing

@Suite("The archive is laid out as Apple's sample has it")
final class ArchiveFileTests {
    private let folder: URL
    private var url: URL { folder.appendingPathComponent("store") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        NSPersistentStoreCoordinator.registerStoreClass(ArchiveStore.self, forStoreType: ArchiveStore.storeType)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func work<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(ofType: ArchiveStore.storeType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    private static func model() -> NSManagedObjectModel {
        let node = NSEntityDescription()
        node.name = "Node"
        let title = NSAttributeDescription()
        title.name = "title"
        title.attributeType = .stringAttributeType
        title.isOptional = true
        let next = NSRelationshipDescription()
        next.name = "next"
        next.maxCount = 1
        let previous = NSRelationshipDescription()
        previous.name = "previous"
        for relationship in [next, previous] {
            relationship.destinationEntity = node
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
        }
        next.inverseRelationship = previous
        previous.inverseRelationship = next
        node.properties = [title, next, previous]
        let model = NSManagedObjectModel()
        model.entities = [node]
        return model
    }

    private func fill() throws {
        try work { context in
            let made = (0..<3).map { number in
                let object = NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
                object.setValue("\(number)", forKey: "title")
                return object
            }
            for (object, next) in zip(made, made.dropFirst() + made.prefix(1)) { object.setValue(next, forKey: "next") }
            try context.save()
        }
    }

    private func contents() throws -> [String: Any] {
        let classes: [AnyClass] = [
            NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
        ]
        let root = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: Data(contentsOf: url))
        return try #require(root as? [String: Any])
    }

    @Test("{Metadata, Objects: [{idRefData, entityName, propertyData}]}, relationships as reference data")
    func layout() throws {
        try fill()
        let contents = try contents()
        #expect(Set(contents.keys) == ["Metadata", "Objects"])
        let metadata = try #require(contents["Metadata"] as? [String: Any])
        #expect(metadata[NSStoreTypeKey] as? String == "Archive" && metadata[NSStoreUUIDKey] is String)
        let objects = try #require(contents["Objects"] as? [[String: Any]])
        #expect(objects.count == 3)
        let references = Set(objects.compactMap { ($0["idRefData"] as? NSNumber)?.intValue })
        #expect(references == [1, 2, 3])
        for object in objects {
            #expect(object["entityName"] as? String == "Node")
            let data = try #require(object["propertyData"] as? [String: Any])
            #expect(data["title"] is String && data["next"] is NSNumber)
            #expect((data["previous"] as? [NSNumber])?.count == 1)
        }
    }

    @Test("Numbers are counted up in the metadata, so that one never comes twice")
    func references() throws {
        try fill()
        for _ in 0..<2 {
            try work { context in
                for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Node")) {
                    context.delete(object)
                }
                _ = NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
                try context.save()
            }
        }
        let objects = try #require(try contents()["Objects"] as? [[String: Any]])
        #expect(objects.map { ($0["idRefData"] as? NSNumber)?.intValue } == [5])
    }

    @Test("Circles of nodes go with the store, and with the objects that are deleted")
    func circles() throws {
        try fill()
        weak var node: NSAtomicStoreCacheNode?
        weak var deleted: NSAtomicStoreCacheNode?
        try work { context in
            let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Node"))
            let store = try #require(objects[0].objectID.persistentStore as? NSAtomicStore)
            for object in objects { _ = object.value(forKey: "previous") }
            node = store.cacheNode(for: objects[0].objectID)
            deleted = store.cacheNode(for: objects[1].objectID)
            #expect(node != nil && deleted != nil)
            context.delete(objects[1])
            try context.save()
            #expect(deleted == nil)
        }
        #expect(node == nil)
    }

    @Test(
        "Whatever bytes are changed, an archive is read or is an error that names the file",
        arguments: 0..<8 as Range<UInt64>)
    func flips(seed: UInt64) throws {
        try fill()
        let data = try Data(contentsOf: url)
        var random = Flips(seed: seed)
        var errors = 0
        for round in 0..<rounds {
            var damaged = data
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<data.count, using: &random)
                if round.isMultiple(of: 2) {
                    damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                } else {
                    damaged[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            try damaged.write(to: url)
            do {
                try work { context in
                    for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Node")) {
                        _ = (object.value(forKey: "title"), object.value(forKey: "next"))
                        _ = object.value(forKey: "previous")
                    }
                }
            } catch {
                errors += 1
                #expect(!error.localizedDescription.isEmpty, "seed \(seed), round \(round)")
            }
        }
        #expect(errors > rounds / 4)
    }

    /// 2,000 damaged files in all; `COREDATA_TEST_FLIPS=100000` makes that many times eight of them.
    private let rounds = ProcessInfo.processInfo.environment["COREDATA_TEST_FLIPS"].flatMap { Int($0) } ?? 250

    private struct Flips: RandomNumberGenerator {
        var state: UInt64
        init(seed: UInt64) { state = seed &+ 1 }
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test("An archive that was cut off is an error that names the file, and stays as it is", arguments: 1..<60)
    func truncation(sixtieths: Int) throws {
        try fill()
        let data = try Data(contentsOf: url)
        let rest = data.prefix(data.count * sixtieths / 60)
        try rest.write(to: url)
        let error = #expect(throws: (any Error).self) { try work { _ in } }
        #expect(error.map { "\($0)".contains(url.lastPathComponent) } == true)
        #expect(try Data(contentsOf: url) == rest)
    }
}
