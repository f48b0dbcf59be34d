import Foundation
import ManagedObjectModel

/// Finds the model that a store was made for.
enum SourceModels {
    /// Among all versions of the models of all bundles; where none has it, the model that the store itself carries.
    ///
    /// - Parameter known: models that the caller has, which come first.
    /// - Throws: `NSMigrationMissingSourceModelError` (134130) that names the entities nobody knows.
    static func model(
        forStoreAt url: URL, of storeClass: NSPersistentStore.Type, metadata: [String: Any], configuration: String?,
        known: [NSManagedObjectModel] = []
    ) throws -> NSManagedObjectModel {
        func fits(_ model: NSManagedObjectModel) -> Bool {
            model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
                || configuration.map { model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
                    ?? false
        }
        if let model = known.first(where: fits) { return model }
        let versions = versions(in: allBundles)
        if let model = versions.first(where: fits) { return model }
        var failure: (any Error)?
        do {
            if let carried = try storeClass.modelCarried(byStoreAt: url), fits(carried) { return carried }
        } catch {
            failure = error
        }
        if let merged = NSManagedObjectModel(byMerging: versions, forStoreMetadata: metadata) { return merged }
        let wanted = NSManagedObjectModel.versionHashes(in: metadata) ?? [:]
        let present = Set(versions.flatMap { $0.entityVersionHashesByName.filter { wanted[$0.key] == $0.value }.keys })
        let unknown = wanted.keys.filter { !present.contains($0) }.sorted()
        var info: [String: Any] = ["entities": unknown]
        info[NSUnderlyingErrorKey] = failure
        throw MigrationError.make(
            "Can't find the model for the source store \(url.path): no version of a model in the bundles, nor the store "
                + "itself, has these versions of its entities: \(unknown.joined(separator: ", ")). Keep old versions in "
                + "the .xcdatamodeld.", code: NSMigrationMissingSourceModelError, info)
    }

    static var allBundles: [Bundle] {
        var seen: Set<URL> = []
        return ([Bundle.main] + Bundle.allBundles + Bundle.allFrameworks + resourceBundles).filter {
            seen.insert($0.bundleURL.standardizedFileURL).inserted
        }
    }

    /// SwiftPM puts the resources of each target into a bundle beside the program, which nothing lists.
    private static var resourceBundles: [Bundle] {
        let folder = Bundle.main.bundleURL
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted()
            .compactMap { Bundle(url: folder.appendingPathComponent($0)) }
    }

    /// All versions of all models of the bundles; files that can't be read count as none.
    static func versions(in bundles: [Bundle]) -> [NSManagedObjectModel] {
        bundles.flatMap { bundle in
            ["momd", "mom"].flatMap { bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? [] }
        }.compactMap { try? ModelFile.readVersions($0 as URL) }
            .flatMap { $0.models.sorted { $0.key < $1.key }.map(\.value) }
    }
}
