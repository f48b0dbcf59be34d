@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate

/// One migration by a manager, from opening the stores to closing them.
struct MigrationRun {
    let manager: NSMigrationManager
    let mappingModel: NSMappingModel?
    /// Called with the part that is done, from 0 to 1.
    var progress: (Float) -> Void = { _ in }

    /// How many objects are in memory at once, beside those that policies hold.
    private static let batchSize = 500

    func run(from source: MigrationStore, to destination: MigrationStore) throws {
        guard let mappingModel else {
            throw MigrationError.make(
                "There is no mapping model for the migration of \(source.url.path).",
                code: NSMigrationMissingMappingModelError)
        }
        try checkHashes(mappingModel)
        let (sourceStore, sourceContext) = try source.open(
            manager.sourceModel, isReadOnly: true, code: NSMigrationManagerSourceStoreError)
        // A store that has left its coordinator already is where it is meant to be.
        defer { try? sourceStore.persistentStoreCoordinator?.remove(sourceStore) }
        try sourceStore.requireUndamaged()
        let result = try MigrationResult(at: destination)
        let (destinationStore, destinationContext) = try result.open(manager.destinationModel, from: sourceStore)
        // A store that has left its coordinator already is where it is meant to be.
        defer { try? destinationStore.persistentStoreCoordinator?.remove(destinationStore) }
        destinationContext.savesUnvalidated = true
        manager.mappingModel = mappingModel
        manager.mappedRelationships = MappedRelationship.all(in: mappingModel)
        manager.sourceContext = sourceContext
        manager.destinationContext = destinationContext
        manager.sourceStore = sourceStore
        manager.destinationStore = destinationStore
        manager.migrationProgress = 0
        defer { close() }
        copyAddedMetadata(from: sourceStore, to: destinationStore)
        let watch = watchDeletions(in: destinationContext)
        defer { NotificationCenter.default.removeObserver(watch) }
        try result.make(destinationStore, destinationContext) {
            try sourceContext.performAndWait {
                try destinationContext.performAndWait { try migrate(mappingModel.entityMappings) }
            }
        }
    }

    /// Policies may save by themselves, too.
    private func watchDeletions(in context: NSManagedObjectContext) -> any NSObjectProtocol {
        // Safe: a context posts where it saves, which is inside of the migration, on its thread.
        nonisolated(unsafe) let manager = manager
        return NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { notification in
            let deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>
            if let deleted, !deleted.isEmpty { manager.forgetDeleted(deleted) }
        }
    }

    private func close() {
        manager.currentEntityMapping = nil
        manager.sourceContext = nil
        manager.destinationContext = nil
        manager.sourceStore = nil
        manager.destinationStore = nil
        manager.additions = []
        manager.attributePlans = [:]
        manager.mappedRelationships = []
        manager.migrationProgress = 1
    }

    /// What an app has added to the metadata comes along (our choice; the UUID is new, as the objects have new IDs).
    private func copyAddedMetadata(from source: NSPersistentStore, to destination: NSPersistentStore) {
        let present = destination.metadata ?? [:]
        let added = (source.metadata ?? [:]).filter { key, _ in
            present[key] == nil && !key.hasPrefix("NS") && !key.hasPrefix("_NS")
        }
        if !added.isEmpty { destination.metadata = present.merging(added) { first, _ in first } }
    }

    private func checkHashes(_ model: NSMappingModel) throws {
        for mapping in model.entityMappings {
            for (wanted, entity) in [
                (mapping.sourceEntityVersionHash, manager.sourceEntity(for: mapping)),
                (mapping.destinationEntityVersionHash, manager.destinationEntity(for: mapping)),
            ] {
                guard let wanted, let entity, wanted != entity.versionHash else { continue }
                throw MigrationError.make(
                    "Mismatch between mapping and source/destination models: the mapping \(mapping.name ?? "") is for "
                        + "another version of '\(entity.name ?? "")'.", code: NSMigrationError,
                    ["entity": entity.name ?? ""])
            }
        }
    }

