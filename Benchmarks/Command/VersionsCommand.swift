import ArgumentParser
import CoreData
import Foundation

/// Times what an app with many versions of its model does when it starts: finding the version of a store, and bringing a small store
/// to the current one.
///
/// No other side has versions to look through, so the table of ``CompareCommand`` has no line for it.
struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "Times finding a store's version among many versions of a model, and an automatic migration from it.")

    @Option(help: "How many versions the model has.")
    var versions = 117

    @Option(help: "How many entities each version has.")
    var entities = 60

    @Option(help: "How often each is timed, in a process of its own.")
    var rounds = 5

    /// Whether this is the program beside which the model lies.
    @Flag(help: .hidden)
    var isBesideModel = false

    private static let modelName = "Versions"

    func run() throws {
        if isBesideModel { return try time() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("versions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try writeModel(to: folder.appendingPathComponent("\(Self.modelName).momd"))
        // Models are looked for beside the program.
        let program = folder.appendingPathComponent("program")
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(), to: program)
        for _ in 0..<rounds {
            let process = Process()
            process.executableURL = program
            process.arguments = [
                "versions", "--is-beside-model", "--versions", "\(versions)", "--entities", "\(entities)",
            ]
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw BenchmarkError("the program beside the model failed") }
        }
    }

    /// A version has a property that the one before it hasn't.
    private func version(_ number: Int) -> NSManagedObjectModel {
        let model = RingModel.make(entities: entities, attributes: 10)
        let added = NSAttributeDescription()
        added.name = "addedIn\(number)"
        added.attributeType = .stringAttributeType
        added.isOptional = true
        model.entitiesByName["Entity0"]?.properties += [added]
        return model
    }

    private func name(_ number: Int) -> String { "\(Self.modelName) \(number)" }

    private func writeModel(to url: URL) throws {
        let models = (0..<versions).map { (name($0), version($0)) }
        try ModelVersions(
            models: Dictionary(uniqueKeysWithValues: models), currentVersionName: name(versions - 1)
        ).writeCompiled(to: url)
    }

    private func time() throws {
        let folder = try Bundle.main.resourceURL ?? { throw BenchmarkError("the program has no folder") }()
        let store = folder.appendingPathComponent("store.sqlite")
        let old = version(3)
        let metadata = [NSStoreModelVersionHashesKey: old.entityVersionHashesByName]
        let clock = ContinuousClock()
        var found: NSManagedObjectModel?
        let lookup = clock.measure {
            found = NSManagedObjectModel.mergedModel(from: [.main], forStoreMetadata: metadata)
        }
        guard found == old else { throw BenchmarkError("the store's version wasn't found") }
        let first = NSPersistentStoreCoordinator(managedObjectModel: old)
        try first.remove(first.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: store))
        let current = version(versions - 1)
        let migration = try clock.measure {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: current)
            let options = [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ]
            try coordinator.remove(
                coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: options))
        }
        try FileManager.default.removeItem(at: store)
        print(
            "finding the version \(lookup / .milliseconds(1)) ms, automatic migration \(migration / .milliseconds(1)) ms"
        )
    }
}
