import CoreData

/// A container of a framework's own: where the store lies, and how a task is run.
private final class SharedContainer: NSPersistentContainer, @unchecked Sendable {
    override class func defaultDirectoryURL() -> URL {
        super.defaultDirectoryURL().appendingPathComponent("Group", isDirectory: true)
    }

    func saveContext(backgroundContext: NSManagedObjectContext? = nil) {
        let context = backgroundContext ?? viewContext
        guard context.hasChanges else { return }
        do {
            try context.save()
        } catch let error as NSError {
            print("Error: \(error), \(error.userInfo)")
        }
    }
}

/// Stores, their files, options and metadata.
@MainActor
func storeIdioms(_ suite: Suite) {
    let model = PersistenceController(inMemory: true).container.managedObjectModel
    let folder = FileManager.default.temporaryDirectory

    func load(_ descriptions: NSPersistentStoreDescription...) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        container.persistentStoreDescriptions = descriptions
        var failure: (any Error)?
        container.loadPersistentStores { if let error = $1 { failure = error } }
        if let failure { throw failure }
        return container
    }

    func filled(_ file: String) throws -> NSPersistentContainer {
        let container = try load(NSPersistentStoreDescription(url: folder.appendingPathComponent(file)))
        _ = Book.make("Dune", in: container.viewContext)
        try container.viewContext.save()
        return container
    }

    suite("A subclass of the container says where its stores lie") {
        let container = SharedContainer(name: "Library", managedObjectModel: model)
        container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        _ = Book.make("Dune", in: container.viewContext)
        container.saveContext()
        let path = SharedContainer.defaultDirectoryURL().appendingPathComponent("Library.sqlite").path
        try expect(FileManager.default.fileExists(atPath: path))
    }

    suite("A backup is a migration of a second coordinator's store, in one file") {
        let container = try filled("Main.sqlite")
        let source = container.persistentStoreCoordinator.persistentStores[0]
        let backup = NSPersistentStoreCoordinator(managedObjectModel: model)
        let intermediate = try backup.addPersistentStore(
            ofType: source.type, configurationName: source.configurationName, at: source.url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let url = folder.appendingPathComponent("Backup.sqlite")
        try backup.migratePersistentStore(
            intermediate, to: url,
            options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"], NSSQLiteManualVacuumOption: true],
            withType: NSSQLiteStoreType)
        try expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
        let copy = try load(NSPersistentStoreDescription(url: url))
        try expect(try copy.viewContext.count(for: Book.fetchRequest()), is: 1)
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 1)
    }

    suite("A store moves into an app group's folder and goes on there") {
        let container = try filled("Old.sqlite")
        let coordinator = container.persistentStoreCoordinator
        let old = folder.appendingPathComponent("Old.sqlite")
        let new = folder.appendingPathComponent("Group.sqlite")
        let store = try unwrap(coordinator.persistentStore(for: old))
        let moved = try coordinator.migratePersistentStore(store, to: new, options: nil, type: .sqlite)
        try coordinator.destroyPersistentStore(at: old, type: .sqlite, options: nil)
        try expect(moved.url, is: new)
        try expect(coordinator.persistentStores.map(\.url), is: [new])
        _ = Book.make("Messiah", in: container.viewContext)
        try container.viewContext.save()
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 2)
    }

    suite("A prepared store is put in place before the first start") {
        let seed = folder.appendingPathComponent("Seed.sqlite")
        do {
            let container = try filled("Seed.sqlite")
            try container.persistentStoreCoordinator.remove(container.persistentStoreCoordinator.persistentStores[0])
        }
        let url = folder.appendingPathComponent("Installed.sqlite")
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        if !FileManager.default.fileExists(atPath: url.path) {
            try container.persistentStoreCoordinator.replacePersistentStore(
                at: url, withPersistentStoreFrom: seed, type: .sqlite)
        }
        container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        try expect(
            try container.viewContext.fetch(Book.fetchRequest() as NSFetchRequest<Book>).map(\.title), is: ["Dune"])
    }

    suite("A restore replaces the store under the program") {
        let container = try filled("Live.sqlite")
        let backup = try filled("Saved.sqlite")
        Book.make("Saved", in: backup.viewContext).pages = 7
        try backup.viewContext.save()
        try backup.persistentStoreCoordinator.remove(backup.persistentStoreCoordinator.persistentStores[0])
        let coordinator = container.persistentStoreCoordinator
        let store = coordinator.persistentStores[0]
        let url = coordinator.url(for: store)
        try coordinator.remove(store)
        try coordinator.replacePersistentStore(
            at: url, destinationOptions: nil, withPersistentStoreFrom: folder.appendingPathComponent("Saved.sqlite"),
            sourceOptions: nil,
            ofType: NSSQLiteStoreType)
        container.viewContext.reset()
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 2)
    }

    suite("Options and pragmas of a description are there to be read") {
        let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Options.sqlite"))
        description.setValue("NORMAL" as NSString, forPragmaNamed: "synchronous")
        description.setOption(true as NSNumber, forKey: NSSQLiteAnalyzeOption)
        description.setOption(FileProtectionType.complete as NSObject, forKey: NSPersistentStoreFileProtectionKey)
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        description.timeout = 5
        let container = try load(description)
        try expect(description.sqlitePragmas["synchronous"] as? String, is: "NORMAL")
        try expect(description.options[NSSQLiteAnalyzeOption] as? Bool, is: true)
        try expect(description.timeout, is: 5)
        let options = container.persistentStoreCoordinator.persistentStores[0].options
        try expect(options?[NSMigratePersistentStoresAutomaticallyOption] as? Bool, is: true)
        let copy = description.copy() as! NSPersistentStoreDescription
        try expect(copy.url, is: description.url)
    }

    suite("A store is loaded asynchronously and told when it is there") {
        let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Async.sqlite"))
        description.shouldAddStoreAsynchronously = true
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        container.persistentStoreDescriptions = [description]
        let told = Flag()
        container.loadPersistentStores { _, error in told.set(error == nil) }
        let deadline = Date().addingTimeInterval(10)
        while !told.isSet, Date() < deadline { RunLoop.main.run(until: Date().addingTimeInterval(0.01)) }
        try expect(told.isSet)
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 0)
    }

    suite.waiting("Loading is wrapped into an asynchronous function") {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.appendingPathComponent("Awaited.sqlite"))
        ]
        let type: String = try await withCheckedThrowingContinuation { continuation in
            container.loadPersistentStores { description, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(returning: description.type)
            }
        }
        try expect(type, is: NSSQLiteStoreType)
    }

    suite("A description is added to a coordinator with a handler") {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        var added: NSPersistentStoreDescription?
        coordinator.addPersistentStore(
            with: NSPersistentStoreDescription(url: folder.appendingPathComponent("Handler.sqlite"))
        ) {
            description, error in
            if error == nil { added = description }
        }
        try expect(added != nil)
        try expect(coordinator.persistentStores.count, is: 1)
        try expect(coordinator.persistentStores[0].isReadOnly, is: false)
    }

    suite("A file that is no database is an error that says so, and can be thrown away") {
        let url = folder.appendingPathComponent("Broken.sqlite")
        try Data(repeating: 7, count: 8_192).write(to: url)
        let error = try expectError { _ = try load(NSPersistentStoreDescription(url: url)) }
        try expect(error.domain, is: NSCocoaErrorDomain)
        try expect(
            [NSFileReadCorruptFileError, NSPersistentStoreOpenError, NSPersistentStoreInvalidTypeError].contains(
                error.code), "\(error)")
        try FileManager.default.removeItem(at: url)
        try expect(try load(NSPersistentStoreDescription(url: url)).viewContext.count(for: Book.fetchRequest()), is: 0)
    }

    suite("A folder without the right to write is an error of the load") {
        let error = try expectError {
            _ = try load(NSPersistentStoreDescription(url: URL(fileURLWithPath: "/proc/no/Library.sqlite")))
        }
        try expect(error.domain, is: NSCocoaErrorDomain)
        try expect(!error.localizedDescription.isEmpty)
    }

    suite("The same store twice in a coordinator is an error or the same store") {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = folder.appendingPathComponent("Twice.sqlite")
        let first = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let second = try? coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        try expect(second == nil || second === first)
        try expect(coordinator.persistentStores.count, is: 1)
    }

    suite("Metadata of a file are read and written without a stack") {
        let container = try filled("Meta.sqlite")
        let url = folder.appendingPathComponent("Meta.sqlite")
        let uuid = container.persistentStoreCoordinator.persistentStores[0].identifier
        try container.persistentStoreCoordinator.remove(container.persistentStoreCoordinator.persistentStores[0])
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        try expect(metadata[NSStoreUUIDKey] as? String, is: uuid)
        metadata["seedVersion"] = 3
        try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: url)
        let again = try load(NSPersistentStoreDescription(url: url))
        let store = again.persistentStoreCoordinator.persistentStores[0]
        try expect(store.metadata["seedVersion"] as? Int, is: 3)
        try expect(store.identifier, is: uuid)
    }

    suite("Versions of the model are compared by hashes before a store is opened") {
        let container = try filled("Hashes.sqlite")
        let store = container.persistentStoreCoordinator.persistentStores[0]
        let hashes = try unwrap(store.metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        try expect(hashes, is: model.entityVersionHashesByName)
        try expect(model.entitiesByName["Book"]?.versionHash, is: hashes["Book"])
        try expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: store.metadata))
    }

    suite("Stores are loaded one by one and each is told") {
        let (first, second) = (
            NSPersistentStoreDescription(url: folder.appendingPathComponent("One.sqlite")),
            NSPersistentStoreDescription(url: folder.appendingPathComponent("Two.sqlite"))
        )
        second.isReadOnly = false
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        container.persistentStoreDescriptions = [first, second]
        var loaded: [String] = []
        container.loadPersistentStores { description, error in
            if error == nil { loaded.append(description.url!.lastPathComponent) }
        }
        try expect(loaded.sorted(), is: ["One.sqlite", "Two.sqlite"])
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        for store in container.persistentStoreCoordinator.persistentStores {
            let book = Book.make("In \(store.url!.lastPathComponent)", in: container.viewContext)
            container.viewContext.assign(book, to: store)
        }
        try container.viewContext.save()
        try expect(try container.viewContext.count(for: request), is: 2)
    }

    suite("Memory stores of the same name are stores of their own") {
        func memory() -> NSPersistentStoreDescription {
            let description = NSPersistentStoreDescription()
            description.type = NSInMemoryStoreType
            return description
        }
        let (container, other) = (try load(memory()), try load(memory()))
        _ = Book.make("Dune", in: container.viewContext)
        try container.viewContext.save()
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 1)
        try expect(try other.viewContext.count(for: Book.fetchRequest()), is: 0)
    }

    suite("destroy leaves nothing of a store behind") {
        let container = try filled("Gone.sqlite")
        let url = folder.appendingPathComponent("Gone.sqlite")
        let coordinator = container.persistentStoreCoordinator
        try coordinator.remove(coordinator.persistentStores[0])
        try coordinator.destroyPersistentStore(
            at: url, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("Gone") }
        let again = try load(NSPersistentStoreDescription(url: url))
        try expect(try again.viewContext.count(for: Book.fetchRequest()), is: 0)
        try expect(left.allSatisfy { !$0.hasSuffix("-wal") }, "\(left)")
    }
}
