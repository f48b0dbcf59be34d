import CoreData
import Foundation
import Testing

@Suite("Aggregates over a to-many are columns of groups")
struct GroupedToManyTests {
    /// Authors of whom two are called Ann, with two books, one book and none; Émile has three.
    private func context(_ type: String) throws -> (TemporaryStack, NSManagedObjectContext) {
        let stack = try TemporaryStack(model: Library.model(for: NSXMLStoreType), storeType: type)
        let context = stack.context()
        for (name, pages) in [("Ann", [10, 20]), ("Ann", [40]), ("Émile", [1, 2, 3]), ("Ursula", [])] {
            let author = context.make("Author", ["name": name])
            for number in pages {
                context.make(
                    "Book", ["title": "\(name) \(number)", "identifier": UUID(), "pages": number, "author": author])
            }
        }
        try context.save()
        return (stack, context)
    }

    private func column(_ name: String, _ format: String) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(format: format)
        description.expressionResultType = .integer64AttributeType
        return description
    }

    private func rows(_ type: String, _ column: Any, _ name: String, having: String? = nil) throws -> [String] {
        let (stack, context) = try context(type)
        let request = NSFetchRequest<NSDictionary>(entityName: "Author")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["name"]
        request.propertiesToFetch = ["name", column]
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.havingPredicate = having.map { NSPredicate(format: $0) }
        return try withExtendedLifetime(stack) {
            try context.fetch(request).map { "\($0["name"] ?? ""):\($0[name] ?? "none")" }
        }
    }

    @Test("The number of a relationship's objects, by function, operator or subquery", arguments: Library.storeTypes)
    func counts(type: String) throws {
        let expected = ["Ann:3", "Ursula:0", "Émile:3"]
        #expect(try rows(type, column("n", "count:(books)"), "n") == expected)
        #expect(try rows(type, column("n", "books.@count"), "n") == expected)
        #expect(try rows(type, "books.@count", "books.@count") == expected)
        #expect(
            try rows(type, column("n", "SUBQUERY(books, $b, $b.pages > 2).@count"), "n")
                == ["Ann:3", "Ursula:0", "Émile:1"])
    }

    @Test("Sums, least and greatest values", arguments: Library.storeTypes)
    func values(type: String) throws {
        #expect(try rows(type, column("n", "books.@sum.pages"), "n") == ["Ann:70", "Ursula:0", "Émile:6"])
        #expect(try rows(type, column("n", "books.@max.pages"), "n") == ["Ann:40", "Ursula:none", "Émile:3"])
        #expect(try rows(type, column("n", "min:(books.pages)"), "n") == ["Ann:10", "Ursula:none", "Émile:1"])
    }

    @Test("An operator after an attribute counts or sums the group's values", arguments: Library.storeTypes)
    func attributes(type: String) throws {
        #expect(try rows(type, column("n", "name.@count"), "n") == ["Ann:2", "Ursula:1", "Émile:1"])
        #expect(try rows(type, column("n", "name.length.@sum"), "n") == ["Ann:6", "Ursula:6", "Émile:5"])
        #expect(try rows(type, column("n", "name.length.@max"), "n") == ["Ann:3", "Ursula:6", "Émile:5"])
    }

    @Test("Groups are chosen by them", arguments: Library.storeTypes)
    func having(type: String) throws {
        #expect(try rows(type, column("n", "count:(books)"), "n", having: "$n > 0") == ["Ann:3", "Émile:3"])
    }

    @Test("An average of averages is an error that names the column", arguments: Library.storeTypes)
    func averages(type: String) throws {
        let error = try #require(throws: NSError.self) {
            try rows(type, column("mean", "books.@avg.pages"), "mean")
        }
        #expect(error.localizedDescription.contains("mean"))
    }
}
