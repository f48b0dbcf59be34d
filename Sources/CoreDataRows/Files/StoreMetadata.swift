import Foundation
import ManagedObjectModel

/// The part of a store's metadata that says which model it was made for.
package enum StoreMetadata {
    /// The key that says that a store is being filled with the objects of another one, in several transactions.
    package static let unfinishedCopyKey = "OpenCoreDataUnfinishedCopy"

    package static func addModelVersion(
        _ model: NSManagedObjectModel, configuration: String?, to metadata: inout [String: Any]
    ) {
        let names = Set((model.storedEntities(forConfigurationName: configuration) ?? []).compactMap(\.name))
        metadata[NSStoreModelVersionHashesKey] = model.entityVersionHashesByName.filter { names.contains($0.key) }
        metadata[NSStoreModelVersionIdentifiersKey] = model.versionIdentifiers.compactMap { $0 as? String }.sorted()
        metadata["NSStoreModelVersionHashesVersion"] = 3
        metadata["NSPersistenceFrameworkVersion"] = 1340
    }

    /// Metadata that a program sets, with what the store itself says that they lack: who it is, and which model it is of.
    /// Without that the file couldn't be migrated any more. (Apple, setMetadata(_:for:): Core Data sees to its own keys.)
    package static func completed(_ metadata: [String: Any], as present: [String: Any]) -> [String: Any] {
        var kept = present.filter { identity.contains($0.key) }
        if metadata[NSStoreModelVersionHashesKey] == nil {
            kept.merge(present.filter { modelVersion.contains($0.key) }) { first, _ in first }
        }
        return metadata.merging(kept) { given, _ in given }
    }

    private static let identity: Set<String> = [NSStoreTypeKey, NSStoreUUIDKey, "_NSAutoVacuumLevel"]

    private static let modelVersion: Set<String> = [
        NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey, "NSStoreModelVersionHashesVersion",
        "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey", "NSPersistenceFrameworkVersion",
        "NSPersistenceMaximumFrameworkVersion",
    ]
}
