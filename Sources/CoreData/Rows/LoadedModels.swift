import ManagedObjectModel
import Synchronization

/// The models that coordinators use, for the questions that classes are asked without one.
final class LoadedModels: Sendable {
    static let shared = LoadedModels()

    private let entries = Mutex<[BackReference<ModelLayout>]>([])

    func add(_ model: ModelLayout) {
        entries.withLock { entries in
            entries.removeAll { $0.target == nil }
            if !entries.contains(where: { $0 === model.reference }) { entries.append(model.reference) }
        }
    }

    /// The entity of a class. Several models may have it, as when tests load one again and again; the newest counts.
    func entity(ofClass objectClass: NSManagedObject.Type) -> NSEntityDescription {
        let models = entries.withLock { $0.compactMap(\.target) }.filter { !$0.makesPlainObjects }
        let claiming = models.last { model in model.entities.contains { $0.isOf(objectClass) } }
        guard let claiming else {
            fatalError(
                "No NSEntityDescriptions in any model claim the NSManagedObject subclass '\(objectClass)' so +entity is "
                    + "confused. Have you loaded your NSManagedObjectModel yet?")
        }
        return claiming.entity(ofClass: objectClass)
    }
}
