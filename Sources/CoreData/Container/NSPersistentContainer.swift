@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel
import Synchronization

// Safe: it is set up by one thread; what it hands out later may be used on any.
/// A stack ready for use: model, coordinator, stores and a context for the main queue (Apple: NSPersistentContainer).
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    /// The container's name, and that of its store's file.
    open private(set) var name: String
    /// The model.
    open private(set) var managedObjectModel: NSManagedObjectModel
    /// The coordinator, with the stores that were loaded.
    open private(set) var persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The context of the main queue, attached to the coordinator.
    open private(set) var viewContext: NSManagedObjectContext
    /// The stores that ``loadPersistentStores(completionHandler:)`` opens. Set it before.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]
    /// The descriptions whose stores have no place of their own by which to tell that they are open.
    private let loadedInMemory = Mutex<Set<ObjectIdentifier>>([])

    /// Where containers keep their stores by default. Subclasses may name another folder.
    open class func defaultDirectoryURL() -> URL {
        let folder = DefaultDirectory.url
        // A folder that can't be made is met, with its error, when a store is opened in it.
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Makes a container for the model of that name in the main bundle, or in the resources of one of the program's
    /// targets.
    ///
    /// A missing model is reported on standard error, and the container goes on with an empty one, as on Apple's platforms: a new
    /// store is made without entities. Where there is a store that has entities, loading an existing store fails then, and its
    /// file stays as it is.
    public convenience init(name: String) {
        self.init(name: name, managedObjectModel: ModelLookup.model(named: name))
    }

    /// Makes a container for a model, with one SQLite store named after it.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        managedObjectModel = model
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.name = "viewContext"
        persistentStoreCoordinator = coordinator
        viewContext = context
        let url = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
        persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        super.init()
    }

    /// Opens the stores of the descriptions, and calls the handler once for each, with the error if there was one: for a store that is
    /// open already, that it can't be added twice (seen in the tests of TMLPersistentContainer).
    ///
    /// The folder of a store that may be written is made where it isn't there, as Apple's containers do; a coordinator
    /// doesn't.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            if let present = loadedStore(of: description) {
                block(description, CoreDataError.addedTwice(present, at: Self.place(of: description)))
                continue
            }
            makeFolder(for: description)
            persistentStoreCoordinator.addPersistentStore(with: description) { [self] loaded, error in
                if error == nil { loadedInMemory.withLock { _ = $0.insert(ObjectIdentifier(description)) } }
                block(loaded, error)
            }
        }
    }

    private func makeFolder(for description: NSPersistentStoreDescription) {
        guard !description.isReadOnly, description.type != NSInMemoryStoreType, let url = description.url, url.isFileURL
        else { return }
        // Opening the store says what is wrong with a folder that can't be made.
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    private static func place(of description: NSPersistentStoreDescription) -> URL {
        description.url ?? URL(fileURLWithPath: "/dev/null")
    }

    /// The store of a description, where it is open. Those in memory have one place, and are told apart by their descriptions.
    private func loadedStore(of description: NSPersistentStoreDescription) -> NSPersistentStore? {
        let place = Self.place(of: description)
        let stores = persistentStoreCoordinator.persistentStores.filter { $0.isAt(place) }
        guard place.isNullDevice else { return stores.first }
        guard loadedInMemory.withLock({ $0.contains(ObjectIdentifier(description)) }) else { return nil }
        return stores.first { $0.requestedConfiguration == description.configuration }
    }

    /// Makes a context with a queue of its own, attached to the coordinator.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new context of its own, later.
    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block with a new context of its own, and suspends until it is done.
    ///
    /// - Throws: what the block throws, and nothing else.
    open func performBackgroundTask<T, E: Error>(
        _ block: @escaping (NSManagedObjectContext) throws(E) -> T
    ) async throws(E) -> T {
        let context = newBackgroundContext()
        return try await context.perform(schedule: .enqueued) { () throws(E) -> T in try block(context) }
    }
}

/// What has a folder for stores. Only containers do: a method and a property of one name can't be declared in one type.
public protocol DefaultDirectoryProviding: AnyObject {}

extension NSPersistentContainer: DefaultDirectoryProviding {}

extension DefaultDirectoryProviding where Self: NSPersistentContainer {
    /// Where containers of the class keep their stores by default: what the method of that name says.
    public static var defaultDirectoryURL: URL { defaultDirectoryURL() }
}