    // MARK: Passes

    private func migrate(_ mappings: [NSEntityMapping]) throws {
        var policies: [NSEntityMigrationPolicy] = []
        for (place, mapping) in mappings.enumerated() {
            let policy = try MigrationPolicyClasses.policy(for: mapping)
            policies.append(policy)
            manager.currentEntityMapping = mapping
            try manager.checkCancellation()
            try policy.begin(mapping, with: manager)
            try createInstances(mapping, policy) { report($0, of: place, pass: 0, mappings.count) }
            try policy.endInstanceCreation(forMapping: mapping, manager: manager)
            try manager.flush()
        }
        for (place, mapping) in mappings.enumerated() {
            manager.currentEntityMapping = mapping
            try manager.checkCancellation()
            try createRelationships(mapping, policies[place]) { report($0, of: place, pass: 1, mappings.count) }
            try policies[place].endRelationshipCreation(forMapping: mapping, manager: manager)
            try manager.flush()
        }
        for (place, mapping) in mappings.enumerated() {
            manager.currentEntityMapping = mapping
            try manager.checkCancellation()
            try policies[place].performCustomValidation(forMapping: mapping, manager: manager)
            try policies[place].end(mapping, manager: manager)
            try manager.flush()
            report(1, of: place, pass: 2, mappings.count)
        }
        try validate(mappings)
    }

    private func report(_ fraction: Float, of place: Int, pass: Int, _ count: Int) {
        manager.migrationProgress = (Float(pass) + (Float(place) + fraction) / Float(max(1, count))) / 3
        progress(manager.migrationProgress)
    }

    private func createInstances(
        _ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy, _ report: (Float) -> Void
    ) throws {
        guard mapping.mappingType != .removeEntityMappingType, let sources = try sourceObjects(of: mapping) else {
            return
        }
        for start in stride(from: 0, to: sources.count, by: Self.batchSize) {
            for source in try sources.batch(start..<min(start + Self.batchSize, sources.count)) {
                try manager.checkCancellation()
                try policy.createDestinationInstances(forSource: source, in: mapping, manager: manager)
            }
            try manager.flush()
            report(Float(start) / Float(sources.count))
        }
    }

    /// Objects are fetched by their identity, a batch at a time, unless the mapping has an expression of its own kind.
    private struct Sources {
        var objects: [NSManagedObject] = []
        var identities: [NSManagedObjectID] = []
        var fetch: (ArraySlice<NSManagedObjectID>) throws -> [NSManagedObject] = { _ in [] }

        var count: Int { max(objects.count, identities.count) }

        func batch(_ range: Range<Int>) throws -> [NSManagedObject] {
            identities.isEmpty ? Array(objects[range]) : try fetch(identities[range])
        }
    }

    private func sourceObjects(of mapping: NSEntityMapping) throws -> Sources? {
        guard let expression = mapping.sourceExpression else { return nil }
        let bindings: [String: Any] = ["manager": manager, "entityMapping": mapping]
        let place = "the source of the mapping \(mapping.name ?? "")"
        guard let fetch = expression as? NSFetchRequestExpression, !fetch.isCountOnlyRequest else {
            return Sources(
                objects: NSManagedObject.objects(in: try manager.evaluate(expression, bindings, for: place)))
        }
        let request = try manager.evaluate(fetch.requestExpression, bindings, for: place) as? AnyFetchRequest
        let context =
            try manager.evaluate(fetch.contextExpression, bindings, for: place) as? NSManagedObjectContext
        guard let erased = request?.erasedCopy(), let context else {
            throw MigrationError.make(
                "The expression \(expression) for \(place) is no fetch.", code: NSEntityMigrationPolicyError)
        }
        guard context === manager.sourceContext, let name = erased.entityName ?? erased.entity?.name else {
            return Sources(objects: NSManagedObject.objects(in: try context.fetch(erased) as [Any]))
        }
        let keys = NSFetchRequest<NSManagedObjectID>(entityName: name)
        keys.state = erased.state
        keys.resultType = .managedObjectIDResultType
        let identities = try context.fetch(keys)
        return Sources(identities: identities) { try Self.objects($0, entity: name, in: context) }
    }

