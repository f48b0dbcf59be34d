import CoreData
import Foundation
import Testing

@Suite("A failed save of an atomic store leaves nodes as they were, whatever form they keep their values in")
struct FailedSaveTests {
    init() { NSPersistentStoreCoordinator.registerStoreClass(FormStore.self, forStoreType: FormStore.storeType) }

    /// Members with loans of books: a to-many that is ordered, one that isn't, and their inverses.
    private static func model() -> NSManagedObjectModel {
        func relationship(_ name: String, to destination: NSEntityDescription, isToMany: Bool, isOrdered: Bool = false)
            -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = destination
            relationship.isOptional = true
            relationship.minCount = 0
            relationship.maxCount = isToMany ? 0 : 1
            relationship.isOrdered = isOrdered
            relationship.deleteRule = .nullifyDeleteRule
            return relationship
        }
        let (shelf, book) = (NSEntityDescription(), NSEntityDescription())
        shelf.name = "Shelf"
        book.name = "Book"
        let (books, place) = (
            relationship("books", to: book, isToMany: true, isOrdered: true),
            relationship("shelf", to: shelf, isToMany: false)
        )
        let (similar, similarTo) = (
            relationship("similar", to: book, isToMany: true), relationship("similarTo", to: book, isToMany: true)
        )
        (books.inverseRelationship, place.inverseRelationship) = (place, books)
        (similar.inverseRelationship, similarTo.inverseRelationship) = (similarTo, similar)
        shelf.properties = [NSAttributeDescription(optional: "name", .stringAttributeType), books]
        book.properties = [
            NSAttributeDescription(optional: "title", .stringAttributeType),
            NSAttributeDescription(optional: "pages", .integer32AttributeType), place, similar,
            similarTo,
        ]
        let model = NSManagedObjectModel()
        model.entities = [shelf, book]
        return model
    }

    private func open(pushingChangesOnly: Bool) throws -> (stack: AtomicStack, store: FormStore) {
        let stack = try AtomicStack(
            nil, type: FormStore.storeType, model: Self.model(),
            options: [FormStore.pushesChangesOnly: pushingChangesOnly])
        return (stack, try #require(stack.store as? FormStore))
    }

    private func titles(_ shelf: NSManagedObject) -> [String?] {
        (shelf.value(forKey: "books") as? NSOrderedSet)?.map { ($0 as? NSManagedObject)?.text("title") } ?? []
    }

    @Test("Changed and removed ones have their old form again, new ones are gone", arguments: [false, true])
    func forms(pushingChangesOnly: Bool) throws {
        let (stack, store) = try open(pushingChangesOnly: pushingChangesOnly)
        let context = stack.context
        let shelf = context.make("Shelf", ["name": "Left"])
        let books = ["A", "B", "C"].map { context.make("Book", ["title": $0, "pages": 7, "shelf": shelf]) }
        shelf.setValue(NSOrderedSet(array: [books[2], books[0], books[1]]), forKey: "books")
        books[0].setValue(Set([books[1]]), forKey: "similar")
        try context.save()
        let (before, nodes) = (store.forms, store.cacheNodes())
        #expect(before.count == 4 && before == store.saved)

        shelf.setValue(nil, forKey: "name")
        books[0].setValue("Changed", forKey: "title")
        books[0].setValue(nil, forKey: "pages")
        books[0].setValue(Set([books[2]]), forKey: "similar")
        context.delete(books[1])
        let new = context.make("Book", ["title": "New"])
        shelf.setValue(NSOrderedSet(array: [new, books[0], books[2]]), forKey: "books")
        store.fails = true
        for _ in 0..<2 {
            #expect(throws: FormStore.Failure.self) { try context.save() }
            #expect(store.forms == before)
            #expect(store.cacheNodes() == nodes)
            #expect(new.objectID.isTemporaryID && context.insertedObjects == [new])
            #expect(context.deletedObjects == [books[1]])
        }
        let other = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        other.persistentStoreCoordinator = stack.coordinator
        let seen = try #require(try other.all("Shelf").first)
        #expect(seen.text("name") == "Left")
        #expect(titles(seen) == ["C", "A", "B"])
        let seenBooks = try other.all("Book", sort: "title")
        #expect(seenBooks.map { $0.text("title") } == ["A", "B", "C"])
        #expect(seenBooks[0].value(forKey: "pages") as? Int == 7)
        #expect(seenBooks[0].titles("similar") == ["B"])

        store.fails = false
        try context.save()
        #expect(store.saved == store.forms && store.saved.count == 4)
        let reader = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        reader.persistentStoreCoordinator = stack.coordinator
        #expect(try titles(#require(reader.all("Shelf").first)) == ["New", "Changed", "C"])
        #expect(try #require(reader.all("Book", "title == 'Changed'").first).titles("similar") == ["C"])
        #expect(try reader.all("Book", "title == 'Changed' AND pages == nil").count == 1)
    }

    @Test("A deletion alone that fails brings its object back, with what led to it")
    func deletion() throws {
        let (stack, store) = try open(pushingChangesOnly: false)
        let shelf = stack.context.make("Shelf", ["name": "Left"])
        let book = stack.context.make("Book", ["title": "A", "shelf": shelf])
        try stack.context.save()
        let before = store.forms
        stack.context.delete(book)
        store.fails = true
        #expect(throws: FormStore.Failure.self) { try stack.context.save() }
        stack.context.rollback()
        #expect(store.forms == before)
        #expect(titles(shelf) == ["A"])
        #expect(book.value(forKey: "shelf") as? NSManagedObject === shelf)
    }
}
