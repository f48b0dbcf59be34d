import Foundation
import ManagedObjectModel

/// The part of a store's metadata that says which model it was made for.
enum StoreMetadata {
    static func addModelVersion(
        _ model: NSManagedObjectModel, configuration: String?, to metadata: inout [String: Any]
    ) {
        let names = Set((model.storedEntities(forConfigurationName: configuration) ?? []).compactMap(\.name))
        metadata[NSStoreModelVersionHashesKey] = model.entityVersionHashesByName.filter { names.contains($0.key) }
        metadata[NSStoreModelVersionIdentifiersKey] = model.versionIdentifiers.compactMap { $0 as? String }.sorted()
        metadata["NSStoreModelVersionHashesVersion"] = 3
        metadata["NSPersistenceFrameworkVersion"] = 1340
    }
}
