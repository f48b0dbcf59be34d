import CoreData
import Foundation
import Testing

@Suite("Migrations by what the program's resources have")
struct MigrationResourceTests {
    private let folder: TemporaryFolder
    /// Resources stay known to the process, so entities have a name that no other test has.
    private let name = "Entity\(UUID().uuidString.prefix(8))"
    private var url: URL { folder.url.appendingPathComponent("store.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func model(_ names: String..., isNew: Bool) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = names.map { suffix in
            CodedModel.entity(
                name + suffix, [("text", .stringAttributeType)] + (isNew ? [("added", .stringAttributeType)] : []))
        }
        return model
    }

    private func makeStore(_ model: NSManagedObjectModel) throws {
        let context = try NSPersistentStoreCoordinator.context(model, at: url)
        try context.performAndWait {
            for entity in model.entities { context.make(entity.name ?? "", ["text": "before"]) }
            try context.save()
        }
        try context.closeStores()
    }

    private func texts(_ model: NSManagedObjectModel, _ suffix: String) throws -> [String?] {
        let context = try NSPersistentStoreCoordinator.context(model, at: url)
        let texts = try context.performAndWait { try context.all(name + suffix).map { $0.text("text") } }
        try context.closeStores()
        return texts
    }

    @Test("go by a mapping model of the program's, which nil, the main bundle and Bundle(for:) find too")
    func mappingModel() throws {
        let (old, new) = (model("A", isNew: false), model("A", isNew: true))
        let resources = try ProgramBundle()
        try resources.add(
            [ProgramBundle.mapping("\(name)A", from: old, to: new, text: "mapped")], as: name)
        final class Marker {}
        for bundles in [nil, [Bundle.main], [Bundle(for: Marker.self)], [resources.bundle]] {
            let found = NSMappingModel(from: bundles, forSourceModel: old, destinationModel: new)
            #expect(found?.entityMappings.map(\.name) == ["\(name)ATo\(name)A"])
        }
        #expect(NSMappingModel(from: nil, forSourceModel: new, destinationModel: old) == nil)
        try makeStore(old)
        #expect(try texts(new, "A") == ["mapped"])
    }

    @Test("take the source of a mapping model for its two versions alone, with or without the compiled one beside it")
    func sourceMapping() throws {
        let versions = [[], ["added"], ["added", "more"]].map { added in
            CodedModel.model(
                CodedModel.entity("\(name)A", (["text"] + added).map { ($0, .stringAttributeType) }))
        }
        let resources = try ProgramBundle()
        let named = Dictionary(uniqueKeysWithValues: versions.enumerated().map { ("\(name) \($0 + 1)", $1) })
        _ = try resources.add(named, current: "\(name) 3", as: name)
        try resources.addSource(name, entity: "\(name)A", from: "\(name) 1", to: "\(name) 2")
        func mapping(_ from: Int, _ to: Int) -> [String]? {
            NSMappingModel(from: nil, forSourceModel: versions[from - 1], destinationModel: versions[to - 1])?
                .entityMappings.map(\.name)
        }
        for _ in 0..<2 {
            #expect(mapping(1, 2) == ["\(name)ATo\(name)A"])
            #expect(mapping(2, 3) == nil)
            #expect(mapping(1, 3) == nil)
            let compiled = ProgramBundle.mapping("\(name)A", from: versions[0], to: versions[1], text: "mapped")
            try resources.add([compiled], as: name)
        }
        try makeStore(versions[1])
        #expect(try texts(versions[2], "A") == ["before"])
    }

    @Test("go by a mapping model that says nothing of entities that are gone")
    func leftOutEntity() throws {
        let (old, new) = (model("A", "Gone", isNew: false), model("A", isNew: true))
        let resources = try ProgramBundle()
        try resources.add(
            [ProgramBundle.mapping("\(name)A", from: old, to: new, text: "mapped")], as: name)
        #expect(NSMappingModel(from: nil, forSourceModel: old, destinationModel: new) != nil)
        try makeStore(old)
        #expect(try texts(new, "A") == ["mapped"])
    }

