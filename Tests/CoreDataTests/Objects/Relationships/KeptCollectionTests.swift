import CoreData
import Foundation
import Testing

/// A live collection keeps its object, which may have become a fault since the program asked for the collection.
@Suite("A kept collection changes an object that has become a fault, on both sides of the relationship")
struct KeptCollectionTests {
    private enum Change: CaseIterable {
        case add, remove, removeAll, replace
    }

    /// A shelf and a genre with the books a and b, and a book c on no shelf.
    private static func stack(_ storeType: String) throws -> (TemporaryStack, NSManagedObjectContext) {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let context = stack.context()
        let books = ["a", "b", "c"].map { context.make("Book", ["name": $0]) }
        for owner in [context.make("Shelf", ["name": "s"]), context.make("Genre", ["name": "g"])] {
            owner.setValue(NSOrderedSet(array: Array(books[0...1])), forKey: "books")
        }
        context.make("Author", ["name": "w", "books": Set(books[0...1])])
        try context.save()
        return (stack, context)
    }

    private static func make(_ change: Change, in collection: Any, _ books: [NSManagedObject]) {
        switch (change, collection) {
        case (.add, let set as NSMutableSet): set.add(books[2])
        case (.remove, let set as NSMutableSet): set.remove(books[0])
        case (.removeAll, let set as NSMutableSet): set.removeAllObjects()
        case (.replace, let set as NSMutableSet): set.setSet([books[1], books[2]])
        case (.add, let set as NSMutableOrderedSet): set.add(books[2])
        case (.remove, let set as NSMutableOrderedSet): set.remove(books[0])
        case (.removeAll, let set as NSMutableOrderedSet): set.removeAllObjects()
        case (.replace, let set as NSMutableOrderedSet): set.replaceObject(at: 0, with: books[2])
        default: Issue.record("not a mutable collection: \(collection)")
        }
    }

    @Test("whatever is done to it, and the save writes it", arguments: Library.storeTypes)
    func everyChange(storeType: String) throws {
        for (entity, isOrdered) in [("Shelf", true), ("Genre", true), ("Author", false)] {
            for change in Change.allCases {
                let (stack, context) = try Self.stack(storeType)
                let books = try context.all("Book", sort: "name")
                let owner = try #require(context.all(entity).first)
                let collection: Any =
                    isOrdered ? owner.mutableOrderedSetValue(forKey: "books") : owner.mutableSetValue(forKey: "books")
                for object in books + [owner] { context.refresh(object, mergeChanges: false) }
                Self.make(change, in: collection, books)
                let place = Comment(rawValue: "\(entity), \(change)")
                #expect(try Relationships.differences(in: context) == [], place)
                #if DEBUG
                    #expect(context.checkInvariants() == [], place)
                #endif
                let expected: Set<String> =
                    switch change {
                    case .add: ["a", "b", "c"]
                    case .remove: ["b"]
                    case .removeAll: []
                    case .replace: ["b", "c"]
                    }
                try context.save()
                let saved = try #require(stack.reopened().all(entity).first)
                let members = saved.value(forKey: "books")
                let found = (members as? NSOrderedSet)?.array ?? (members as? NSSet)?.allObjects ?? []
                #expect(Set(found.compactMap { ($0 as? NSManagedObject)?.text("name") }) == expected, place)
            }
        }
    }

    @Test("The set of the primitive value belongs to the object as it is now, too")
    func primitiveSet() throws {
        let (_, context) = try Self.stack(NSSQLiteStoreType)
        let author = try #require(context.all("Author").first)
        let set = try #require(author.primitiveValue(forKey: "books") as? NSMutableSet)
        let other = try #require(context.all("Book", "name == 'c'").first)
        context.refresh(author, mergeChanges: false)
        author.willChangeValue(forKey: "books")
        set.add(other)
        author.didChangeValue(forKey: "books")
        #expect(!author.isFault)
        #expect(author.members("books").count == 3)
        #expect(other.value(forKey: "author") as? NSManagedObject === author)
    }
}