    /// The objects of these identities, read at once, in their order.
    private static func objects(
        _ identities: some Sequence<NSManagedObjectID>, entity: String, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let list = Array(identities)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "SELF IN %@", list)
        request.returnsObjectsAsFaults = false
        var objects: [NSManagedObjectID: NSManagedObject] = [:]
        for object in try context.fetch(request) { objects[object.objectID] = object }
        return list.compactMap { objects[$0] }
    }

    private func createRelationships(
        _ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy, _ report: (Float) -> Void
    ) throws {
        try forEachNewObject(of: mapping, where: { self.hasRelationshipsToSet(mapping, policy, $0) }) { destination in
            try manager.checkCancellation()
            try policy.createRelationships(forDestination: destination, in: mapping, manager: manager)
        } afterBatch: { fraction in
            try manager.flush()
            report(fraction)
        }
    }

    /// Whether the policy has to be asked for objects of an entity. That class itself does nothing without relationships.
    private func hasRelationshipsToSet(
        _ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy, _ layout: EntityLayout
    ) -> Bool {
        type(of: policy) != NSEntityMigrationPolicy.self
            || !manager.relationshipsToSet(by: mapping, of: layout).isEmpty
    }

    /// Goes through the new objects of a mapping, those of some entities, with what they were made from at hand.
    private func forEachNewObject(
        of mapping: NSEntityMapping, holdsSources: Bool = true, where isMeant: (EntityLayout) -> Bool,
        _ body: (NSManagedObject) throws -> Void, afterBatch: (Float) throws -> Void
    ) throws {
        let name = mapping.name ?? ""
        let count = manager.associations.count(mapping: name)
        guard let entity = mapping.destinationEntityName else { return }
        let layouts = manager.destinationContext.model.entities
        let meant = Set(layouts.filter(isMeant).map { Int32($0.index) })
        for start in stride(from: 0, to: count, by: Self.batchSize) {
            let pairs = (start..<min(start + Self.batchSize, count)).compactMap {
                manager.associations.newObject($0, mapping: name)
            }.filter { meant.contains($0.destination.entityIndex) }
            if pairs.isEmpty { continue }
            // Held so that neither has to be read again for each object.
            let objects = try Self.objects(
                pairs.map { manager.destinationObject($0.destination).objectID }, entity: entity,
                in: manager.destinationContext)
            let sources = try holdsSources ? self.sources(pairs.map(\.source), of: mapping) : []
            try withExtendedLifetime(sources) {
                // The body may delete objects as well.
                for object in objects where !object.isToBeDeleted { try body(object) }
                try afterBatch(Float(start) / Float(max(1, count)))
            }
        }
    }

    private func sources(_ keys: [ObjectKey], of mapping: NSEntityMapping) throws -> [NSManagedObject] {
        guard let entity = mapping.sourceEntityName else { return [] }
        return try Self.objects(
            keys.map { manager.sourceObject($0).objectID }, entity: entity, in: manager.sourceContext)
    }

    /// Checks the rules of the destination's model, which saving has left out so far, for all that the migration has made.
    private func validate(_ mappings: [NSEntityMapping]) throws {
        var failures: [any Error] = []
        func check(_ object: NSManagedObject) {
            guard failures.count < 100 else { return }
            do { try object.validateForInsert() } catch { failures.append(error) }
        }
        for mapping in mappings {
            manager.currentEntityMapping = mapping
            try forEachNewObject(of: mapping, holdsSources: false, where: { !$0.ruledProperties.isEmpty }) { object in
                if manager.associations.firstMapping(of: object.savedKey) == mapping.name ?? "" { check(object) }
            } afterBatch: { _ in
                try manager.checkCancellation()
            }
        }
        manager.ownAdditions.forEach(check)
        try ObjectValidation.throwCombined(failures)
    }
}
