import CoreData
import Foundation
import Testing

@Suite("A key that the entity doesn't have is an error of the fetch, also where unsaved objects are asked for it")
@MainActor
struct UndefinedKeyTests {
    nonisolated private static let predicates = [
        "size == 1", "title == 'a' AND size == 1", "author.nme == 'a'", "ANY genres.nme == 'a'",
        "SUBQUERY(genres, $g, $g.nme == 'a').@count == 1",
    ]

    @Test("of objects, IDs and counts, in pages and whole", arguments: Library.storeTypes, predicates)
    func predicates(storeType: String, format: String) throws {
        let stack = try TemporaryStack(model: Library.model(for: storeType), storeType: storeType)
        for isChild in [false, true] {
            let parent = stack.container.viewContext
            let context = isChild ? NSManagedObjectContext(.mainQueue) : parent
            if isChild { context.parent = parent }
            let book = context.makeBook("a")
            book.setValue(context.make("Author", ["name": "A"]), forKey: "author")
            book.mutableSetValue(forKey: "genres").add(context.make("Genre", ["name": "G"]))
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: format)
            for limit in [0, 1] {
                request.fetchLimit = limit
                #expect(throws: (any Error).self, "\(format)") { try context.fetch(request) }
                #expect(throws: (any Error).self, "\(format)") { try context.count(for: request) }
            }
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            ids.predicate = request.predicate
            #expect(throws: (any Error).self, "\(format)") { try context.fetch(ids) }
            #expect(book.text("title") == "a")
            context.rollback()
        }
    }
}
