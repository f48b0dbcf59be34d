@_spi(GeneratedCode) import CoreData
import ForeignExtensions
import Foundation
import Testing

private typealias ForeignTwin = ForeignExtensions.Twin

/// Has the name of a class of another target.
class Twin: NSManagedObject {}

/// What generated code does, once.
private enum Registration {
    static let own: Void = GeneratedClasses.register(classes: { ["Twin": Twin.self] }, keyPaths: { [:] })
    static let foreign: Void = GeneratedClasses.register(classes: { ["Twin": ForeignTwin.self] }, keyPaths: { [:] })
}

@Suite("Of classes of one name, the one of the model's target is meant")
struct TwinClassTests {
    private func withModel(ofTarget target: String, _ body: (NSManagedObjectModel) throws -> Void) throws {
        _ = (Registration.own, Registration.foreign)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("Some_Package_\(target).resources/Twins.xcdatamodel")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Twin" representedClassName="Twin">
                    <attribute name="name" optional="YES" attributeType="String"/>
                </entity>
            </model>
            """
        try Data(text.utf8).write(to: source.appendingPathComponent("contents"))
        try body(try #require(NSManagedObjectModel(contentsOf: source)))
    }

    private func made(by model: NSManagedObjectModel) throws -> NSManagedObject {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Twin", into: context)
            try context.save()
            return object
        }
    }

    @Test("The class of the target whose resource the model is")
    func ownTarget() throws {
        try withModel(ofTarget: "ForeignExtensionsTests") { model in
            let object = try made(by: model)
            #expect(object is Twin)
        }
        try withModel(ofTarget: "ForeignExtensions") { model in
            let object = try made(by: model)
            #expect(object is ForeignTwin)
        }
    }

    @Test("So it is in copies and merged models")
    func copies() throws {
        try withModel(ofTarget: "ForeignExtensionsTests") { model in
            // A copy of a model is a model.
            let copied = try made(by: model.copy() as! NSManagedObjectModel)
            #expect(copied is Twin)
            let merged = try made(by: try #require(NSManagedObjectModel(byMerging: [model])))
            #expect(merged is Twin)
        }
    }
}
