import Foundation
import ManagedObjectModel

/// Whether a store was made for the coordinator's model.
enum StoreCompatibility {
    /// Whether a store with that metadata isn't refused: its hashes are those of the model, or aren't compared.
    static func fits(
        _ metadata: [String: Any], model: NSManagedObjectModel, configuration: String?, options: [AnyHashable: Any]?
    ) -> Bool {
        if options?.isSet(NSIgnorePersistentStoreVersioningOption) == true { return true }
        guard metadata[NSStoreModelVersionHashesKey] is [String: Data] else { return true }
        return model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
    }

    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` (134100), which names what differs.
    static func check(
        _ store: NSPersistentStore, model: NSManagedObjectModel, options: [AnyHashable: Any]?
    ) throws {
        let configuration = store.requestedConfiguration
        guard let metadata = store.metadata,
            !fits(metadata, model: model, configuration: configuration, options: options)
        else { return }
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
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
