import CoreData
import Foundation

/// A coordinator over one store, and a context.
final class TrialStack {
    let coordinator: NSPersistentStoreCoordinator
    /// The store in use: another one after a Save As.
    var store: NSPersistentStore { coordinator.persistentStores.first ?? opened }
    private let opened: NSPersistentStore
    let context: NSManagedObjectContext

    init(_ url: URL?, type: String, model: NSManagedObjectModel, options: [String: Any] = [:]) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        opened = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options as [AnyHashable: Any])
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Does something on the context's queue.
    func run<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let context = context
        return try context.performAndWait { try body(context) }
    }

    /// The same in a context that has seen nothing yet.
    func inNewContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}

extension NSManagedObjectContext {
    @discardableResult
    func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func all(_ entity: String, _ format: String? = nil, sort: String? = nil) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return try fetch(request)
    }

    /// The object with a name.
    func object(_ entity: String, _ name: String) throws -> NSManagedObject {
        let found = try all(entity).filter { $0.name == name }
        guard found.count == 1 else { throw WrongCount(entity: entity, name: name, count: found.count) }
        return found[0]
    }

    private struct WrongCount: Error, CustomStringConvertible {
        let entity: String, name: String
        let count: Int
        var description: String { "\(count) objects of \(entity) have the name '\(name)', and one should" }
    }
}

extension NSManagedObject {
    /// Every entity of the suite's model has a name.
    var name: String { value(forKey: "name") as? String ?? "?" }

    /// The names of a relationship's destinations: in order if it is ordered, otherwise sorted.
    func names(_ relationship: String) -> [String] {
        switch value(forKey: relationship) {
        case let object as NSManagedObject: [object.name]
        case let set as NSOrderedSet: set.array.compactMap { ($0 as? NSManagedObject)?.name }
        case let set as Set<NSManagedObject>: set.map(\.name).sorted()
        default: []
        }
    }
}
