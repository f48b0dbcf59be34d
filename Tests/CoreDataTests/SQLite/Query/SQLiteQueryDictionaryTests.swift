@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel
import Testing

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@testable import CoreData

@Suite("Dictionary results")
struct SQLiteQueryDictionaryTests {
    private func makeLibrary() throws -> SQLiteQueryLibrary {
        let library = try SQLiteQueryLibrary()
        let ursula = library.insert("Author", ["name": "Ursula"])
        let émile = library.insert("Author", ["name": "Émile"])
        for (title, pages, price, author) in [
            ("Tehanu", 226, "0.1", ursula), ("Rocannon", 140, "0.2", ursula), ("Nana", 500, "10.11", émile),
        ] {
            let book = library.insert(
                title == "Nana" ? "AudioBook" : "Book",
                [
                    "title": title, "pages": NSNumber(value: pages), "price": Decimal(string: price)!,
                    "inPrint": NSNumber(value: true),
                ])
            book.connect("author", to: author)
        }
        try library.save()
        return library
    }

    private func expression(_ name: String, _ format: String, _ type: NSAttributeType = .undefinedAttributeType)
        -> NSExpressionDescription
    {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(format: format)
        description.expressionResultType = type
        return description
    }

    private func fetch(_ library: SQLiteQueryLibrary, _ fetch: StoreFetch) throws -> [[String: Any]] {
        try library.database.read { try library.queries.fetchDictionaries(fetch, in: $0) }
    }

    private func byTitle(_ library: SQLiteQueryLibrary) -> StoreFetch {
        var fetch = library.fetch("Book")
        fetch.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return fetch
    }

    @Test("Without a list they have all attributes and to-one relationships that aren't nil")
    func allProperties() throws {
        let library = try makeLibrary()
        let rows = try fetch(library, byTitle(library))
        #expect(rows.map { $0["title"] as? String } == ["Nana", "Rocannon", "Tehanu"])
        #expect(Set(rows[0].keys) == ["title", "pages", "price", "inPrint", "author"])
        #expect(rows[0]["pages"] as? Int32 == 500)
        #expect(rows[0]["price"] as? NSDecimalNumber == NSDecimalNumber(string: "10.11"))
        #expect(rows[0]["inPrint"] as? Bool == true)
        #expect(rows[0]["author"] as? ObjectKey == library.objects(of: "Author")[1].key)
    }

    @Test("They take names, key paths, descriptions and expressions")
    func chosenProperties() throws {
        let library = try makeLibrary()
        var fetch = byTitle(library)
        let object = NSExpressionDescription()
        object.name = "object"
        object.expression = NSExpression.expressionForEvaluatedObject()
        object.expressionResultType = .objectIDAttributeType
        fetch.propertiesToFetch = [
            "title", "author.name", expression("double", "pages * 2", .doubleAttributeType),
            expression("lower", "lowercase(title)"), object,
        ]
        let rows = try self.fetch(library, fetch)
        #expect(rows[0]["author.name"] as? String == "Émile")
        #expect(rows[0]["double"] as? Double == 1000)
        #expect(rows[0]["lower"] as? String == "nana")
        #expect(rows.map { $0["object"] as? ObjectKey } == library.objects(of: "Book").reversed().map(\.key))
    }

    @Test("Groups have aggregates, a condition and an order")
    func groups() throws {
        let library = try makeLibrary()
        var fetch = library.fetch("Book")
        fetch.propertiesToFetch = [
            "author.name", expression("count", "count:(title)"), expression("pages", "sum:(pages)"),
            expression("price", "sum:(price)"), expression("longest", "max:(pages)"),
            expression("mean", "average:(pages)"),
            expression("first", "min:(title)"),
        ]
        fetch.propertiesToGroupBy = ["author.name"]
        fetch.sortDescriptors = [NSSortDescriptor(key: "count", ascending: false)]
        let rows = try self.fetch(library, fetch)
        #expect(rows.map { $0["author.name"] as? String } == ["Ursula", "Émile"])
        #expect(rows.map { $0["count"] as? Int } == [2, 1])
        #expect(rows.map { $0["pages"] as? Int } == [366, 500])
        #expect(rows[0]["price"] as? NSDecimalNumber == NSDecimalNumber(string: "0.3"))
        #expect(rows.map { $0["longest"] as? Int } == [226, 500])
        #expect(rows.map { $0["mean"] as? Double } == [183, 500])
        #expect(rows.map { $0["first"] as? String } == ["Rocannon", "Nana"])

        for having in ["$count > 1", "count > 1", "sum:(pages) < 400"] {
            fetch.havingPredicate = NSPredicate(format: having)
            #expect(try self.fetch(library, fetch).map { $0["author.name"] as? String } == ["Ursula"], "\(having)")
        }
    }

    @Test("Aggregates of everything are one dictionary, of nothing too")
    func wholeTable() throws {
        let library = try makeLibrary()
        var fetch = library.fetch("Book")
        fetch.propertiesToFetch = [expression("count", "count:(SELF)"), expression("longest", "max:(pages)")]
        var rows = try self.fetch(library, fetch)
        #expect(rows.count == 1 && rows[0]["count"] as? Int == 3 && rows[0]["longest"] as? Int == 500)
        fetch.predicate = NSPredicate(value: false)
        rows = try self.fetch(library, fetch)
        #expect(rows.count == 1 && rows[0]["count"] as? Int == 0 && rows[0]["longest"] == nil)
    }

    @Test("Distinct gives equal dictionaries once")
    func distinct() throws {
        let library = try makeLibrary()
        var fetch = library.fetch("Book")
        fetch.propertiesToFetch = ["author"]
        #expect(try self.fetch(library, fetch).count == 3)
        fetch.returnsDistinctResults = true
        #expect(try self.fetch(library, fetch).count == 2)
    }

    @Test("A column that isn't grouped by, a condition without groups, an unknown name: errors that say so")
    func errors() throws {
        let library = try makeLibrary()
        func message(_ change: (inout StoreFetch) -> Void) throws -> String {
            var fetch = library.fetch("Book")
            change(&fetch)
            return try #require(throws: NSError.self) { try self.fetch(library, fetch) }.localizedDescription
        }
        #expect(try message { $0.propertiesToFetch = ["title", expression("n", "count:(title)")] }.contains("title"))
        #expect(
            try message {
                $0.propertiesToFetch = ["title", "pages"]
                $0.propertiesToGroupBy = ["title"]
            }.contains("pages"))
        #expect(try message { $0.havingPredicate = NSPredicate(format: "pages > 1") }.contains("propertiesToGroupBy"))
        #expect(try message { $0.propertiesToFetch = ["titl"] }.contains("\"title\""))
        #expect(try message { $0.propertiesToFetch = ["genres"] }.contains("genres"))
        #expect(try message { $0.propertiesToFetch = [5] }.contains("5"))
    }
}
