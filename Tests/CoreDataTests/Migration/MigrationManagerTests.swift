import CoreData
import Foundation
import Testing

/// Writes down which hooks are called, and joins the names of authors with a value that an expression asks for.
final class RecordingPolicy: NSEntityMigrationPolicy {
    static let name = "Test.RecordingPolicy"

    private func note(_ text: String, _ manager: NSMigrationManager) {
        let calls = manager.userInfo?["calls"] as? [String] ?? []
        if calls.last != text { manager.userInfo = ["calls": calls + [text]] }
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws { note("begin", manager) }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        note("create", manager)
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("end creation", manager)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        note("relate", manager)
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }

    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("end relations", manager)
    }

    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("validate", manager)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws { note("end", manager) }

    override func perform(selector: String, arguments: [Any?]) throws -> Any? {
        guard selector == "loud:", let text = arguments[0] as? String else {
            return try super.perform(selector: selector, arguments: arguments)
        }
        return text.uppercased()
    }
}

/// Changes itself whenever it can, as an app's class may.
final class SelfWillingAuthor: NSManagedObject {
    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue("awake", forKey: "biography")
    }

    override func willSave() {
        super.willSave()
        setPrimitiveValue("changed", forKey: "biography")
    }

    override func validateForInsert() throws { throw CocoaError(.validationMultipleErrors) }
}

/// Makes objects by the entity that whoever made the manager has at hand.
final class GivenEntityPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        guard let entity = manager.userInfo?["entity"] as? NSEntityDescription else { return }
        let new = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
        new.setValue(sInstance.value(forKey: "name"), forKey: "name")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: new, for: mapping)
    }
}

@Suite("The migration manager")
struct MigrationManagerTests {
    static let storeTypes = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    struct Pair: CustomTestStringConvertible, Sendable {
        var source: String
        var destination: String
        var testDescription: String { "\(source) to \(destination)" }
    }

    static let pairs = storeTypes.flatMap { source in
        storeTypes.map { Pair(source: source, destination: $0) }
    }

    private func models(_ pair: Pair) throws -> (NSManagedObjectModel, NSManagedObjectModel) {
        let (old, new) = (try Library.model(for: pair.source), try MigrationLibrary.nextModel())
        for entity in new.entities { entity.uniquenessConstraints = [] }
        return (old, new)
    }