    @Test("aren't made by a mapping model that would lose the objects of an entity that stays; the error names it")
    func partialMapping() throws {
        let (old, new) = (model("A", "B", isNew: false), model("A", "B", isNew: true))
        let resources = try ProgramBundle()
        try resources.add(
            [ProgramBundle.mapping("\(name)A", from: old, to: new, text: "mapped")], as: name)
        #expect(NSMappingModel(from: nil, forSourceModel: old, destinationModel: new) != nil)
        try makeStore(old)
        let error = #expect(throws: NSError.self) { try texts(new, "A") }
        #expect(error?.localizedDescription.contains("\(name)B") == true)
        #expect(try texts(old, "B") == ["before"])
    }

    @Test("are an error where the mapping model that is meant can't be read, and nothing is inferred instead")
    func damagedMapping() throws {
        let (old, new) = (model("A", isNew: false), model("A", isNew: true))
        let resources = try ProgramBundle()
        try resources.add(
            [ProgramBundle.mapping("\(name)A", from: old, to: new, text: "mapped")], as: name, isDamaged: true)
        try makeStore(old)
        let error = #expect(throws: NSError.self) { try texts(new, "A") }
        #expect(error?.code == NSMigrationMissingMappingModelError)
        #expect(error?.localizedDescription.contains("\(name).cdm") == true)
        #expect(try texts(old, "A") == ["before"])
        #expect(NSMappingModel(from: nil, forSourceModel: old, destinationModel: new) == nil)
        // It is for other entities, as what can be read of it says.
        let others = (model("C", isNew: false), model("C", isNew: true))
        try FileManager.default.removeItem(at: url)
        try makeStore(others.0)
        #expect(try texts(others.1, "C") == ["before"])
    }

    @Test("name the models that can't be read, where the store's is missing")
    func damagedModel() throws {
        let (old, new) = (model("A", isNew: false), model("A", isNew: true))
        let resources = try ProgramBundle()
        let file = try resources.add([name: old, "\(name) 2": new], current: "\(name) 2", as: name)
        let damaged = file.appendingPathComponent("\(name).mom")
        try Data("bplist00 and no more".utf8).write(to: damaged)
        let xml = folder.url.appendingPathComponent("store.xml")
        let context = try NSPersistentStoreCoordinator.context(old, at: xml, type: NSXMLStoreType)
        try context.performAndWait {
            context.make("\(name)A", ["text": "before"])
            try context.save()
        }
        try context.closeStores()
        let error = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.context(new, at: xml, type: NSXMLStoreType)
        }
        #expect(error?.code == NSMigrationMissingSourceModelError)
        #expect(error?.localizedDescription.contains(damaged.lastPathComponent) == true)
    }

    @Test("read one version of a hundred and more, and that quickly")
    func manyVersions() throws {
        let resources = try ProgramBundle()
        var versions: [String: NSManagedObjectModel] = [:]
        for number in 0..<117 {
            let model = NSManagedObjectModel()
            model.entities = (0..<20).map { place in
                let entity = CodedModel.entity("\(name)\(place)", (0..<12).map { ("text\($0)", .stringAttributeType) })
                entity.properties += [MigrationLibrary.attribute("text", .stringAttributeType)]
                if number > 0 { entity.properties += [MigrationLibrary.attribute("v\(number)", .stringAttributeType)] }
                return entity
            }
            versions["V\(number)"] = model
        }
        let file = try resources.add(versions, current: "V116", as: name)
        // A version that nobody asks for isn't read: this one can't be.
        try Data("bplist00 and no more".utf8).write(to: file.appendingPathComponent("V50.mom"))
        let (old, new) = (try #require(versions["V3"]), try #require(versions["V116"]))
        let metadata = [NSStoreModelVersionHashesKey: old.entityVersionHashesByName]
        let clock = ContinuousClock()
        let lookup = clock.measure {
            #expect(NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata) == old)
        }
        try makeStore(old)
        var found: [String?] = []
        let migration = try clock.measure { found = try texts(new, "7") }
        #expect(found == ["before"])
        // Debug builds on a busy machine. `coredata-bench versions` times it in a release build.
        if !Sanitizer.isOn {
            #expect(lookup < .seconds(5) && migration < .seconds(5), "\(lookup), \(migration)")
        }
    }
}

