@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

// Safe: everything that changes is looked at with the lock held.
/// The models that coordinators use, for the questions that classes are asked without one. Thread-safe.
final class LoadedModels: @unchecked Sendable {
    static let shared = LoadedModels()

    private let lock = NSLock()
    private var entries: [BackReference<ModelLayout>] = []
    /// The same models, which may outlive their coordinators.
    private var models: [WeakModel] = []
    /// The models that were compiled into the program, once they were needed.
    private var compiled: [NSManagedObjectModel]?
    /// What stands for the entities of classes that no model has.
    private var standIns: [ObjectIdentifier: NSEntityDescription] = [:]

    func add(_ model: ModelLayout) {
        lock.withLock {
            entries.removeAll { $0.target == nil }
            if !entries.contains(where: { $0 === model.reference }) { entries.append(model.reference) }
            models.removeAll { $0.model == nil || $0.model === model.model }
            if !model.makesPlainObjects { models.append(WeakModel(model: model.model)) }
        }
    }

    /// The entity of a class. Several models may have it, as when tests load one again and again; the newest counts.
    func entity(ofClass objectClass: NSManagedObject.Type) -> NSEntityDescription {
        let models = lock.withLock { entries.compactMap(\.target) }.filter { !$0.makesPlainObjects }
        for model in models.reversed() {
            if let entity = model.entity(ofClass: objectClass) { return entity }
        }
        return lastingEntity(ofClass: objectClass) ?? compiledEntity(ofClass: objectClass) ?? standIn(for: objectClass)
    }

    /// The entity in a model that the program still retains, such as one that a test shares between its containers.
    private func lastingEntity(ofClass objectClass: NSManagedObject.Type) -> NSEntityDescription? {
        guard objectClass != NSManagedObject.self else { return nil }
        return lock.withLock { models.compactMap(\.model) }.reversed().lazy
            .compactMap { ModelLayout.of($0).entity(ofClass: objectClass) }.first
    }

    private func compiledEntity(ofClass objectClass: NSManagedObject.Type) -> NSEntityDescription? {
        guard objectClass != NSManagedObject.self else { return nil }
        let models = lock.withLock {
            if let compiled { return compiled }
            let urls = ModelBundles.ofProgram.flatMap { bundle in
                ["momd", "mom"].flatMap { kind -> [URL] in
                    bundle.urls(forResourcesWithExtension: kind, subdirectory: nil) ?? []
                }
            }
            let models: [NSManagedObjectModel] = urls.compactMap { NSManagedObjectModel(contentsOf: $0) }
            compiled = models
            return models
        }
        let entities = models.flatMap { $0.entities }.filter { entity in
            ManagedObjectClasses.isName(entity.managedObjectClassName, of: objectClass)
        }
        return entities.first { $0.targetBundle?.isOfModule(of: objectClass) == true } ?? entities.first
    }

    private func standIn(for objectClass: NSManagedObject.Type) -> NSEntityDescription {
        let (entity, isFirst) = lock.withLock {
            if let known = standIns[ObjectIdentifier(objectClass)] { return (known, false) }
            let entity = NSEntityDescription()
            entity.name = String(describing: objectClass)
            entity.managedObjectClassName = ClassNames.name(of: objectClass)
            standIns[ObjectIdentifier(objectClass)] = entity
            return (entity, true)
        }
        if isFirst {
            CoreDataLog.warn(
                "error: No NSEntityDescriptions in any model claim the NSManagedObject subclass '\(objectClass)' so +entity is "
                    + "confused. Have you loaded your NSManagedObjectModel yet?")
        }
        return entity
    }
}

private struct WeakModel {
    weak var model: NSManagedObjectModel?
}
