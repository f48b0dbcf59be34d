import CoreData
import Foundation

/// The project's one domain, from its source model in `Examples/Library`.
enum Library {
    static func model() throws -> NSManagedObjectModel {
        try ModelFile.read(packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld"))
    }

    /// The model with authors' portraits, where they are long, in files of their own.
    static func model(withFiles: Bool) throws -> NSManagedObjectModel {
        let model = try model()
        model.entitiesByName["Author"]?.attributesByName["portrait"]?.allowsExternalBinaryDataStorage = withFiles
        return model
    }

    /// The model as stores of that type can hold it: only SQLite stores have uniqueness constraints.
    static func model(for storeType: String) throws -> NSManagedObjectModel {
        let model = try model()
        if storeType != NSSQLiteStoreType {
            for entity in model.entities { entity.uniquenessConstraints = [] }
        }
        return model
    }

    /// The store types of the package.
    static let storeTypes = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]

    static let packageRoot = TestFiles.package
}

/// A stack over a store in a folder of its own, which goes with it.
final class TemporaryStack {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    let container: NSPersistentContainer
    /// Objects don't keep their context; tests that go on with an object need it kept.
    private var contexts: [NSManagedObjectContext] = []
    var storeURL: URL { folder.appendingPathComponent("Library.sqlite") }

    let storeType: String

    private let observer: StatementObserver?

    init(
        model: NSManagedObjectModel? = nil, storeType: String = NSSQLiteStoreType, observer: StatementObserver? = nil
    ) throws {
        self.storeType = storeType
        self.observer = observer
        temporary = try TemporaryFolder()
        let url = temporary.url.appendingPathComponent("Library.sqlite")
        container = try Self.container(model ?? Library.model(for: storeType), at: url, storeType, observer)
    }

    /// A context that the test uses from its own thread.
    func context() -> NSManagedObjectContext { kept(container.newThreadContext()) }

    /// A context on a queue of its own, which the test uses in blocks alone; it may be a parent.
    func queueContext() -> NSManagedObjectContext { kept(container.newBackgroundContext()) }

    /// A context of a second stack over the same file, as another process would have it. Of a store in memory there can't be
    /// one; then a second context of this stack.
    func reopened() throws -> NSManagedObjectContext {
        if storeType == NSInMemoryStoreType { return context() }
        let model = container.managedObjectModel.copy() as! NSManagedObjectModel
        return kept(try Self.container(model, at: storeURL, storeType, observer).newThreadContext())
    }

    private func kept(_ context: NSManagedObjectContext) -> NSManagedObjectContext {
        contexts.append(context)
        return context
    }

    private static func container(
        _ model: NSManagedObjectModel, at url: URL, _ type: String, _ observer: StatementObserver?
    ) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.type = type
        if let observer { description.setOption(observer, forKey: StatementObserverOption) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }
}

extension NSManagedObjectContext {
    @discardableResult
    func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    @discardableResult
    func makeBook(_ title: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        make("Book", ["title": title, "identifier": UUID()].merging(values) { $1 })
    }

    func all(_ entity: String, _ format: String? = nil, sort: String? = nil) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return try fetch(request)
    }
}

extension NSManagedObject {
    func text(_ key: String) -> String? { value(forKey: key) as? String }
    func members(_ key: String) -> Set<NSManagedObject> { value(forKey: key) as? Set<NSManagedObject> ?? [] }
    func titles(_ key: String) -> Set<String> { Set(members(key).compactMap { $0.text("title") }) }
}
