import CoreData
import Foundation
import Synchronization
import Testing

/// Joins notes of one topic into one, and does at a stage what the test asks for in the manager's user info.
final class JoiningPolicy: NSEntityMigrationPolicy {
    static let name = "Test.JoiningPolicy"

    private func act(_ stage: String, _ mapping: NSEntityMapping, _ manager: NSMigrationManager) throws {
        guard let action = manager.userInfo?["at \(stage)"] as? String else { return }
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
        let last = try #require(made.max { $0.text("topic") ?? "" < $1.text("topic") ?? "" })
        switch action {
        case "delete": manager.destinationContext.delete(last)
        case "delete and save":
            manager.destinationContext.delete(last)
            try manager.destinationContext.save()
        case "break": last.setValue(nil, forKey: "topic")
        case "add":
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: manager.destinationContext)
            tag.setValue(manager.userInfo?["tag"], forKey: "name")
        default: Issue.record("no action \(action)")
        }
        let left = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
        #expect(left.count == made.count - (action.hasPrefix("delete") ? 1 : 0))
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let topic = try #require(sInstance.text("topic"))
        var known = manager.userInfo?["known"] as? [String: NSManagedObject] ?? [:]
        let note =
            known[topic]
            ?? NSEntityDescription.insertNewObject(forEntityName: "Note", into: manager.destinationContext)
        note.setValue(topic, forKey: "topic")
        known[topic] = note
        manager.userInfo?["known"] = known
        manager.associate(sourceInstance: sInstance, withDestinationInstance: note, for: mapping)
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try act("creation", mapping, manager)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        #expect(!dInstance.isDeleted)
        let sources = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance])
        let sum = dInstance.value(forKey: "sources") as? Int ?? 0
        dInstance.setValue(sum + sources.count, forKey: "sources")
    }

    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try act("relations", mapping, manager)
    }

    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try act("validation", mapping, manager)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try act("end", mapping, manager)
    }
}

@Suite("What a migration policy makes, joins and deletes")
struct MigrationPolicyTests {
    private static let stages = ["creation", "relations", "validation", "end"]
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
    private let folder: TemporaryFolder
    private let (old, new): (NSManagedObjectModel, NSManagedObjectModel)

    init() throws {
        NSEntityMigrationPolicy.register(JoiningPolicy.self, forName: JoiningPolicy.name)
        folder = try TemporaryFolder()
        (old, new) = (Self.model(isNew: false), Self.model(isNew: true))
    }

    private static func model(isNew: Bool) -> NSManagedObjectModel {
        let (note, tag) = (NSEntityDescription(), NSEntityDescription())
        note.name = "Note"
        tag.name = "Tag"
        let topic = MigrationLibrary.attribute("topic", .stringAttributeType)
        let name = MigrationLibrary.attribute("name", .stringAttributeType)
        (topic.isOptional, name.isOptional) = (false, false)
        note.properties = [topic] + (isNew ? [MigrationLibrary.attribute("sources", .integer64AttributeType)] : [])
        tag.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = isNew ? [note, tag] : [note]
        return model
    }

    /// Migrates notes on some topics, in turn.
    ///
    /// - Returns: the topics of the new notes, with what the policy has counted, and the names of tags.
    private func migrate(
        notes: Int = 6, topics: Int = 3, type: String = NSSQLiteStoreType, _ actions: [String: String],
        source: String = "$manager.sourceContext"
    ) throws -> ([String], [String]) {
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        for url in [from, to] {
            try NSPersistentStoreCoordinator(managedObjectModel: old).destroyPersistentStore(
                at: url, ofType: type, options: [NSPersistentStoreForceDestroyOption: true])
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: from)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        for number in 0..<notes { context.make("Note", ["topic": "T\(number % topics)"]) }
        try context.save()
        try coordinator.remove(store)

        let mapping = NSEntityMapping()
        mapping.name = "Notes"
        mapping.mappingType = .customEntityMappingType
        (mapping.sourceEntityName, mapping.destinationEntityName) = ("Note", "Note")
        mapping.entityMigrationPolicyClassName = JoiningPolicy.name
        mapping.sourceExpression = NSExpression(
            format: "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Note', "
                + "'TRUEPREDICATE'), \(source), NO)")
        let mappings = NSMappingModel()
        mappings.entityMappings = [mapping]
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        manager.userInfo = actions
        try manager.migrateStore(
            from: from, sourceType: type, with: mappings, toDestinationURL: to, destinationType: type)

        let reader = NSPersistentStoreCoordinator(managedObjectModel: new)
        try reader.addPersistentStore(ofType: type, configurationName: nil, at: to)
        context.persistentStoreCoordinator = reader
        defer { context.persistentStoreCoordinator = nil }
        let made = try context.all("Note", sort: "topic").map {
            "\($0.text("topic") ?? "") \($0.value(forKey: "sources") ?? "")"
        }
        return (made, try context.all("Tag", sort: "name").compactMap { $0.text("name") })
    }

    @Test("an object that a policy deletes is gone, at whatever stage", arguments: types, stages)
    func deletion(type: String, stage: String) throws {
        for action in ["delete", "delete and save"] {
            let (made, _) = try migrate(type: type, ["at \(stage)": action])
            #expect(made == ["T0 2", "T1 2"], "\(action)")
        }
    }

    @Test(
        "a rule that an object breaks ends the migration, at whatever stage it came to break it", arguments: types,
        stages)
    func brokenRule(type: String, stage: String) throws {
        let code = thrownCode { _ = try migrate(type: type, ["at \(stage)": "break"]) }
        #expect(code == NSValidationMissingMandatoryPropertyError)
    }

    @Test("what a policy makes beside its objects has to follow the rules as well", arguments: stages)
    func additions(stage: String) throws {
        let code = thrownCode { _ = try migrate(["at \(stage)": "add"]) }
        #expect(code == NSValidationMissingMandatoryPropertyError)
        #expect(try migrate(["at \(stage)": "add", "tag": "new"]).1 == ["new"])
    }

    @Test("relationships are asked for once for each new object, however many sources it has and in whatever order")
    func joined() throws {
        #expect(try migrate(notes: 1_800, topics: 3, [:]).0 == ["T0 600", "T1 600", "T2 600"])
        let (many, _) = try migrate(notes: 1_800, topics: 600, [:])
        #expect(many.count == 600 && many.allSatisfy { $0.hasSuffix(" 3") })
    }

    @Test("an expression may call the manager's properties as methods")
    func getters() throws {
        #expect(try migrate([:], source: "FUNCTION($manager, 'sourceContext')").0.count == 3)
    }

    @Test("A mapping that a program calls custom and that names no policy has the framework's")
    func withoutPolicy() throws {
        let (from, to) = (folder.url.appendingPathComponent("From"), folder.url.appendingPathComponent("To"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: from)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.make("Note", ["topic": "Kept"])
        try context.save()
        try coordinator.remove(store)
        let mappings = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        for mapping in mappings.entityMappings { mapping.mappingType = .customEntityMappingType }
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: from, sourceType: NSSQLiteStoreType, with: mappings, toDestinationURL: to,
            destinationType: NSSQLiteStoreType)
        let reader = NSPersistentStoreCoordinator(managedObjectModel: new)
        try reader.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: to)
        context.persistentStoreCoordinator = reader
        defer { context.persistentStoreCoordinator = nil }
        #expect(try context.all("Note").map { $0.text("topic") } == ["Kept"])
    }
}
