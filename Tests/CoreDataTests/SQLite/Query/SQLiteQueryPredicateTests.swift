@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel
import Testing

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate

@testable import CoreData

/// A predicate, the SQL that it becomes and the books that it selects.
struct SQLiteQueryExample: Sendable, CustomTestStringConvertible {
    let format: String
    let sql: String
    let titles: [String]

    init(_ format: String, _ sql: String, _ titles: [String]) {
        self.format = format
        self.sql = sql
        self.titles = titles
    }

    var testDescription: String { format }
}

@Suite("Predicates in SQL")
struct SQLiteQueryPredicateTests {
    private static let start = "SELECT t0.Z_PK, t0.Z_ENT FROM ZBOOK t0"

    @Test("A predicate becomes this SQL and selects these books", arguments: examples)
    func example(_ example: SQLiteQueryExample) throws {
        let library = try Self.makeLibrary()
        let fetch = library.fetch("Book", example.format)
        let sql = try library.sql(fetch)
        #expect(sql == Self.start + example.sql)
        let titles = Dictionary(
            uniqueKeysWithValues: library.objects(of: "Book").map {
                ($0.key.handle, $0.values["title"] as? String ?? "nil")
            })
        #expect(try library.keys(fetch).map { titles[$0]! }.sorted() == example.titles.sorted())
    }

    private static func makeLibrary() throws -> SQLiteQueryLibrary {
        let library = try SQLiteQueryLibrary()
        let ursula = library.insert("Author", ["name": "Ursula", "address": ["city": "Portland"]])
        let émile = library.insert("Author", ["name": "Émile"])
        let fantasy = library.insert("Genre", ["name": "Fantasy", "shelf": NSNumber(value: 3)])
        let novel = library.insert("Genre", ["name": "Novel"])
        let tehanu = library.insert("Book", ["title": "Tehanu", "pages": NSNumber(value: 226), "price": Decimal(10)])
        let wizard = library.insert(
            "AudioBook", ["title": "A Wizard", "pages": NSNumber(value: 183), "narrator": "Rob"])
        let nana = library.insert("Book", ["title": "Nana", "price": Decimal(string: "10.11")!])
        library.insert("Book", ["pages": NSNumber(value: 5)])
        tehanu.connect("author", to: ursula)
        wizard.connect("author", to: ursula)
        nana.connect("author", to: émile)
        wizard.connect("sequel", to: tehanu)
        tehanu.link("genres", to: fantasy)
        wizard.link("genres", to: fantasy)
        tehanu.link("genres", to: novel)
        nana.link("genres", to: novel)
        try library.save()
        return library
    }

