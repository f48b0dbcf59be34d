import CoreData
import Foundation
import Testing

@Suite("A text beside a UUID or a URL is the one that it says")
struct TextOfIdentifierTests {
    @Test("in fetches and counts, of saved and unsaved objects, in every type of store", arguments: Library.storeTypes)
    func fetches(storeType: String) throws {
        let stack = try TemporaryStack(storeType: storeType)
        let context = stack.context()
        let (id, other) = (UUID(), UUID())
        let site = "https://example.org/a"
        let author = context.make("Author", ["name": "x", "website": URL(string: site)!])
        context.make("Author", ["name": "y"])
        context.makeBook("a", ["identifier": id, "author": author])
        context.makeBook("b", ["identifier": other])
        for isSaved in [false, true] {
            if isSaved {
                try context.save()
                context.makeBook("unsaved")
            }
            let all = isSaved ? 3 : 2
            let rows: [(String, NSPredicate, Int)] = [
                ("Book", NSPredicate(format: "identifier == %@", id.uuidString), 1),
                ("Book", NSPredicate(format: "%@ = identifier", id.uuidString.lowercased()), 1),
                ("Book", NSPredicate(format: "identifier == %@", id as CVarArg), 1),
                ("Book", NSPredicate(format: "identifier != %@", id.uuidString), all - 1),
                ("Book", NSPredicate(format: "identifier IN %@", [id.uuidString, other.uuidString]), 2),
                ("Book", NSPredicate(format: "identifier IN %@", [id, other.uuidString] as [Any]), 2),
                ("Book", NSPredicate(format: "identifier IN %@", NSSet(object: id.uuidString)), 1),
                ("Book", NSPredicate(format: "identifier IN %@", NSOrderedSet(object: id.uuidString)), 1),
                ("Book", NSPredicate(format: "identifier == %@", "no such text"), 0),
                ("Book", NSPredicate(format: "author.website == %@", site), 1),
                ("Author", NSPredicate(format: "website IN %@", [site]), 1),
                ("Author", NSPredicate(format: "ANY books.identifier == %@", id.uuidString), 1),
                (
                    "Author",
                    NSPredicate(format: "SUBQUERY(books, $b, $b.identifier == %@).@count == 1", id.uuidString), 1
                ),
            ]
            for (entity, predicate, count) in rows {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = predicate
                #expect(try context.fetch(request).count == count, "\(predicate)")
                #expect(try context.count(for: request) == count, "\(predicate), counted")
            }
        }
    }

    @Test("and in batch requests")
    func batches() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        let id = UUID()
        context.makeBook("a", ["identifier": id])
        context.makeBook("b")
        try context.save()
        let update = NSBatchUpdateRequest(entityName: "Book")
        update.predicate = NSPredicate(format: "identifier == %@", id.uuidString)
        update.propertiesToUpdate = ["pages": 7]
        update.resultType = .updatedObjectsCountResultType
        #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 1)
        let books = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        books.predicate = NSPredicate(format: "identifier IN %@", [id.uuidString])
        let delete = NSBatchDeleteRequest(fetchRequest: books)
        delete.resultType = .resultTypeCount
        #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 1)
    }
}
