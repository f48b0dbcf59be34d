import Foundation

import class FoundationCompat.NSExpression

@testable import CoreData
@testable import ManagedObjectModel

/// Models that tests make by code.
enum CodedModel {
    static func entity(
        _ name: String, _ attributes: [(name: String, type: NSAttributeType)]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { MigrationLibrary.attribute($0.name, $0.type) }
        return entity
    }

    static func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    /// A model of one entity with one attribute, and a text, if there is to be one.
    static func model(
        _ name: String, _ attribute: String, _ type: NSAttributeType, text: String? = nil
    ) -> NSManagedObjectModel {
        model(entity(name, [(attribute, type)] + (text.map { [($0, .stringAttributeType)] } ?? [])))
    }
}

/// A bundle of resources that belongs to the test program, as that of a target with models does.
///
/// It stays known to the process after its folder is gone, so names of models and entities in it have to be unique.
final class ProgramBundle {
    let bundle: Bundle
    var url: URL { bundle.bundleURL }
    private let folder: TemporaryFolder
    private let isOwn: Bool

    /// - Parameter isOwn: whether the program is told of it, as generated code does.
    init(isOwn: Bool = true) throws {
        folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Tests_Models.resources")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        guard let found = Bundle(url: url) else { throw CocoaError(.fileNoSuchFile) }
        bundle = found
        self.isOwn = isOwn
    }

    /// Tells the program of the folder, once it has all that it is to have: whoever looks for models meanwhile keeps a list of
    /// what is there.
    private func publish() {
        guard isOwn else { return }
        let url = url
        ModelBundles.register { Bundle(url: url) ?? .main }
    }

    func add(_ versions: [String: NSManagedObjectModel], current: String, as name: String) throws -> URL {
        let place = url.appendingPathComponent("\(name).momd")
        try ModelVersions(models: versions, currentVersionName: current).writeCompiled(to: place)
        publish()
        return place
    }

    /// Adds a compiled mapping model that copies or transforms some entities.
    ///
    /// - Parameter isDamaged: whether a part of it can't be read.
    func add(
        _ mappings: [EntityMappingDescription], as name: String, isDamaged: Bool = false
    ) throws {
        var data = try CompiledMappingWriter.data(for: MappingModelDescription(entityMappings: mappings))
        if isDamaged {
            // Another class of the same length, which nobody knows.
            let known = Data("NSConstantValueExpression".utf8)
            guard let place = data.range(of: known) else { throw CocoaError(.fileReadCorruptFile) }
            data.replaceSubrange(place, with: Data("NSKonstantValueExpression".utf8))
        }
        try data.write(to: url.appendingPathComponent("\(name).cdm"))
        publish()
    }

    /// Adds the source of a mapping model, as Xcode writes it, that maps one entity and its text, between two versions of a model.
    func addSource(_ name: String, entity: String, from source: String, to destination: String) throws {
        func attributes(_ values: [(String, String)]) -> String {
            values.map { #"<attribute name="\#($0)" type="string">\#($1)</attribute>"# }.joined()
        }
        func relationship(_ name: String, _ id: String) -> String {
            #"<relationship name="\#(name)" type="0/0" destination="X" idrefs="\#(id)"></relationship>"#
        }
        let objects = [
            ("XDDEVATTRIBUTEMAPPING", attributes([("name", "text")])),
            (
                "XDDEVENTITYMAPPING",
                attributes([
                    ("sourcename", entity), ("destinationname", entity), ("mappingtypename", "Undefined"),
                ]) + relationship("attributemappings", "z1")
            ),
            (
                "XDDEVMAPPINGMODEL",
                attributes([
                    ("sourcemodelpath", "App/M.xcdatamodeld/\(source).xcdatamodel"),
                    ("destinationmodelpath", "App/M.xcdatamodeld/\(destination).xcdatamodel"),
                ]) + relationship("entitymappings", "z2")
            ),
        ].enumerated().map { #"<object type="\#($1.0)" id="z\#($0 + 1)">\#($1.1)</object>"# }
        let folder = url.appendingPathComponent("\(name).xcmappingmodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = #"<?xml version="1.0" standalone="no"?><database>\#(objects.joined())</database>"#
        try Data(text.utf8).write(to: folder.appendingPathComponent("xcmapping.xml"))
        publish()
    }

    /// A mapping that gives all objects of an entity a fixed text, which no inferred mapping would.
    static func mapping(
        _ name: String, from source: NSManagedObjectModel, to destination: NSManagedObjectModel, text: String
    ) -> EntityMappingDescription {
        var mapping = EntityMappingDescription(name: "\(name)To\(name)", kind: .transform)
        (mapping.sourceEntityName, mapping.destinationEntityName) = (name, name)
        mapping.sourceEntityVersionHash = source.entityVersionHashesByName[name]
        mapping.destinationEntityVersionHash = destination.entityVersionHashesByName[name]
        mapping.sourceExpression = .fetch(
            request: NSExpression(
                forFunction: NSExpression(forVariable: "manager"),
                selectorName: NSMigrationManager.Function.sourceRequest,
                arguments: [
                    NSExpression(forConstantValue: name), NSExpression(forConstantValue: "TRUEPREDICATE"),
                ]),
            context: NSExpression(format: "$manager.sourceContext"),
            countOnly: false)
        mapping.attributeMappings = [
            PropertyMappingDescription(
                name: "text", valueExpression: .expression(NSExpression(forConstantValue: text)))
        ]
        return mapping
    }
}

extension NSPersistentStoreCoordinator {
    /// Opens a store with both options of automatic migration, and gives a context for it.
    static func context(
        _ model: NSManagedObjectModel, at url: URL, type: String = NSSQLiteStoreType, configuration: String? = nil,
        options: [String: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: configuration, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func close() throws { for store in persistentStores { try remove(store) } }
}

extension NSManagedObjectContext {
    func closeStores() throws { try persistentStoreCoordinator?.close() }
}
