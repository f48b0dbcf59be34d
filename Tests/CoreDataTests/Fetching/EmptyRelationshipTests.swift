import CoreData
import Foundation
import Testing

@Suite("An empty to-many relationship selects the same in every type of store, also in one that was opened again")
struct EmptyRelationshipTests {
    private static let predicates: [(format: String, authors: [String])] = [
        ("books.@count == 0", ["none"]), ("books.@count > 0", ["some"]), ("ANY books.title != 'x'", ["some"]),
        ("ALL books.title == 'x'", ["none"]), ("NONE books.title == 'one'", ["none"]),
        ("NONE books.title != 'x'", ["none"]), ("ANY books == nil", []),
        ("SUBQUERY(books, $b, $b.title == 'one').@count == 0", ["none"]),
    ]

    @Test("before it was closed and after", arguments: Library.storeTypes, predicates.map(\.format))
    func selects(storeType: String, format: String) throws {
        let stack = try TemporaryStack(model: Library.model(for: storeType), storeType: storeType)
        let context = stack.context()
        context.make("Author", ["name": "none"])
        context.makeBook("one", ["author": context.make("Author", ["name": "some"])])
        try context.save()
        let expected = try #require(Self.predicates.first { $0.format == format }).authors
        for context in [context, stack.context(), try stack.reopened()] {
            #expect(try context.all("Author", format).compactMap { $0.text("name") } == expected)
        }
    }
}
