import ArgumentParser
import CoreData

/// A store that was opened for one command: its coordinator and a context. Every error names the file.
final class OpenStore {
    let path: String
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    init(storePath: String, modelPath: String?, isReadOnly: Bool) throws {
        let path = StoreFile.name(storePath)
        self.path = path
        let url = try StoreFile.url(storePath)
        let model = try StoreFile.model(at: modelPath, forStoreAt: url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        self.model = model
        self.coordinator = coordinator
        store = try StoreFile.naming(path) {
            try coordinator.addPersistentStore(
                ofType: StoreFile.type(of: url), configurationName: nil, at: url,
                options: [NSReadOnlyPersistentStoreOption: isReadOnly])
        }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Runs work on the context's queue; an error that doesn't name a file yet gets this store's.
    func perform<Result>(_ work: (NSManagedObjectContext) throws -> Result) throws -> Result {
        try StoreFile.naming(path) {
            try context.performAndWait { try work(context) }
        }
    }

    func entity(named name: String) throws -> NSEntityDescription {
        guard let entity = model.entitiesByName[name] else {
            let hint = UnknownName.hint(for: name, among: Array(model.entitiesByName.keys))
            throw CommandFailure("entity \u{201C}\(name)\u{201D}", "the model has no such entity.\(hint)")
        }
        return entity
    }

    /// The object with a URI like `x-coredata://<store's UUID>/Book/p1`.
    func object(withURI text: String) throws -> NSManagedObject {
        guard let uri = URL(string: text), uri.scheme == "x-coredata" else {
            throw ValidationError("\u{201C}\(text)\u{201D} is no object URI, such as x-coredata://<UUID>/Book/p1.")
        }
        guard let objectID = coordinator.managedObjectID(forURIRepresentation: uri) else {
            throw CommandFailure(text, cause(ofUnknown: uri))
        }
        do {
            return try context.existingObject(with: objectID)
        } catch {
            throw CommandFailure(text, FailureText.describe(error))
        }
    }

    private func cause(ofUnknown uri: URL) -> String {
        if let uuid = store.identifier, uri.host?.uppercased() != uuid.uppercased() {
            return "an object of another store; this one's UUID is \(uuid)."
        }
        let names = uri.pathComponents.filter { $0 != "/" }
        if let name = names.first, model.entitiesByName[name] == nil {
            let hint = UnknownName.hint(for: name, among: Array(model.entitiesByName.keys))
            return "the model has no entity \u{201C}\(name)\u{201D}.\(hint)"
        }
        return "not a key of this store; expected the form x-coredata://<UUID>/<Entity>/p<number>."
    }
}
