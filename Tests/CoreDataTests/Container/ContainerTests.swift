import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Containers")
struct ContainerTests {
    /// A container whose stores lie in a folder of the test's own.
    private final class Container: NSPersistentContainer, @unchecked Sendable {
        nonisolated(unsafe) static var folder = URL(fileURLWithPath: "/nowhere")

        override class func defaultDirectoryURL() -> URL { folder }
    }

    private func container(in folder: TemporaryFolder, _ names: String...) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: try Library.model())
        container.persistentStoreDescriptions = names.map {
            NSPersistentStoreDescription(url: folder.url.appendingPathComponent($0))
        }
        return container
    }

    @Test(
        "A container whose model isn't found refuses a store with entities, which keeps its objects",
        arguments: [true, false])
    func missingModel(hasConfiguration: Bool) throws {
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
            let stack = try TemporaryStack(storeType: type)
            let context = stack.context()
            context.make("Author", ["name": "A"])
            try context.save()
            for store in stack.container.persistentStoreCoordinator.persistentStores {
                try stack.container.persistentStoreCoordinator.remove(store)
            }
            let model = NSManagedObjectModel()
            if hasConfiguration { model.setEntities([], forConfigurationName: "Some") }
            let container =
                hasConfiguration
                ? NSPersistentContainer(name: "Nope", managedObjectModel: model) : NSPersistentContainer(name: "Nope")
            let description = NSPersistentStoreDescription(url: stack.storeURL)
            description.type = type
            description.configuration = hasConfiguration ? "Some" : nil
            container.persistentStoreDescriptions = [description]
            var failure: NSError?
            container.loadPersistentStores { _, error in failure = error as NSError? }
            #expect(failure?.code == NSPersistentStoreIncompatibleVersionHashError, "\(String(describing: failure))")
            #expect(try stack.reopened().all("Author").map { $0.text("name") } == ["A"])
        }
    }

    @Test(
        "A store under a name below /dev/null is one in memory, as at /dev/null itself",
        arguments: ["", "/Care.sqlite"])
    func nullDevice(name: String) throws {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: try Library.model())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null" + name))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        #expect(failure == nil)
        let context = container.newThreadContext()
        context.make("Author", ["name": "A"])
        try context.save()
        let other = container.newThreadContext()
        #expect(try other.all("Author").map { $0.text("name") } == ["A"])
    }

    @Test("A new container has one SQLite store to load, named after it, in the class's default directory")
    func defaults() throws {
        let container = Container(name: "Library", managedObjectModel: try Library.model())
        let description = try #require(container.persistentStoreDescriptions.first)
        #expect(container.persistentStoreDescriptions.count == 1)
        #expect(description.url?.path == "/nowhere/Library.sqlite")
        #expect(description.type == NSSQLiteStoreType)
        #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
        #expect(container.name == "Library")
    }

    @Test("The default directory is a method that subclasses override, and a property that says the same")
    func defaultDirectory() {
        let folder: URL = Container.defaultDirectoryURL
        #expect(folder == Container.defaultDirectoryURL())
        let usual: URL = NSPersistentContainer.defaultDirectoryURL
        #expect(usual == NSPersistentContainer.defaultDirectoryURL())
        #expect(usual != folder)
    }

    @Test("The handler is called once a store, with its error if there is one, before loading returns")
    func handler() throws {
        let folder = try TemporaryFolder()
        try Data("no database at all, but long enough to be read as one".utf8)
            .write(to: folder.url.appendingPathComponent("Broken.sqlite"))
        let container = try container(in: folder, "Good.sqlite", "Broken.sqlite")
        var called: [(String?, Bool)] = []
        container.loadPersistentStores { called.append(($0.url?.lastPathComponent, $1 == nil)) }
        #expect(called.map(\.0) == ["Good.sqlite", "Broken.sqlite"])
        #expect(called.map(\.1) == [true, false])
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("Loading again loads what isn't loaded yet, and says of the others that they can't be added twice")
    func loadingAgain() throws {
        let folder = try TemporaryFolder()
        let container = try container(in: folder, "One.sqlite")
        container.loadPersistentStores { #expect($1 == nil) }
        container.persistentStoreDescriptions.append(
            NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Two.sqlite")))
        var called: [String?] = []
        var codes: [Int?] = []
        container.loadPersistentStores { description, error in
            called.append(description.url?.lastPathComponent)
            codes.append((error as NSError?)?.code)
        }
        #expect(called == ["One.sqlite", "Two.sqlite"])
        #expect(codes == [134081, nil])
        #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
    }

    @Test("A store that is to be added asynchronously is there when its handler is called, on another thread")
    func asynchronousLoading() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let container = try container(in: folder, "One.sqlite")
        container.persistentStoreDescriptions.first?.shouldAddStoreAsynchronously = true
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var thread: Thread?
        container.loadPersistentStores { _, error in
            #expect(error == nil)
            thread = Thread.current
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
        #expect(thread != nil && thread !== Thread.current)
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("The view context belongs to the main queue, others to queues of their own; all to the coordinator, unpinned")
    func contexts() throws {
        let container = try container(in: TemporaryFolder(), "One.sqlite")
        #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
        #expect(container.viewContext.queryGenerationToken == nil)
        let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
        #expect(first !== second)
        for context in [container.viewContext, first, second] {
            #expect(context.parent == nil)
            #expect(context.persistentStoreCoordinator === container.persistentStoreCoordinator)
        }
        #expect(first.concurrencyType == .privateQueueConcurrencyType)
    }

    @Test("performBackgroundTask runs its block later, in a context of its own each time")
    func backgroundBlocks() async throws {
        let stack = try TemporaryStack()
        let seen = Mutex<[ObjectIdentifier]>([])
        nonisolated(unsafe) var contexts: [NSManagedObjectContext] = []
        for _ in 0..<2 {
            await withCheckedContinuation { continuation in
                stack.container.performBackgroundTask { context in
                    contexts.append(context)
                    seen.withLock { $0.append(ObjectIdentifier(context)) }
                    context.makeBook("One")
                    #expect(throws: Never.self) { try context.save() }
                    continuation.resume()
                }
            }
        }
        #expect(Set(seen.withLock { $0 }).count == 2)
        #expect(try stack.context().all("Book").count == 2)
    }

    @Test("Its asynchronous form returns what the block returns, and throws what it throws")
    func asynchronousBackgroundBlocks() async throws {
        let stack = try TemporaryStack()
        let count = try await stack.container.performBackgroundTask { context -> Int in
            context.makeBook("One")
            try context.save()
            return try context.all("Book").count
        }
        #expect(count == 1)
        await #expect(throws: CocoaError.self) {
            try await stack.container.performBackgroundTask { _ in throw CocoaError(.featureUnsupported) }
        }
    }
}

@Suite("Store descriptions")
struct StoreDescriptionTests {
    @Test("A new one is of an SQLite store that migrates by itself, for all of the model, read and written, at once")
    func defaults() {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/nowhere/One.sqlite"))
        #expect(description.type == NSSQLiteStoreType)
        #expect(description.configuration == nil)
        #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
        #expect(!description.isReadOnly && !description.shouldAddStoreAsynchronously)
        #expect(description.timeout == 240)
        #expect(description.sqlitePragmas.isEmpty)
        #expect(description.cloudKitContainerOptions == nil)
    }

    @Test("Its properties are options by other names")
    func options() {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/nowhere/One.sqlite"))
        description.isReadOnly = true
        description.timeout = 3
        description.shouldMigrateStoreAutomatically = false
        description.setValue("1000" as NSString, forPragmaNamed: "cache_size")
        #expect(description.options[NSReadOnlyPersistentStoreOption] as? Bool == true)
        #expect(description.options[NSPersistentStoreTimeoutOption] as? Double == 3)
        #expect(description.options[NSMigratePersistentStoresAutomaticallyOption] as? Bool == false)
        let pragmas = description.options[NSSQLitePragmasOption] as? NSDictionary
        #expect(pragmas?["cache_size"] as? String == "1000")
        description.setOption(NSNumber(value: false), forKey: NSReadOnlyPersistentStoreOption)
        #expect(!description.isReadOnly)
        description.setOption(nil, forKey: NSPersistentStoreTimeoutOption)
        #expect(description.timeout == 240)
    }

    @Test("A copy is equal, and stays as it is when the original changes")
    func copying() throws {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/nowhere/One.sqlite"))
        description.configuration = "Default"
        description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.x")
        let copy = try #require(description.copy() as? NSPersistentStoreDescription)
        #expect(copy == description)
        #expect(copy.hash == description.hash)
        #expect(copy.cloudKitContainerOptions?.containerIdentifier == "iCloud.x")
        description.isReadOnly = true
        #expect(copy != description)
        #expect(!copy.isReadOnly)
    }

    @Test("One without a URL is of a store in memory, which leaves no file")
    func memory() throws {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: try Library.model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
        container.loadPersistentStores { #expect($1 == nil) }
        let context = container.newBackgroundContext()
        try context.performAndWait {
            context.makeBook("One")
            try context.save()
            #expect(try context.all("Book").count == 1)
        }
        #expect(container.persistentStoreCoordinator.persistentStores.first?.url?.path == "/dev/null")
    }

    @Test("A read-only one opens a store that refuses to be saved, and isn't made where there is none")
    func readOnly() throws {
        let stack = try TemporaryStack()
        func open(_ url: URL) -> (NSPersistentContainer, (any Error)?) {
            let container = NSPersistentContainer(
                name: "Library", managedObjectModel: stack.container.managedObjectModel)
            let description = NSPersistentStoreDescription(url: url)
            description.isReadOnly = true
            container.persistentStoreDescriptions = [description]
            var failure: (any Error)?
            container.loadPersistentStores { failure = $1 }
            return (container, failure)
        }
        let (container, failure) = open(stack.storeURL)
        #expect(failure == nil)
        #expect(container.persistentStoreCoordinator.persistentStores.first?.isReadOnly == true)
        let context = container.newBackgroundContext()
        context.performAndWait {
            context.makeBook("One")
            #expect(throws: NSError.self) { try context.save() }
        }
        let missing = stack.folder.appendingPathComponent("Missing.sqlite")
        #expect(open(missing).1 != nil)
        #expect(!FileManager.default.fileExists(atPath: missing.path))
    }
}
