import CoreData
import Foundation
import Testing

@Suite("Nodes may unpack their values when they are asked for")
struct LazyNodeTests {
    init() { NSPersistentStoreCoordinator.registerStoreClass(LazyStore.self, forStoreType: LazyStore.storeType) }

    @Test("Nothing is unpacked before it is needed, and then once")
    func unpacking() throws {
        let stack = try AtomicStack(nil, type: LazyStore.storeType)
        let store = try #require(stack.store as? LazyStore)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        #expect(try stack.context.count(for: request) == LazyStore.count)
        #expect(store.unpacked.withLock { $0 } == 0)
        let author = try #require(stack.context.all("Author", "books.title CONTAINS 'Book 7'").first)
        #expect(author.text("name") == "Author 7")
        #expect(author.titles("books") == ["Book 7"])
        #expect(store.unpacked.withLock { $0 } == 2 * LazyStore.count)
        #expect(try stack.context.all("Author", sort: "name").count == LazyStore.count)
        #expect(store.unpacked.withLock { $0 } == 2 * LazyStore.count)
    }

    @Test("A collection that can be changed in place comes out of a node as it was put in, until another value is set")
    func mutableCollections() throws {
        let stack = try AtomicStack(nil, type: LazyStore.storeType)
        let book = try #require(stack.context.all("Book", "title == 'Book 3'").first)
        let node = NSAtomicStoreCacheNode(objectID: book.objectID)
        for collection in [NSMutableSet(), NSMutableOrderedSet(), NSMutableArray()] as [NSObject] {
            node.setValue(collection, forKey: "team")
            for member in ["a", "b", "c"] {
                switch node.value(forKey: "team") {
                case let set as NSMutableSet: set.add(member)
                case let set as NSMutableOrderedSet: set.add(member)
                case let list as NSMutableArray: list.add(member)
                default: Issue.record("\(type(of: collection)) comes back as another type")
                }
            }
            #expect(node.value(forKey: "team") as? NSObject === collection)
            #expect((node.value(forKey: "team") as? NSMutableSet)?.count ?? 3 == 3)
        }
        node.setValue("nobody", forKey: "team")
        #expect(node.value(forKey: "team") as? String == "nobody")
        node.setValue(NSMutableSet(array: ["a"]), forKey: "team")
        node.propertyCache?["team"] = "direct"
        #expect(node.value(forKey: "team") as? String == "direct")
    }

    @Test("A save takes the members of an owner out of its node as often for many new ones as for one")
    func manyMembers() throws {
        var counts: [Int] = []
        for count in [1, 40] {
            let stack = try AtomicStack(nil, type: LazyStore.storeType)
            let store = try #require(stack.store as? LazyStore)
            let author = try #require(stack.context.all("Author", "name == 'Author 3'").first)
            for number in 0..<count { stack.context.makeBook("New \(number)", ["author": author]) }
            store.asked.withLock { $0 = [:] }
            try stack.context.save()
            counts.append(store.asked.withLock { $0["books"] ?? 0 })
            #expect(author.titles("books").count == count + 1)
        }
        #expect(counts[0] == counts[1] && counts[0] > 0)
    }

    @Test("Reference objects are strings here, and lead from a URI back to the object")
    func references() throws {
        let stack = try AtomicStack(nil, type: LazyStore.storeType)
        let store = try #require(stack.store as? LazyStore)
        let book = try #require(stack.context.all("Book", "title == 'Book 3'").first)
        #expect(store.referenceObject(for: book.objectID) as? String == "book 3")
        let uri = book.objectID.uriRepresentation()
        let id = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(id == book.objectID)
        #expect(store.cacheNode(for: id)?.value(forKey: "title") as? String == "Book 3")
    }

    @Test("A store whose type was taken back can't be added")
    func unregistering() throws {
        NSPersistentStoreCoordinator.registerStoreClass(LazyStore.self, forStoreType: "Short-lived")
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes["Short-lived"] == LazyStore.self)
        NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Short-lived")
        let error = #expect(throws: NSError.self) { try AtomicStack(nil, type: "Short-lived") }
        #expect(error?.code == NSPersistentStoreInvalidTypeError)
    }
}