    @Test("A fetch request inside a predicate is a subquery")
    func subfetch() throws {
        let library = try Self.makeLibrary()
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Author")
        request.predicate = NSPredicate(format: "name BEGINSWITH 'U'")
        func expression(countOnly: Bool) -> NSExpression {
            NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: nil),
                countOnly: countOnly)
        }
        var fetch = library.fetch("Book", "author IN %@", expression(countOnly: false))
        #expect(
            try library.sql(fetch) == Self.start + " WHERE t0.ZAUTHOR IN (SELECT t1.Z_PK FROM ZAUTHOR t1"
                + " WHERE t1.ZNAME >= ? AND t1.ZNAME < ?) -- 'U', 'V'")
        #expect(try library.keys(fetch).count == 2)
        fetch = library.fetch("Book", "%@ == 1", expression(countOnly: true))
        #expect(try library.keys(fetch).count == 4)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name"]
        fetch = library.fetch(
            "Book", "author.name IN %@ AND NOT title IN %@", expression(countOnly: false), expression(countOnly: false))
        #expect(try library.keys(fetch).count == 2)
    }

    private static let examples: [SQLiteQueryExample] = [
        .init("TRUEPREDICATE", "", ["Tehanu", "A Wizard", "Nana", "nil"]),
        .init("FALSEPREDICATE", " WHERE 0", []),
        .init("title == 'Nana'", " WHERE t0.ZTITLE = ? -- 'Nana'", ["Nana"]),
        .init("title != 'Nana'", " WHERE t0.ZTITLE IS NOT ? -- 'Nana'", ["Tehanu", "A Wizard", "nil"]),
        .init("title == nil", " WHERE t0.ZTITLE IS NULL", ["nil"]),
        .init("NOT pages > 200", " WHERE (t0.ZPAGES > ?) IS NOT TRUE -- 200", ["A Wizard", "Nana", "nil"]),
        .init("200 < pages", " WHERE t0.ZPAGES > ? -- 200", ["Tehanu"]),
        .init("title ==[c] 'nana'", " WHERE OCDCompare(t0.ZTITLE, ?, 1) = 0 -- 'nana'", ["Nana"]),
        .init(
            "title BEGINSWITH 'Te'", " WHERE t0.ZTITLE >= ? AND t0.ZTITLE < ? -- 'Te', 'Tf'", ["Tehanu"]),
        .init("title CONTAINS[cd] 'WÍZ'", " WHERE OCDContains(t0.ZTITLE, ?, 3) -- 'WÍZ'", ["A Wizard"]),
        .init("title LIKE '?a*'", " WHERE OCDLike(t0.ZTITLE, ?, 0) -- '?a*'", ["Nana"]),
        .init("title MATCHES 'N(an)?a.*'", " WHERE OCDMatches(t0.ZTITLE, ?, 0) -- 'N(an)?a.*'", ["Nana"]),
        .init(
            "pages BETWEEN {183, 200}", " WHERE (t0.ZPAGES >= ?) AND (t0.ZPAGES <= ?) -- 183, 200", ["A Wizard"]),
        .init("pages IN {5, 226}", " WHERE t0.ZPAGES IN (?, ?) -- 5, 226", ["Tehanu", "nil"]),
        .init("pages IN {}", " WHERE 0", []),
        .init("price == 10.11", " WHERE t0.ZPRICE = ? -- 10.11", ["Nana"]),
        .init(
            "pages * 2 > 400", " WHERE (t0.ZPAGES * ?) > ? -- 2, 400", ["Tehanu"]),
        .init(
            "author.name == 'Ursula' AND author.address.city == 'Portland'",
            " LEFT OUTER JOIN ZAUTHOR t1 ON t0.ZAUTHOR = t1.Z_PK WHERE (t1.ZNAME = ?) AND (t1.ZCITY = ?)"
                + " -- 'Ursula', 'Portland'", ["Tehanu", "A Wizard"]),
        .init("author == nil", " WHERE t0.ZAUTHOR IS NULL", ["nil"]),
        .init(
            "sequel.author.name != nil",
            " LEFT OUTER JOIN ZBOOK t1 ON t0.ZSEQUEL = t1.Z_PK LEFT OUTER JOIN ZAUTHOR t2 ON t1.ZAUTHOR = t2.Z_PK"
                + " WHERE t2.ZNAME IS NOT NULL", ["A Wizard"]),
        .init(
            "ANY genres.name == 'Fantasy'",
            " WHERE EXISTS (SELECT 1 FROM Z_2GENRES t2 JOIN ZGENRE t1 ON t2.Z_4GENRES = t1.Z_PK"
                + " WHERE t2.Z_2BOOKS = t0.Z_PK AND (t1.ZNAME = ?)) -- 'Fantasy'", ["Tehanu", "A Wizard"]),
        .init(
            "ALL genres.shelf == 3",
            " WHERE (EXISTS (SELECT 1 FROM Z_2GENRES t2 JOIN ZGENRE t1 ON t2.Z_4GENRES = t1.Z_PK"
                + " WHERE t2.Z_2BOOKS = t0.Z_PK AND ((t1.ZSHELF = ?) IS NOT TRUE))) IS NOT TRUE -- 3",
            ["A Wizard", "nil"]),
        .init(
            "genres.@count > 1",
            " WHERE (SELECT COUNT(*) FROM Z_2GENRES t2 JOIN ZGENRE t1 ON t2.Z_4GENRES = t1.Z_PK"
                + " WHERE t2.Z_2BOOKS = t0.Z_PK) > ? -- 1", ["Tehanu"]),
        .init(
            "author.books.@sum.pages == 409",
            " WHERE (CASE WHEN t0.ZAUTHOR IS NULL THEN NULL ELSE (SELECT IFNULL(SUM(t1.ZPAGES), 0) FROM ZBOOK t1"
                + " WHERE t1.ZAUTHOR = t0.ZAUTHOR) END) = ? -- 409", ["Tehanu", "A Wizard"]),
        .init(
            "SUBQUERY(genres, $g, $g.name == 'Novel' AND pages > 3).@count == 1",
            " WHERE (SELECT COUNT(*) FROM Z_2GENRES t2 JOIN ZGENRE t1 ON t2.Z_4GENRES = t1.Z_PK"
                + " WHERE t2.Z_2BOOKS = t0.Z_PK AND ((t1.ZNAME = ?) AND (t0.ZPAGES > ?))) = ? -- 'Novel', 3, 1",
            ["Tehanu"]),
        .init(
            "'Novel' IN genres.name",
            " WHERE EXISTS (SELECT 1 FROM Z_2GENRES t2 JOIN ZGENRE t1 ON t2.Z_4GENRES = t1.Z_PK"
                + " WHERE t2.Z_2BOOKS = t0.Z_PK AND ((t1.ZNAME = ?) AND (t1.ZNAME IS NOT NULL))) -- 'Novel'",
            ["Tehanu", "Nana"]),
        .init("entity.name LIKE 'Audio*'", " WHERE t0.Z_ENT IN (3)", ["A Wizard"]),
        .init(
            "NOT title IN {'Nana', 'Tehanu'}", " WHERE (t0.ZTITLE IN (?, ?)) IS NOT TRUE -- 'Nana', 'Tehanu'",
            ["A Wizard", "nil"]),
        .init("title == 5", " WHERE t0.ZTITLE = ? -- '5'", []),
        .init("uppercase(title) == 'NANA'", " WHERE OCDCall(31, 's', t0.ZTITLE) = ? -- 'NANA'", ["Nana"]),
        .init(
            "TERNARY(pages > 200, 'long', 'short') == 'long'",
            " WHERE (CASE WHEN t0.ZPAGES > ? THEN ? ELSE ? END) = ? -- 200, 'long', 'short', 'long'", ["Tehanu"]),
    ]
}
