import CoreData
import Foundation
import Testing

@Suite("The members of a to-many relationship in the nodes of a store in memory")
@MainActor
struct MemberNodeTests {
    private func store() throws -> (context: NSManagedObjectContext, store: NSAtomicStore) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Library.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (context, try #require(store as? NSAtomicStore))
    }

    private func seconds(_ count: Int) throws -> Double {
        let (context, store) = try store()
        let author = context.make("Author", ["name": "A"])
        try context.save()
        let start = ThreadTime.seconds
        for number in 0..<count {
            _ = context.makeBook("\(number)", ["author": author])
            try context.save()
        }
        let seconds = ThreadTime.seconds - start
        let node = try #require(store.cacheNode(for: author.objectID))
        #expect((node.value(forKey: "books") as? NSSet)?.count == count)
        return seconds
    }

    @Test("A save of one member more costs little for those that are there")
    func manySaves() throws {
        // Eight times as many: 64 times as long, if each member that is there cost as much as one that is saved.
        let (few, many) = (try seconds(100), try seconds(800))
        #expect(many < 25 * few, "\(few) s, then \(many) s")
    }

    @Test("They are in the property cache as a set of nodes, and what is put there is what the node has")
    func propertyCache() throws {
        let (context, store) = try store()
        let author = context.make("Author", ["name": "A"])
        let books = ["1", "2", "3"].map { context.makeBook($0, ["author": author]) }
        try context.save()
        let node = try #require(store.cacheNode(for: author.objectID))
        let bookNodes = try books.map { try #require(store.cacheNode(for: $0.objectID)) }
        let cache = try #require(node.propertyCache)
        #expect(cache["name"] as? String == "A")
        #expect((cache["books"] as? NSSet)?.isEqual(to: Set<NSObject>(bookNodes)) == true)
        #expect(bookNodes[0].propertyCache?["author"] as? NSObject === node)
        cache["name"] = "B"
        cache["books"] = NSSet(array: Array(bookNodes.prefix(2)))
        #expect(node.value(forKey: "name") as? String == "B")
        #expect((node.value(forKey: "books") as? NSSet)?.count == 2)
        // It goes on as a node that is changed by its owner.
        _ = context.makeBook("4", ["author": author])
        context.refresh(author, mergeChanges: true)
        try context.save()
        #expect((node.propertyCache?["books"] as? NSSet)?.count == 3)
        node.propertyCache = nil
        #expect(node.value(forKey: "name") == nil && node.value(forKey: "books") == nil)
    }

    @Test("A save that fails leaves them as they were", arguments: [false, true])
    func failure(isExposed: Bool) throws {
        let (context, store) = try store()
        let author = context.make("Author", ["name": "A"])
        let book = context.makeBook("1", ["author": author])
        try context.save()
        let node = try #require(store.cacheNode(for: author.objectID))
        if isExposed { #expect(node.propertyCache != nil) }
        let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        other.persistentStoreCoordinator = context.persistentStoreCoordinator
        let stale = try other.existingObject(with: book.objectID)
        #expect(stale.value(forKey: "title") as? String == "1")
        book.setValue("one", forKey: "title")
        try context.save()
        stale.setValue("uno", forKey: "title")
        let mine = try other.existingObject(with: author.objectID)
        _ = other.makeBook("2", ["author": mine])
        #expect(throws: (any Error).self) { try other.save() }
        let members = node.value(forKey: "books") as? NSSet
        #expect(members?.count == 1)
        #expect(members?.anyObject() as? NSObject === store.cacheNode(for: book.objectID))
    }
}
