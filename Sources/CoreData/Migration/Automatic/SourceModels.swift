import Foundation
import ManagedObjectModel

/// Finds the model that a store was made for.
enum SourceModels {
    /// Among all versions of the models of the program's bundles; where none has it, the model that the store itself carries.
    ///
    /// - Parameter known: models that the caller has, which come first.
    /// - Throws: `NSMigrationMissingSourceModelError` (134130) that names the entities which no model has.
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
        let wanted = NSManagedObjectModel.versionHashes(in: metadata) ?? [:]
        let catalog = ModelCatalog(bundles: ModelBundles.ofProgram)
        if let model = catalog.model(withHashes: wanted) ?? catalog.models(havingAll: wanted).first(where: fits) {
            return model
        }
        var failure: (any Error)?
        do {
            if let carried = try storeClass.modelCarried(byStoreAt: url), fits(carried) {
                // The store's own copy of the model will do. The log says why the program's file wasn't used.
                for failure in catalog.failures { ModelWarning.write("A model can't be read. \(failure)") }
                return carried
            }
        } catch {
            failure = error
        }
        if let merged = NSManagedObjectModel.merging(catalog, forHashes: wanted, metadata) { return merged }
        throw missing(catalog.unknownEntities(of: wanted), store: url, unreadable: catalog.failures, cause: failure)
    }

    private static func missing(
        _ entities: [String], store url: URL, unreadable: [ModelFileError], cause: (any Error)?
    ) -> NSError {
        var info: [String: Any] = ["entities": entities]
        info[NSUnderlyingErrorKey] = cause ?? unreadable.first
        let files = unreadable.map { "\n  - \($0)" }.joined()
        return MigrationError.make(
            "Can't find the model for the source store \(url.path): no version of a model in the bundles, nor the store "
                + "itself, has these versions of its entities: \(entities.joined(separator: ", ")). Keep old versions in "
                + "the .xcdatamodeld." + (files.isEmpty ? "" : " These models can't be read:\(files)"),
            code: NSMigrationMissingSourceModelError, info)
    }
}
