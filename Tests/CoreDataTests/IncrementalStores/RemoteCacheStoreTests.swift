import CoreData
import Foundation
import Testing

@Suite("A remote-backed store with a local cache, in the shape of AFIncrementalStore")
struct RemoteCacheStoreTests {
    private let remote = RemoteSide()
    private let coordinator: NSPersistentStoreCoordinator
    private let store: RemoteCacheStore
    private let context: NSManagedObjectContext

    init() throws {
        NSPersistentStoreCoordinator.registerStoreClass(
            RemoteCacheStore.self, type: NSPersistentStore.StoreType(rawValue: RemoteCacheStore.storeType))
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: try WarehouseStack.model())
        store =
            try coordinator.addPersistentStore(
                ofType: RemoteCacheStore.storeType, configurationName: nil, at: remote.url) as! RemoteCacheStore
        context = WarehouseStack.context(of: coordinator)
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
            let other = WarehouseStack.context(of: coordinator)
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
