import Foundation
import ManagedObjectModel

/// Whether a store was made for the coordinator's model.
enum StoreCompatibility {
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` (134100), which names what differs.
    static func check(
        _ store: NSPersistentStore, model: NSManagedObjectModel, options: [AnyHashable: Any]?
    ) throws {
        if options?.isSet(NSIgnorePersistentStoreVersioningOption) == true { return }
        guard let metadata = store.metadata,
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        else { return }
        let configuration = store.requestedConfiguration
        guard !model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) else { return }
        let expected = Set((model.storedEntities(forConfigurationName: configuration) ?? []).compactMap(\.name))
        let mine = model.entityVersionHashesByName.filter { expected.contains($0.key) }
        throw CoreDataError.make(
            NSPersistentStoreIncompatibleVersionHashError,
            "The model used to open the store is incompatible with the one used to create the store at "
                + "\(store.place).\n\(differences(store: hashes, model: mine, of: store, model))"
                + "\nMigrate the store, or open it with the model that it was made for.",
            [
                "metadata": metadata,
                "reason": "The model used to open the store is incompatible with the one used to create the store",
            ])
    }

    private static func differences(
        store hashes: [String: Data], model mine: [String: Data], of store: NSPersistentStore,
        _ model: NSManagedObjectModel
    ) -> String {
        let cached = store.modelOfStore
        var lines: [String] = []
        for name in Set(hashes.keys).union(mine.keys).sorted() {
            switch (hashes[name], mine[name]) {
            case (let theirs?, let ours?) where theirs != ours:
                let detail = EntityDifferences.text(of: name, store: cached, model: model)
                lines.append("  - entity '\(name)' differs" + (detail.isEmpty ? "" : ": \(detail)"))
            case (.some, nil): lines.append("  - entity '\(name)' is in the store only")
            case (nil, .some): lines.append("  - entity '\(name)' is in the model only")
            default: break
            }
        }
        return lines.joined(separator: "\n")
    }
}
