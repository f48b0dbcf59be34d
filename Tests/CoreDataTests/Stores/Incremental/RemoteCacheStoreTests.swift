import CoreData
import Foundation
import Synchronization
import Testing

@Suite("A remote-backed store with a local cache, in the shape of AFIncrementalStore")
struct RemoteCacheStoreTests {
    private let remote = RemoteSide()
    private let folder: TemporaryFolder
    private let coordinator: NSPersistentStoreCoordinator
    private let store: RemoteCacheStore
    private let context: NSManagedObjectContext

    init() throws {
        NSPersistentStoreCoordinator.registerStoreClass(
            RemoteCacheStore.self, type: NSPersistentStore.StoreType(rawValue: RemoteCacheStore.storeType))
        folder = try TemporaryFolder()
        (coordinator, store) = try Self.open(remote, cachingIn: folder)
        context = WarehouseStack.queueContext(of: coordinator)
    }

    private static func open(_ remote: RemoteSide, cachingIn folder: TemporaryFolder) throws -> (
        NSPersistentStoreCoordinator, RemoteCacheStore
    ) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try WarehouseStack.model())
        let store = try coordinator.addPersistentStore(
            ofType: RemoteCacheStore.storeType, configurationName: nil, at: remote.url,
            options: [RemoteCacheStore.cacheURLKey: folder.url.appendingPathComponent("cache.sqlite")])
        return (coordinator, store as! RemoteCacheStore)
    }

    private func titles() throws -> [String?] {
        try context.performAndWait { try context.all("Book", sort: "title").map { $0.text("title") } }
    }

    @Test("A fetch is answered from the cache at once, and the context takes over what comes later")
    func updates() throws {
        try remote.put("Book", "a", ["title": "Tehanu", "pages": 226])
        #expect(try titles() == [])
        store.waitForRemote()
        remote.setReachable(false)
        #expect(try titles() == ["Tehanu"])
        store.waitForRemote()
        let book = try #require(context.performAndWait { try context.all("Book").first })
        remote.setReachable(true)
        try remote.put("Book", "a", ["title": "Changed"])
        try remote.put("Book", "b", ["title": "Emma"])
        _ = try titles()
        store.waitForRemote()
        #expect(context.performAndWait { book.text("title") } == "Changed")
        #expect(try titles() == ["Changed", "Emma"])
        store.waitForRemote()
    }

    @Test("The cache is there for the next program, which knows the objects by the same URIs, remote side or not")
    func persistentCache() throws {
        try remote.put("Book", "a", ["title": "Tehanu"])
        _ = try titles()
        store.waitForRemote()
        let uri = try context.performAndWait {
            try #require(context.all("Book").first).objectID.uriRepresentation()
        }
        store.waitForRemote()
        try coordinator.remove(store)
        remote.setReachable(false)
        let (coordinator, store) = try Self.open(remote, cachingIn: folder)
        let next = WarehouseStack.queueContext(of: coordinator)
        try next.performAndWait {
            let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
            #expect(try next.existingObject(with: id).text("title") == "Tehanu")
            #expect(try next.all("Book").map(\.objectID) == [id])
        }
        store.waitForRemote()
    }

    @Test("A context is told when it has taken over what the remote side says")
    func notification() throws {
        let told = Mutex<[String]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: RemoteCacheStore.didImport, object: context, queue: nil
        ) { notification in
            told.withLock { $0.append(notification.userInfo?["entity"] as? String ?? "") }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try remote.put("Author", "u", ["name": "Ursula"])
        context.performAndWait { _ = try? context.all("Author") }
        store.waitForRemote()
        #expect(told.withLock { $0 } == ["Author"])
        #expect(try context.performAndWait { try context.all("Author").map { $0.text("name") } } == ["Ursula"])
        store.waitForRemote()
    }

    @Test("Changes of the context outlive what the remote side says")
    func mergedChanges() throws {
        try remote.put("Book", "a", ["title": "Tehanu", "pages": 226])
        _ = try titles()
        store.waitForRemote()
        let book = try #require(context.performAndWait { try context.all("Book").first })
        store.waitForRemote()
        context.performAndWait { book.setValue(1, forKey: "pages") }
        try remote.put("Book", "a", ["title": "Changed", "pages": 5])
        _ = try titles()
        store.waitForRemote()
        context.performAndWait {
            #expect(book.text("title") == "Changed" && book.value(forKey: "pages") as? Int == 1)
        }
    }

    @Test("Saves go to the remote side and to the cache, relationships too")
    func saving() throws {
        try context.performAndWait {
            let author = context.make("Author", ["name": "Ursula"])
            let book = context.make("Book", ["title": "Tehanu", "author": author])
            try context.save()
            let key = "\(store.referenceObject(for: book.objectID))"
            #expect(remote.fetch("Book")?[key]?["title"] as? String == "Tehanu")
            let other = WarehouseStack.queueContext(of: coordinator)
            let titles = try other.performAndWait { try other.all("Author").first?.titles("books") }
            #expect(titles == ["Tehanu"])
            context.delete(book)
            try context.save()
        }
        #expect(remote.fetch("Book")?.isEmpty == true)
        #expect(try titles() == [])
        store.waitForRemote()
    }

    @Test("Without the remote side, reading goes on and saving is an error that loses nothing")
    func unreachable() throws {
        try context.performAndWait {
            context.make("Book", ["title": "Tehanu"])
            try context.save()
            remote.setReachable(false)
            #expect(try context.all("Book").count == 1)
            let book = context.make("Book", ["title": "Emma"])
            #expect(throws: URLError.self) { try context.save() }
            #expect(book.isInserted && book.objectID.isTemporaryID)
            remote.setReachable(true)
            try context.save()
        }
        #expect(try titles() == ["Emma", "Tehanu"])
        store.waitForRemote()
    }
}