@Suite("A store that is opened for a configuration which it was not made for")
struct AddedConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func model() -> NSManagedObjectModel {
        let (one, two) = (
            CodedModel.entity("One", [("text", .stringAttributeType)]),
            CodedModel.entity("Two", [("text", .stringAttributeType)])
        )
        let model = CodedModel.model(one, two)
        model.setEntities([one], forConfigurationName: "First")
        return model
    }

    @Test("keeps the objects of the entities that are left out", arguments: [NSSQLiteStoreType, NSXMLStoreType])
    func refused(type: String) throws {
        let url = folder.url.appendingPathComponent("store")
        var context = try NSPersistentStoreCoordinator.context(model(), at: url, type: type)
        try context.performAndWait {
            context.make("One", ["text": "1"])
            context.make("Two", ["text": "2"])
            try context.save()
        }
        try context.closeStores()
        let error = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.context(model(), at: url, type: type, configuration: "First")
        }
        #expect(error?.localizedDescription.contains("Two") == true, "\(String(describing: error))")
        context = try NSPersistentStoreCoordinator.context(model(), at: url, type: type)
        try context.performAndWait {
            #expect(try context.all("Two").map { $0.text("text") } == ["2"])
            for object in try context.all("Two") { context.delete(object) }
            try context.save()
        }
        try context.closeStores()
    }

    @Test(
        "holds the subentities of the entities that the configuration names",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func subentities(type: String) throws {
        let (parent, child) = (
            CodedModel.entity("Parent", [("text", .stringAttributeType)]),
            CodedModel.entity("Child", [("more", .stringAttributeType)])
        )
        parent.subentities = [child]
        let model = CodedModel.model(parent, child, CodedModel.entity("Other", []))
        model.setEntities([parent], forConfigurationName: "Parents")
        #expect(model.entities(forConfigurationName: "Parents") == [parent])
        let url = folder.url.appendingPathComponent("store")
        for pass in 1...2 {
            let context = try NSPersistentStoreCoordinator.context(model, at: url, type: type, configuration: "Parents")
            try context.performAndWait {
                context.make("Child", ["text": "c", "more": "m"])
                try context.save()
                context.reset()
                #expect(
                    try context.all("Parent").map { $0.value(forKey: "more") as? String }
                        == Array(repeating: "m", count: pass))
                context.make("Other")
                #expect(throws: (any Error).self) { try context.save() }
            }
            try context.closeStores()
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        #expect((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == ["Child", "Parent"])
    }

    @Test("may be called Default, as Xcode calls the whole model")
    func wholeModel() throws {
        let url = folder.url.appendingPathComponent("store")
        try NSPersistentStoreCoordinator.context(model(), at: url, configuration: "Default").closeStores()
        try NSPersistentStoreCoordinator.context(model(), at: url).closeStores()
    }

    @Test("becomes one of that configuration where there are no such objects")
    func becomes() throws {
        let url = folder.url.appendingPathComponent("store")
        var context = try NSPersistentStoreCoordinator.context(model(), at: url)
        try context.performAndWait {
            context.make("One", ["text": "1"])
            try context.save()
        }
        try context.closeStores()
        context = try NSPersistentStoreCoordinator.context(model(), at: url, configuration: "First")
        #expect(try context.performAndWait { try context.all("One").map { $0.text("text") } } == ["1"])
        try context.closeStores()
    }
}