    @Test("takes objects from any store type to any other, with hooks in order", arguments: pairs)
    func migrates(_ pair: Pair) throws {
        NSEntityMigrationPolicy.register(RecordingPolicy.self, forName: RecordingPolicy.name)
        let folder = try TemporaryFolder()
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        // More than a manager takes at a time, once; writing and reading files of the other types takes seconds.
        let count = pair.source == NSSQLiteStoreType && pair.destination == NSSQLiteStoreType ? 700 : 60
        try MigrationLibrary.makeStore(at: from, authors: count, storeType: pair.source)
        let (old, new) = try models(pair)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let writer = try #require(mapping.entityMappingsByName["IEM_Transform_Writer"])
        writer.mappingType = .customEntityMappingType
        writer.entityMigrationPolicyClassName = RecordingPolicy.name
        writer.attributeMappings?.first { $0.name == "name" }?.valueExpression = try NSExpression.parse(
            #"FUNCTION($entityPolicy, "loud:", $source.name)"#)
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        try manager.migrateStore(
            from: from, sourceType: pair.source, with: mapping, toDestinationURL: to, destinationType: pair.destination)
        #expect(
            manager.userInfo?["calls"] as? [String] == [
                "begin", "create", "end creation", "relate", "end relations", "validate", "end",
            ])
        #expect(manager.migrationProgress == 1)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: new)
        try coordinator.addPersistentStore(ofType: pair.destination, configurationName: nil, at: to)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let writers = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Writer"))
            #expect(writers.count == count)
            for writer in writers {
                let name = try #require(writer.value(forKey: "name") as? String)
                #expect(name.hasPrefix("AUTHOR "))
                let books = try #require(writer.value(forKey: "books") as? Set<NSManagedObject>)
                let number = name.dropFirst("AUTHOR ".count)
                #expect(
                    Set(books.compactMap { $0.value(forKey: "name") as? String })
                        == Set((0..<3).map { "Book \(number)-\($0)" }))
                #expect(books.allSatisfy { $0.value(forKey: "mark") as? String == "none" })
            }
        }
    }

    /// Writes down what it is told of a manager.
    private final class Watcher: NSObject, KeyValueObserver {
        var told: [String: [String]] = [:]

        func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            let value = (change?[.newKey] as? NSEntityMapping)?.name ?? "\(change?[.newKey] ?? "nothing")"
            told[keyPath ?? "", default: []].append(value)
        }
    }

    @Test("can be observed: its progress grows to one, and each mapping is under way three times")
    func observed() throws {
        let folder = try TemporaryFolder()
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        try MigrationLibrary.makeStore(at: from, authors: 700)
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        let watcher = Watcher()
        let keys = ["migrationProgress", "currentEntityMapping"]
        for key in keys { manager.addObserver(watcher, forKeyPath: key, options: [.new]) }
        defer { for key in keys { manager.removeObserver(watcher, forKeyPath: key) } }
        var seen: [Float] = []
        let observation = manager.observe(\.migrationProgress, options: [.new]) { _, change in
            seen.append(change.newValue ?? -1)
        }
        try manager.migrateStore(from: from, type: .sqlite, mapping: mapping, to: to, type: .sqlite)
        observation.invalidate()
        #expect(seen.first == 0 && seen.last == 1 && seen.count > 10)
        let progress = (watcher.told["migrationProgress"] ?? []).compactMap { Float($0) }
        #expect(progress.count > 10 && progress.first == 0 && progress.last == 1)
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0 <= $1 })
        let names = mapping.entityMappings.compactMap { $0.name }
        let expected = names + names + names
        #expect(Array((watcher.told["currentEntityMapping"] ?? []).prefix(expected.count)) == expected)
    }

    @Test("represents all objects by NSManagedObject: an app's classes change nothing on the way")
    func plainObjects() throws {
        let folder = try TemporaryFolder()
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        try MigrationLibrary.makeStore(at: from, authors: 3)
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let name = NSStringFromClass(SelfWillingAuthor.self)
        for entity in [old.entitiesByName["Author"], new.entitiesByName["Writer"]] {
            entity?.managedObjectClassName = name
            entity?.properties += [MigrationLibrary.attribute("biography", .stringAttributeType)]
        }
        let bare = try Library.model()
        try StoreStack(from, model: bare).close()
        let stack = NSPersistentStoreCoordinator(managedObjectModel: old)
        _ = try stack.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: from,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        for store in stack.persistentStores { try stack.remove(store) }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        try NSMigrationManager(sourceModel: old, destinationModel: new)
            .migrateStore(from: from, type: .sqlite, mapping: mapping, to: to, type: .sqlite)
        #expect(
            try PlainSQLite.rows("SELECT COUNT(*), COUNT(ZBIOGRAPHY) FROM ZWRITER", in: to) == [["3", "0"]])
        // The store's own copy of the model still names the class.
        let carried = try NSPersistentStoreCoordinator.cachedModel(forStoreAt: to)
        #expect(carried.entitiesByName["Writer"]?.managedObjectClassName == name)
        #expect(old.entitiesByName["Author"]?.managedObjectClassName == name)
    }

    @Test("takes entities of the models that it was given for its own")
    func givenEntities() throws {
        NSEntityMigrationPolicy.register(GivenEntityPolicy.self, forName: "Test.GivenEntityPolicy")
        let folder = try TemporaryFolder()
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        try MigrationLibrary.makeStore(at: from, authors: 5)
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        // The model is in use elsewhere, too.
        let other = try StoreStack(folder.url.appendingPathComponent("Other"), model: new)
        other.context.make("Writer", ["name": "Elsewhere"])
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        mapping.entityMappingsByName["IEM_Transform_Writer"]?.entityMigrationPolicyClassName = "Test.GivenEntityPolicy"
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        manager.userInfo = ["entity": try #require(new.entitiesByName["Writer"])]
        try manager.migrateStore(from: from, type: .sqlite, mapping: mapping, to: to, type: .sqlite)
        try other.close()
        #expect(
            try PlainSQLite.rows("SELECT COUNT(*), COUNT(DISTINCT ZAUTHOR) FROM ZBOOK", in: to) == [["15", "5"]])
    }

    @Test("gives up where a relationship of the source can't be read, which would be empty otherwise")
    func unreadableRelationship() throws {
        let folder = try TemporaryFolder()
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let stack = try StoreStack(from, model: old)
        let genre = stack.context.make("Genre", ["name": "Essay"])
        for number in 0..<10 { stack.context.makeBook("Book \(number)", ["genres": Set([genre])]) }
        try stack.context.save()
        try stack.close()
        let pages = try PlainSQLite.rows(
            "SELECT rootpage FROM sqlite_master WHERE tbl_name LIKE 'Z/_%GENRES' ESCAPE '/'", in: from)
        var bytes = try Data(contentsOf: from)
        #expect(!pages.isEmpty)
        for page in pages.compactMap({ $0[0].flatMap { Int($0) } }) {
            bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(repeating: 0xA5, count: 4096))
        }
        try bytes.write(to: from)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        #expect(throws: NSError.self) {
            try NSMigrationManager(sourceModel: old, destinationModel: new)
                .migrateStore(from: from, type: .sqlite, mapping: mapping, to: to, type: .sqlite)
        }
    }

    @Test("ends with the error that it is cancelled with, before the next object")
    func cancelled() throws {
        let folder = try TemporaryFolder()
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        try MigrationLibrary.makeStore(at: from, authors: 10)
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        manager.cancelMigrationWithError(CocoaError(.migrationCancelled))
        let error = #expect(throws: CocoaError.self) {
            try manager.migrateStore(
                from: from, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: to,
                destinationType: NSSQLiteStoreType)
        }
        #expect(error?.code == .migrationCancelled)
    }

    @Test("keeps what a policy makes beside its objects, which is looked for among the registered ones")
    func lookup() throws {
        NSEntityMigrationPolicy.register(MakerOfCarPolicy.self, forName: "Test.MakerOfCarPolicy")
        func model(_ makers: Bool) -> NSManagedObjectModel {
            let (car, maker) = (NSEntityDescription(), NSEntityDescription())
            car.name = "Car"
            maker.name = "Maker"
            car.properties = [MigrationLibrary.attribute("plate", .integer64AttributeType)]
            let model = NSManagedObjectModel()
            guard makers else {
                car.properties += [MigrationLibrary.attribute("maker", .stringAttributeType)]
                model.entities = [car]
                return model
            }
            let (cars, createdBy) = (NSRelationshipDescription(), NSRelationshipDescription())
            (cars.name, cars.destinationEntity, cars.inverseRelationship) = ("cars", car, createdBy)
            (createdBy.name, createdBy.destinationEntity, createdBy.inverseRelationship) = ("createdBy", maker, cars)
            (cars.maxCount, createdBy.maxCount) = (0, 1)
            maker.properties = [MigrationLibrary.attribute("name", .stringAttributeType), cars]
            car.properties += [createdBy]
            model.entities = [car, maker]
            return model
        }
        let folder = try TemporaryFolder()
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        let (old, new) = (model(false), model(true))
        let stack = try StoreStack(from, model: old)
        for number in 0..<1700 { stack.context.make("Car", ["plate": number, "maker": "Maker \(number % 3)"]) }
        try stack.context.save()
        try stack.close()
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let cars = try #require(mapping.entityMappingsByName["IEM_Transform_Car"])
        cars.entityMigrationPolicyClassName = "Test.MakerOfCarPolicy"
        cars.relationshipMappings = []
        mapping.entityMappings.removeAll { $0.name == "IEM_Add_Maker" }
        try NSMigrationManager(sourceModel: old, destinationModel: new)
            .migrateStore(from: from, type: .sqlite, mapping: mapping, to: to, type: .sqlite)
        #expect(
            try PlainSQLite.rows(
                "SELECT m.ZNAME, COUNT(*), SUM(c.ZPLATE % 3 = CAST(SUBSTR(m.ZNAME, 7) AS INTEGER)) FROM ZMAKER m "
                    + "JOIN ZCAR c ON c.ZCREATEDBY = m.Z_PK GROUP BY m.Z_PK ORDER BY 1", in: to)
                == [["Maker 0", "567", "567"], ["Maker 1", "567", "567"], ["Maker 2", "566", "566"]])
    }

    @Test("migrates one store in several passes, by a mapping model for some of the entities each")
    func passes() throws {
        let folder = try TemporaryFolder()
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        try MigrationLibrary.makeStore(at: from, authors: 20)
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        let whole = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        // Later passes find what earlier ones made by the names of their mappings.
        let books = try #require(whole.entityMappingsByName["IEM_Transform_Book"])
        let writers = try #require(whole.entityMappingsByName["IEM_Transform_Writer"])
        writers.relationshipMappings = []
        books.relationshipMappings?.removeAll { $0.name != "author" }
        for mappings in [[writers], [books]] {
            let part = NSMappingModel()
            part.entityMappings = mappings
            try manager.migrateStore(from: from, type: .sqlite, mapping: part, to: to, type: .sqlite)
        }
        #expect(
            try PlainSQLite.rows(
                "SELECT COUNT(*), COUNT(DISTINCT b.ZNAME) FROM ZBOOK b JOIN ZWRITER w ON w.Z_PK = b.ZAUTHOR "
                    + "AND b.ZNAME LIKE 'Book ' || SUBSTR(w.ZNAME, 8) || '-%'", in: to) == [["60", "60"]])
    }

    @Test("names the mapping and property whose expression has no value")
    func wrongExpression() throws {
        let folder = try TemporaryFolder()
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        try MigrationLibrary.makeStore(at: from, authors: 1)
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        mapping.entityMappingsByName["IEM_Transform_Writer"]?.attributeMappings?.first { $0.name == "name" }?
            .valueExpression = try NSExpression.parse("$source.nothing")
        let error = #expect(throws: NSError.self) {
            try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
                from: from, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: to,
                destinationType: NSSQLiteStoreType)
        }
        #expect(error?.code == NSEntityMigrationPolicyError)
        #expect(error?.localizedDescription.contains("IEM_Transform_Writer") == true)
    }
}
