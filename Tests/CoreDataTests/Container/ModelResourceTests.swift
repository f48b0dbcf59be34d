import CoreData
import Foundation
import Testing

@Suite("Models among a program's resources")
struct ModelResourceTests {
    private final class Marker {}

    private let name = "Model\(UUID().uuidString.prefix(8))"

    private func versions() -> [String: NSManagedObjectModel] {
        [
            name: CodedModel.model("Thing\(name)", "number", .integer16AttributeType),
            "\(name) 2": CodedModel.model("Thing\(name)", "number", .integer32AttributeType),
        ]
    }

    @Test("are found by the main bundle and by Bundle(for:), by URL, path and kind, versions in folders too")
    func lookups() throws {
        let resources = try ProgramBundle()
        let file = try resources.add(versions(), current: "\(name) 2", as: name)
        for bundle in [Bundle.main, Bundle(for: Marker.self)] {
            #expect(bundle.url(forResource: name, withExtension: "momd")?.path == file.path)
            #expect(bundle.path(forResource: name, ofType: "momd") == file.path)
            let version = bundle.url(forResource: name, withExtension: "mom", subdirectory: "\(name).momd")
            #expect(version?.path == file.appendingPathComponent("\(name).mom").path)
            #expect(bundle.path(forResource: "\(name) 2", ofType: "mom", inDirectory: "\(name).momd") != nil)
            #expect(
                bundle.urls(forResourcesWithExtension: "momd", subdirectory: nil)?.map(\.path).contains(file.path)
                    == true)
            #expect(bundle.urls(forResourcesWithExtension: "mom", subdirectory: "\(name).momd")?.count == 2)
            #expect(bundle.paths(forResourcesOfType: "momd", inDirectory: nil).contains(file.path))
            #expect(bundle.paths(forResourcesOfType: "mom", inDirectory: "\(name).momd").count == 2)
        }
        #expect(Bundle.main.url(forResource: name, withExtension: "json") == nil)
    }

    @Test("are found by containers, and by merging those of Bundle(for:), nil and Bundle.allBundles")
    func containers() throws {
        let resources = try ProgramBundle()
        _ = try resources.add(versions(), current: "\(name) 2", as: name)
        let container = NSPersistentContainer(name: name)
        #expect(container.managedObjectModel.entitiesByName["Thing\(name)"] != nil)
        let old = try #require(versions()[name])
        let metadata: [String: Any] = [NSStoreModelVersionHashesKey: old.entityVersionHashesByName]
        for bundles in [nil, [Bundle(for: Marker.self)], Bundle.allBundles, [resources.bundle]] {
            let merged = NSManagedObjectModel.mergedModel(from: bundles, forStoreMetadata: metadata)
            #expect(merged?.entityVersionHashesByName == old.entityVersionHashesByName)
        }
        let reference = NSManagedObjectModelReference(name: name, in: .main, versionChecksum: old.versionChecksum)
        #expect(reference.resolvedModel.versionChecksum == old.versionChecksum)
    }

    @Test("aren't those of a folder that merely lies beside the program")
    func strays() throws {
        let stray = Bundle.main.bundleURL.appendingPathComponent("Stray_\(name).resources")
        try FileManager.default.createDirectory(at: stray, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: stray) }
        try ModelVersions(models: versions(), currentVersionName: name)
            .writeCompiled(to: stray.appendingPathComponent("\(name).momd"))
        #expect(Bundle.main.url(forResource: name, withExtension: "momd") == nil)
        #expect(NSPersistentContainer(name: name).managedObjectModel.entities.isEmpty)
        let metadata = [NSStoreModelVersionHashesKey: try #require(versions()[name]).entityVersionHashesByName]
        #expect(NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata) == nil)
    }

    @Test("are the version of the store, whole, where others have entities of the same hashes")
    func exactVersion() throws {
        func version(_ transformer: String, others: [String]) -> NSManagedObjectModel {
            let entities = ["A", "B"].map { letter -> NSEntityDescription in
                let entity = CodedModel.entity("\(letter)\(name)", [("value", .transformableAttributeType)])
                entity.attributesByName["value"]?.valueTransformerName = transformer
                return entity
            }
            let model = NSManagedObjectModel()
            model.entities = entities + others.map { CodedModel.entity($0 + name, [("x", .stringAttributeType)]) }
            return model
        }
        let resources = try ProgramBundle(isOwn: false)
        let models = [
            "1": version("First", others: ["C"]), "2": version("Second", others: []),
            "3": version("Third", others: ["D"]),
        ]
        _ = try resources.add(models, current: "3", as: name)
        for (number, model) in models {
            let metadata = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
            let all = models.sorted { $0.key < $1.key }.map(\.value)
            let merged = [
                NSManagedObjectModel.mergedModel(from: [resources.bundle], forStoreMetadata: metadata),
                NSManagedObjectModel(byMerging: all, forStoreMetadata: metadata),
            ]
            for merged in merged {
                let names = merged?.entities.compactMap { $0.attributesByName["value"]?.valueTransformerName } ?? []
                #expect(Set(names).count == 1, "\(number): \(names)")
                #expect(merged == model)
            }
        }
        // Nobody has exactly these: all from one version nevertheless.
        let hashes = models["1"]!.entityVersionHashesByName.filter { !$0.key.hasPrefix("C") && !$0.key.hasPrefix("B") }
        let part = NSManagedObjectModel.mergedModel(
            from: [resources.bundle], forStoreMetadata: [NSStoreModelVersionHashesKey: hashes])
        #expect(part?.entities.map(\.name) == ["A\(name)"])
    }

    @Test("that differ in a transformer, a class or a default aren't equal, whatever their hashes")
    func equality() {
        func model(_ change: (NSAttributeDescription) -> Void) -> NSManagedObjectModel {
            let model = CodedModel.model("Thing", "value", .transformableAttributeType)
            change(model.entities[0].attributesByName["value"]!)
            return model
        }
        let plain = model { _ in }
        let others = [
            model { $0.valueTransformerName = "Transformer" }, model { $0.attributeValueClassName = "Color" },
            model { $0.defaultValue = "default" }, model { $0.renamingIdentifier = "former" },
        ]
        for other in others {
            #expect(other.entityVersionHashesByName == plain.entityVersionHashesByName)
            #expect(other != plain)
            #expect(other.entities[0] != plain.entities[0])
        }
        #expect(plain == model { _ in })
    }

    @Test("have the hashes of what they are now, however often they were asked for before")
    func hashes() {
        let model = CodedModel.model("Thing", "value", .integer16AttributeType)
        var seen = [model.entityVersionHashesByName]
        func step(_ change: () -> Void) {
            change()
            let current = model.entityVersionHashesByName
            #expect(!seen.contains(current))
            seen.append(current)
        }
        let entity = model.entities[0]
        step { entity.attributesByName["value"]?.attributeType = .integer32AttributeType }
        step { entity.attributesByName["value"]?.isOptional = false }
        step { entity.attributesByName["value"]?.name = "renamed" }
        step { entity.properties += [MigrationLibrary.attribute("other", .stringAttributeType)] }
        step { entity.versionHashModifier = "2" }
        step { entity.uniquenessConstraints = [["other"]] }
        step { entity.isAbstract = true }
        step { entity.name = "Other" }
        step { model.entities += [CodedModel.entity("Third", [])] }
    }
}
