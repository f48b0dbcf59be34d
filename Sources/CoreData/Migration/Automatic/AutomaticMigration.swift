import Foundation
import ManagedObjectModel

/// What happens to a store of another model when it is added with the option to migrate.
struct AutomaticMigration {
    let url: URL
    let type: String
    let storeClass: NSPersistentStore.Type
    let configuration: String?
    let options: [AnyHashable: Any]
    let destination: NSManagedObjectModel

    /// Nil where the options don't ask for one.
    init?(
        url: URL, type: String, storeClass: NSPersistentStore.Type, configuration: String?,
        options: [AnyHashable: Any]?, destination: NSManagedObjectModel
    ) {
        guard let options, options.isSet(NSMigratePersistentStoresAutomaticallyOption),
            !options.isSet(NSIgnorePersistentStoreVersioningOption), !options.isSet(NSReadOnlyPersistentStoreOption)
        else { return nil }
        self.url = url
        self.type = type
        self.storeClass = storeClass
        self.configuration = configuration
        self.options = options
        self.destination = destination
    }

    /// Whether a store of that metadata has to be migrated.
    func isNeeded(_ metadata: [String: Any]?) -> Bool {
        guard let metadata, NSManagedObjectModel.versionHashes(in: metadata) != nil else { return false }
        return !destination.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
    }

    /// Migrates a store that was opened, where it has to be, and opens it again.
    func runIfNeeded(on store: inout NSPersistentStore, _ makeStore: () -> NSPersistentStore) throws {
        guard isNeeded(store.metadata) else { return }
        store.willRemove(from: nil)
        try MigrationLock(url, of: storeClass, options: options).hold {
            // Another process or stack may have migrated the store while this one waited.
            store = makeStore()
            try store.loadMetadata()
            guard isNeeded(store.metadata) else { return }
            let metadata = store.metadata ?? [:]
            store.willRemove(from: nil)
            try run(metadata)
            store = makeStore()
            try store.loadMetadata()
        }
    }

    /// - Throws: 134100 where the model has no entities, 134130 where the store's model isn't found, 134140 where there is no mapping model and none may be
    ///   inferred, or can be, or one that may be meant can't be read, 134110 where all that is missing are values; the store is as it was
    ///   then.
    func run(_ metadata: [String: Any]) throws {
        if let staged = options[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager {
            return try StagedMigration(self, manager: staged).run(metadata)
        }
        try refuseNoEntities(metadata)
        let source = try SourceModels.model(
            forStoreAt: url, of: storeClass, metadata: metadata, configuration: configuration)
        let mapping = try NSMappingModel.find(in: nil, from: source, to: destination)
        guard mapping != nil || options.isSet(NSInferMappingModelAutomaticallyOption) else {
            throw MigrationError.make(
                "Can't find a mapping model for the migration of \(url.path) in the bundles. Add one, or let one be "
                    + "inferred (NSInferMappingModelAutomaticallyOption). The changes are:\n"
                    + ModelDifference(from: source, to: destination).changes.map { "  - \($0)" }.joined(separator: "\n"),
                code: NSMigrationMissingMappingModelError,
                // Apple's text, which programs compare with.
                ["reason": "Can't find mapping model for migration"])
        }
        if mapping?.isInferred ?? true {
            let obstacles = ModelDifference(from: source, to: destination).obstacles
            guard obstacles.isEmpty else {
                throw MigrationError.notOpened(obstacles, from: source, to: destination)
            }
        }
        try migrate(from: source, to: destination, mapping: mapping)
        if mapping == nil { logRemovals(from: source) }
    }

    /// An older program, or another one, that opens a store drops what its model doesn't have: the log at least says so.
    private func logRemovals(from source: NSManagedObjectModel) {
        let removed = ModelDifference(from: source, to: destination).changes.filter { $0.kind == .removed }
        guard !removed.isEmpty else { return }
        let names = removed.map { [$0.entity, $0.property].compactMap(\.self).joined(separator: ".") }
        CoreDataLog.write(
            "The migration of \(url.path) has removed what the program's model doesn't have: \(names.joined(separator: ", "))",
            atLevel: 0)
    }

    /// A destination without entities means, as a rule, that the program's model wasn't found: a migration would delete everything.
    private func refuseNoEntities(_ metadata: [String: Any]) throws {
        let entities =
            configuration.map { destination.entities(forConfigurationName: $0) ?? [] } ?? destination.entities
        guard entities.isEmpty, let hashes = NSManagedObjectModel.versionHashes(in: metadata), !hashes.isEmpty else {
            return
        }
        throw MigrationError.make(
            "The model \(configuration.map { "has no entities in the configuration \"\($0)\"" } ?? "has no entities"), and the store at "
                + "\(url.path) has \(hashes.keys.sorted().joined(separator: ", ")): it isn't migrated to nothing. "
                + "Was the program's model found?",
            code: NSPersistentStoreIncompatibleVersionHashError, [:])
    }

    /// - Parameters:
    ///   - label: what is recorded of the migration in persistent history, beside that it took place.
    ///   - acceptsRequiredValues: whether a property may become required where every object has a value for it.
    func migrate(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, mapping: NSMappingModel? = nil,
        label: String? = nil, acceptsRequiredValues: Bool = false
    ) throws {
        try StoreMigration(
            url: url, type: type, configuration: configuration, options: options, source: source,
            destination: destination, mappingModel: mapping, label: label,
            acceptsRequiredValues: acceptsRequiredValues
        ).run()
    }
}
