import CoreData
import DelimitedTextStore
import Foundation

/// A file of lines in a folder of its own, and a model of people.
final class TextFile {
    private let folder: URL
    private var url: URL { folder.appendingPathComponent("people.txt") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lines-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        NSPersistentStoreCoordinator.registerStoreClass(
            DelimitedTextStore.self, forStoreType: DelimitedTextStore.storeType)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ lines: [String]) throws { try write(Data((lines.joined(separator: "\n") + "\n").utf8)) }
    func write(_ data: Data) throws { try data.write(to: url) }

    /// The lines, without those of the metadata.
    func lines() throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init).filter {
            !$0.hasPrefix("#")
        }
    }

    func read<Result>(_ options: [String: Any] = [:], _ body: (NSManagedObjectContext) throws -> Result) throws
        -> Result
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: DelimitedTextStore.storeType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    func change(_ options: [String: Any] = [:], _ body: (NSManagedObjectContext) throws -> Void) throws {
        try read(options) { context in
            try body(context)
            try context.save()
        }
    }

    private static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription()
        person.name = "Person"
        let attributes = [
            ("first", NSAttributeType.stringAttributeType), ("last", .stringAttributeType),
            ("age", .integer16AttributeType),
        ].map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        let relationships = [("friends", 0), ("boss", 1)].map { name, count in
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = person
            relationship.maxCount = count
            relationship.isOptional = true
            return relationship
        }
        person.properties = attributes + relationships
        let model = NSManagedObjectModel()
        model.entities = [person]
        return model
    }
}
