@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSComparisonPredicate
import class FoundationCompat.NSCompoundPredicate
import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@testable import CoreData

@Suite("What SQL can't hold")
struct SQLiteQueryErrorTests {
    @Test(
        "Is an error that names the part",
        arguments: [
            ("titl == 'a'", ["keypath titl not found in entity Book", "Did you mean \"title\"?"]),
            ("author.nme == 'a'", ["key nme of keypath author.nme not found in entity Author", "\"name\""]),
            ("title.size == 1", ["title.size", "size of the attribute Book.title"]),
            ("author.address.cty == 'a'", ["key cty", "Author.address", "city"]),
            ("author.address == 'a'", ["Author.address", "city, street"]),
            ("draft == 'a'", ["Book.draft", "transient"]),
            ("genres.name == 'a'", ["to-many key not allowed here: genres.name"]),
            ("genres == 'a'", ["to-many key not allowed here: genres"]),
            ("ANY genres.nam == 'a'", ["keypath nam not found in entity Genre", "\"name\""]),
            ("genres.@median.shelf == 1", ["@median"]),
            ("title MATCHES '('", ["("]),
            ("pages IN 5", ["IN needs a collection"]),
            ("published CONTAINS 'a'", ["published CONTAINS"]),
            ("title == $missing", ["$missing"]),
            ("narrator == 'a'", ["keypath narrator not found in entity Book"]),
            ("author + 1 == 2", ["add:to:", "an object of Author"]),
        ])
    func errors(format: String, parts: [String]) throws {
        let library = try SQLiteQueryLibrary()
        let fetch = library.fetch("Book", format)
        let error = try #require(throws: NSError.self) { try library.keys(fetch) }
        #expect(error.domain == NSCocoaErrorDomain)
        for part in parts { #expect(error.localizedDescription.contains(part), "\(error.localizedDescription)") }
    }

    @Test("Block predicates, custom selectors and subclasses are refused")
    func codeInPredicates() throws {
        let library = try SQLiteQueryLibrary()
        final class Own: NSPredicate, @unchecked Sendable {}
        let title = NSExpression(forKeyPath: "title")
        let predicates: [(NSPredicate, String)] = [
            (NSPredicate { _, _ in true }, "block"),
            (NSComparisonPredicate(leftExpression: title, rightExpression: title, customSelector: "own:"), "own:"),
            (Own(), "Own"),
            (
                NSComparisonPredicate(
                    leftExpression: NSExpression(block: { _, _, _ in 1 }, arguments: nil), rightExpression: title,
                    modifier: .direct, type: .equalTo), "BLOCK"
            ),
        ]
        for (predicate, part) in predicates {
            var fetch = library.fetch("Book")
            fetch.predicate = predicate
            let error = try #require(throws: NSError.self) { try library.keys(fetch) }
            #expect(error.localizedDescription.contains(part), "\(error.localizedDescription)")
        }
    }

    @Test("Comparators, unknown selectors and keys without an order are refused in sort descriptors")
    func sorting() throws {
        let library = try SQLiteQueryLibrary()
        let descriptors: [(NSSortDescriptor, String)] = [
            (NSSortDescriptor(key: "title", ascending: true, comparator: { _, _ in .orderedSame }), "comparator"),
            (NSSortDescriptor(key: "title", ascending: true, selector: "own:"), "own:"),
            (NSSortDescriptor(key: "draft", ascending: true), "transient"),
            (NSSortDescriptor(key: "genres.name", ascending: true), "genres.name"),
            (NSSortDescriptor(key: "entity", ascending: true), "entity"),
            (NSSortDescriptor(key: "pags", ascending: true), "pages"),
        ]
        for (descriptor, part) in descriptors {
            var fetch = library.fetch("Book")
            fetch.sortDescriptors = [descriptor]
            let error = try #require(throws: NSError.self) { try library.keys(fetch) }
            #expect(error.localizedDescription.contains(part), "\(error.localizedDescription)")
        }
    }

    @Test("A predicate nested without end is an error, a long one isn't")
    func nesting() throws {
        let library = try SQLiteQueryLibrary()
        library.insert("Book", ["pages": NSNumber(value: 4999)])
        try library.save()
        var fetch = library.fetch("Book")
        var nested = NSPredicate(format: "pages > 1")
        for _ in 0..<10_000 { nested = NSCompoundPredicate(notPredicateWithSubpredicate: nested) }
        fetch.predicate = nested
        #expect(throws: NSError.self) { try library.keys(fetch) }
        fetch.predicate = NSCompoundPredicate(
            orPredicateWithSubpredicates: (0..<5000).map { NSPredicate(format: "pages == %d", $0) })
        #expect(try library.keys(fetch) == [1])
    }

    @Test("IN takes any number of values of any kind", arguments: ["pages", "title", "score", "identifier"])
    func longLists(key: String) throws {
        let library = try SQLiteQueryLibrary()
        let identifiers = (0..<60_000).map { _ in UUID() }
        let book = library.insert(
            "Book",
            [
                "pages": NSNumber(value: 59_999), "title": "59999", "score": NSNumber(value: 59_999.1),
                "identifier": identifiers[59_999],
            ])
        library.insert("Book", ["pages": NSNumber(value: -1), "title": "x", "score": NSNumber(value: 0.1)])
        try library.save()
        let values: [Any] =
            switch key {
            case "pages": (0..<60_000).map { $0 }
            case "title": (0..<60_000).map { String($0) }
            case "score": (0..<60_000).map { Double($0) + 0.1 }
            default: identifiers
            }
        let expected = key == "score" ? [book.key.handle, 2] : [book.key.handle]
        #expect(try library.keys(library.fetch("Book", "\(key) IN %@", values)) == expected)
    }
}
