import CoreData
import Foundation
import ManagedObjectModel
import Testing

@Suite("The model that a store carries has the hashes of the store's metadata", .enabled(if: CachedStores.arePresent))
struct ModelCacheTests {
    @Test("Every entity, the digest and the checksum, in every store of Apple's", arguments: CachedStores.paths)
    func hashes(path: String) throws {
        let url = CachedStores.folder.appendingPathComponent(path)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        let model = try NSPersistentStoreCoordinator.cachedModel(forStoreAt: url)
        let stored = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        let own = model.entityVersionHashesByName
        let differing = Set(own.keys).union(stored.keys).filter { own[$0] != stored[$0] }.sorted()
        #expect(differing.isEmpty)
        if let checksum = metadata["NSStoreModelVersionChecksumKey"] as? String {
            #expect(model.versionChecksum == checksum)
        }
        if let digest = metadata["NSStoreModelVersionHashesDigest"] as? String {
            #expect(VersionHasher.digest(of: own) == digest)
        }
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let merged = try #require(NSManagedObjectModel(byMerging: [model], forStoreMetadata: metadata))
        #expect(merged.entityVersionHashesByName == stored)
    }

    @Test("Written as a source model and as a compiled one it stays what it is", arguments: CachedStores.paths)
    func roundTrip(path: String) throws {
        let model = try NSPersistentStoreCoordinator.cachedModel(
            forStoreAt: CachedStores.folder.appendingPathComponent(path))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let versions = ModelVersions(models: ["Model": model], currentVersionName: "Model")
        let (source, compiled) = (
            folder.appendingPathComponent("Model.xcdatamodeld"), folder.appendingPathComponent("Model.momd")
        )
        let omissions = try versions.writeSource(to: source)
        try versions.writeCompiled(to: compiled)
        #expect(try ModelFile.read(compiled) == model)
        let copy = try ModelFile.read(source)
        #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
        let changes = ModelDifference(from: model, to: copy).changes
        #expect(changes.isEmpty || !omissions.isEmpty, "\(omissions.prefix(3)) \(changes.prefix(3))")
    }

    @Test("There are such stores")
    func presence() {
        #expect(CachedStores.paths.count > 20)
    }
}

/// Apple's stores that have a model cache, as the bytes of their schema say.
enum CachedStores {
    static let folder = TestFiles.fixtures

    static var arePresent: Bool { !paths.isEmpty }

    static let paths: [String] = {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent("oracle.json")),
            let stores = try? JSONSerialization.jsonObject(with: data) as? [String: [String: Any]]
        else { return [] }
        return stores.keys.sorted().filter { path in
            ["", "-wal"].contains { suffix in
                let bytes = try? Data(contentsOf: folder.appendingPathComponent(path + suffix), options: .alwaysMapped)
                return bytes?.range(of: Data("CREATE TABLE Z_MODELCACHE".utf8)) != nil
            }
        }
    }()
}
