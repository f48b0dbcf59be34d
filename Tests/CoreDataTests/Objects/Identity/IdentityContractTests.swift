import CoreData
import Foundation
import Testing

@Suite("Identity: one object for one ID in one context")
@MainActor
struct IdentityContractTests {
    @Test("A context has one instance of an object, however it is reached; another context has another")
    func uniquing() throws {
        let tree = try ContextTree()
        let author = tree.root.make("Author", ["name": "A"])
        let book = tree.root.makeBook("One", ["author": author])
        try tree.root.save()
        #expect(try tree.root.all("Book") == [book])
        #expect(tree.root.object(with: book.objectID) === book)
        #expect(tree.root.registeredObject(for: book.objectID) === book)
        #expect(author.members("books").first === book)
        let other = try tree.stored()
        #expect(try other.existingObject(with: book.objectID) !== book)
    }

    @Test("A set of objects holds its members through a save that changes their IDs")
    func hashing() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        let (temporary, set) = (book.objectID, Set([book]))
        try tree.root.save()
        #expect(book.objectID != temporary)
        #expect(set.contains(book))
    }

    @Test("An ID is found again by its URI, and by that as a string")
    func strings() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        let uri = book.objectID.uriRepresentation()
        let coordinator = try #require(tree.root.persistentStoreCoordinator)
        #expect(coordinator.managedObjectID(forURIRepresentation: uri) == book.objectID)
        #expect(coordinator.managedObjectID(for: uri.absoluteString) == book.objectID)
        #expect(coordinator.managedObjectID(for: "not a URI of an object") == nil)
    }

    @Test("An ID goes from one context's queue to another's")
    nonisolated func sendable() async throws {
        let stack = try TemporaryStack()
        let (first, second) = (stack.queueContext(), stack.queueContext())
        let id = try await first.perform {
            let book = first.makeBook("One")
            try first.save()
            return book.objectID
        }
        let title = try await second.perform { try second.existingObject(with: id).text("title") }
        #expect(title == "One")
    }

    @Test("An object of one context can't be inserted into another")
    func foreignInsertion() async {
        await #expect(processExitsWith: .failure) {
            try await MainActor.run {
                let tree = try ContextTree()
                tree.child().insert(tree.root.makeBook("One"))
            }
        }
    }

    @Test("A saved object can't be assigned to a store")
    func lateAssignment() async {
        await #expect(processExitsWith: .failure) {
            try await MainActor.run {
                let tree = try ContextTree()
                let book = tree.root.makeBook("One")
                try tree.root.save()
                tree.root.assign(book, to: tree.stack.container.persistentStoreCoordinator.persistentStores[0])
            }
        }
    }

    @Test("A context of no queue can't be a parent")
    func confinedParent() async {
        await #expect(processExitsWith: .failure) {
            let parent = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            NSManagedObjectContext(.privateQueue).parent = parent
        }
    }

    @Test("A key that an entity doesn't have ends the program, unless the class answers for it")
    func unknownKey() async {
        await #expect(processExitsWith: .failure) {
            try await MainActor.run {
                _ = try ContextTree().root.makeBook("One").value(forKey: "nothing")
            }
        }
    }
}
