@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@testable import CoreData

/// Makes libraries, and predicates over their books, at random.
struct SQLiteQueryGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    static let strings = RandomValues.strings
    static let integers = RandomValues.integers
    static let doubles = RandomValues.doubles
    static let decimals = RandomValues.decimals
    static let dates = RandomValues.dates
    static let identifiers = RandomValues.identifiers
    static let blobs = RandomValues.blobs
    static let urls = RandomValues.urls

    mutating func pick<Element>(_ values: [Element]) -> Element { values[Int(random.next() % UInt64(values.count))] }

    mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

    // MARK: Objects

    mutating func fill(_ library: SQLiteQueryLibrary, books count: Int) {
        let authors = (0..<count / 4).map { _ in
            library.insert(
                "Author",
                values([
                    ("name", pick(Self.strings)), ("born", pick(Self.dates)), ("website", pick(Self.urls)),
                    ("address", ["city": pick(Self.strings)]),
                ]))
        }
        let genres = (0..<6).map { _ in
            library.insert(
                "Genre", values([("name", pick(Self.strings)), ("shelf", NSNumber(value: Int16(pick(Self.integers))))]))
        }
        var books: [SQLiteQueryObject] = []
        for _ in 0..<count { books.append(makeBook(in: library)) }
        for book in books {
            if chance(75) { book.connect("author", to: pick(authors)) }
            if chance(40) { book.connect("sequel", to: pick(books)) }
            for genre in genres where chance(25) { book.link("genres", to: genre) }
        }
        for author in authors where chance(50) {
            let friend = pick(authors)
            if friend !== author { author.link("friends", to: friend) }
        }
    }

    private mutating func makeBook(in library: SQLiteQueryLibrary) -> SQLiteQueryObject {
        library.insert(
            chance(30) ? "AudioBook" : "Book",
            values([
                ("title", pick(Self.strings)), ("subtitle", pick(Self.strings)),
                ("pages", NSNumber(value: Int32(pick(Self.integers)))),
                ("copies", NSNumber(value: Int16(pick(Self.integers)))),
                ("big", NSNumber(value: pick([.min, .max, 0, 1 << 53, (1 << 53) + 1]) as Int64)),
                ("price", pick(Self.decimals)), ("rating", NSNumber(value: Float(pick(Self.doubles)))),
                ("score", NSNumber(value: pick(Self.doubles))), ("inPrint", NSNumber(value: chance(50))),
                ("published", pick(Self.dates)), ("identifier", pick(Self.identifiers)), ("cover", pick(Self.blobs)),
            ]))
    }

    /// The values, some left out.
    private mutating func values(_ all: [(String, Any)]) -> [String: Any] {
        var result: [String: Any] = [:]
        for (key, value) in all where !chance(25) { result[key] = value }
        return result
    }

    // MARK: Sort descriptors

    mutating func sortDescriptors() -> [NSSortDescriptor] {
        (0...Int(random.next() % 3)).map { _ in
            let key = pick([
                "title", "subtitle", "pages", "big", "price", "rating", "score", "inPrint", "published", "identifier",
                "cover",
                "author.name", "author.born", "author.website", "sequel.author.name", "author.address.city",
                "genres.@count",
            ])
            let selector = pick([
                "compare:", "compare:", "caseInsensitiveCompare:", "localizedCompare:",
                "localizedCaseInsensitiveCompare:",
                "localizedStandardCompare:",
            ])
            return NSSortDescriptor(key: key, ascending: chance(50), selector: Selector(selector))
        }
    }

    // MARK: Predicates

    mutating func predicate(over library: SQLiteQueryLibrary, depth: Int = 2) -> NSPredicate {
        var format = ""
        var arguments: [Any] = []
        append(library, depth, to: &format, &arguments)
        return NSPredicate(format: format, argumentArray: arguments)
    }

    private mutating func append(
        _ library: SQLiteQueryLibrary, _ depth: Int, to format: inout String, _ arguments: inout [Any]
    ) {
        guard depth > 0, chance(45) else { return appendComparison(library, to: &format, &arguments) }
        switch random.next() % 5 {
        case 0:
            format += "NOT ("
            append(library, depth - 1, to: &format, &arguments)
            format += ")"
        default:
            let joint = pick([" AND ", " OR "])
            format += "("
            append(library, depth - 1, to: &format, &arguments)
            format += joint
            append(library, depth - 1, to: &format, &arguments)
            format += ")"
        }
    }

    private mutating func appendComparison(
        _ library: SQLiteQueryLibrary, to format: inout String, _ arguments: inout [Any]
    ) {
        switch random.next() % 14 {
        case 0, 1: appendString(pick(Self.stringKeys), to: &format, &arguments)
        case 2, 3: appendNumber(pick(Self.numberKeys), to: &format, &arguments)
        case 4: appendOrdered("published", pick(Self.dates), to: &format, &arguments)
        case 5: appendOrdered("identifier", pick(Self.identifiers), to: &format, &arguments)
        case 6: appendOrdered("cover", pick(Self.blobs), to: &format, &arguments)
        case 7:
            appendOrdered(pick(["author.website", "sequel.author.website"]), pick(Self.urls), to: &format, &arguments)
        case 8: appendObject(library, to: &format, &arguments)
        case 9, 10: appendQuantified(library, to: &format, &arguments)
        case 11: appendTwoKeys(to: &format)
        case 12: appendSubquery(to: &format, &arguments)
        default: appendSpecial(library, to: &format, &arguments)
        }
    }

    static let stringKeys = [
        "title", "subtitle", "author.name", "sequel.title", "author.address.city", "sequel.author.name",
        "uppercase(title)", "lowercase(author.name)", "canonical(subtitle)", "TERNARY(inPrint == YES, title, subtitle)",
    ]
    static let numberKeys = [
        "pages", "copies", "big", "price", "rating", "score", "inPrint", "sequel.pages", "genres.@count",
        "genres.@sum.shelf", "genres.@max.shelf", "genres.@min.shelf", "author.books.@count",
        "sequel.prequels.@sum.pages",
        "author.books.@max.price", "prequels.@avg.pages", "author.friends.@count", "count(genres)", "sum(genres.shelf)",
        "count(genres.shelf)", "count(genres.name)",
        "count(author.books.title)", "author.books.@sum.price", "prequels.@avg.price",
        "pages + copies", "pages * copies - 1", "pages / copies", "pages / 2", "score / copies", "price * 2",
        "price + pages",
        "price / 3", "modulus:by:(pages, copies)", "abs(pages)", "floor(score)", "ceiling(price)", "trunc(rating)",
        "length(title)", "sqrt(pages)", "pages ** 2", "bitwiseAnd:with:(pages, 3)", "leftshift:by:(pages, 1)",
        "published - 1", "max(pages, copies)",
        "noindex(pages)",
    ]

    private static let relations = ["==", "!=", "<", "<=", ">", ">="]
    private static let options = ["", "", "[c]", "[d]", "[cd]", "[n]"]

    private mutating func appendString(_ key: String, to format: inout String, _ arguments: inout [Any]) {
        let option = pick(Self.options)
        switch random.next() % 8 {
        case 0, 1:
            format += "\(key) \(pick(Self.relations))\(option) %@"
            arguments.append(chance(8) ? NSNull() : pick(Self.strings))
        case 2:
            format += "\(key) IN\(option) %@"
            let count = chance(10) ? 50 : Int(random.next() % 4)
            arguments.append((0..<count).map { _ in chance(5) ? NSNull() : pick(Self.strings) as Any })
        case 3:
            format += "\(key) BETWEEN\(option) %@"
            arguments.append([pick(Self.strings), pick(Self.strings)])
        case 4:
            format += "%@ \(pick(Self.relations))\(option) \(key)"
            arguments.append(pick(Self.strings))
        default:
            let function = pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"])
            format += "\(key) \(function)\(option) %@"
            arguments.append(
                function == "MATCHES"
                    ? pick(["a.*", "[a-z]+", ".", "(a|b)B?", "é"]) : pick(Self.strings + ["*", "?", "a*", "*b"]))
        }
    }

    private mutating func number() -> Any {
        switch random.next() % 5 {
        case 0: return NSNumber(value: pick(Self.doubles))
        case 1: return NSDecimalNumber(decimal: pick(Self.decimals))
        case 2: return NSNumber(value: chance(50))
        case 3: return NSNumber(value: pick([.max, .min, 1 << 53, (1 << 53) + 1]) as Int64)
        default: return NSNumber(value: pick(Self.integers))
        }
    }

    private mutating func appendNumber(_ key: String, to format: inout String, _ arguments: inout [Any]) {
        switch random.next() % 6 {
        case 0:
            format += "\(key) IN %@"
            let count = chance(20) ? 60 : Int(random.next() % 4)
            arguments.append((0..<count).map { _ in chance(5) ? NSNull() : number() })
        case 1:
            format += "\(key) BETWEEN %@"
            arguments.append([number(), number()])
        case 2:
            format += "%@ \(pick(Self.relations)) \(key)"
            arguments.append(number())
        default:
            format += "\(key) \(pick(Self.relations)) %@"
            arguments.append(chance(8) ? NSNull() : chance(5) ? "a" as Any : number())
        }
    }

    private mutating func appendOrdered(_ key: String, _ value: Any, to format: inout String, _ arguments: inout [Any])
    {
        format += "\(key) \(pick(Self.relations)) %@"
        arguments.append(chance(10) ? NSNull() : value)
    }

    private mutating func appendObject(
        _ library: SQLiteQueryLibrary, to format: inout String, _ arguments: inout [Any]
    ) {
        let objects = library.objects
        let relation = pick(["==", "!="])
        switch random.next() % 6 {
        case 0:
            format += "\(pick(["author", "sequel", "sequel.author"])) \(relation) %@"
            arguments.append(chance(20) ? NSNull() : pick(objects))
        case 1:
            format += "SELF \(relation) %@"
            arguments.append(pick(objects))
        case 2:
            format += "\(pick(["SELF", "author", "sequel", "sequel.sequel"])) IN %@"
            arguments.append((0..<(chance(20) ? 80 : 3)).map { _ in pick(objects) })
        case 3:
            format += pick([
                "SELF IN author.books", "author.books CONTAINS SELF", "sequel IN author.books", "SELF IN prequels",
            ])
        case 4: format += "sequel \(relation) \(pick(["SELF", "sequel.sequel", "author"]))"
        default:
            format += "\(pick(["genres", "prequels", "author.books"])) CONTAINS %@"
            arguments.append(pick(objects))
        }
    }

    private mutating func appendQuantified(
        _ library: SQLiteQueryLibrary, to format: inout String, _ arguments: inout [Any]
    ) {
        format += pick(["ANY ", "SOME ", "ALL ", "NONE "])
        switch random.next() % 4 {
        case 0:
            appendString(
                pick([
                    "genres.name", "author.books.title", "genres.books.title", "author.friends.name",
                    "prequels.author.name",
                ]),
                quantifiedTo: &format, &arguments)
        case 1:
            format += "\(pick(["genres", "author.books", "prequels", "author.friends"])) \(pick(["==", "!="])) %@"
            arguments.append(chance(10) ? NSNull() : pick(library.objects))
        case 2:
            format += "\(pick(["genres", "author.books", "prequels"])) IN %@"
            arguments.append((0..<3).map { _ in pick(library.objects) })
        default:
            appendNumber(
                pick([
                    "genres.shelf", "author.books.pages", "prequels.price", "author.books.genres.shelf",
                    "prequels.genres.@count",
                ]),
                quantifiedTo: &format, &arguments)
        }
    }

    private mutating func appendString(_ key: String, quantifiedTo format: inout String, _ arguments: inout [Any]) {
        let function = pick(Self.relations + ["BEGINSWITH", "CONTAINS", "LIKE", "IN"])
        format += "\(key) \(function)\(pick(Self.options)) %@"
        if function == "IN" {
            arguments.append([pick(Self.strings), pick(Self.strings)])
        } else {
            arguments.append(chance(10) && Self.relations.contains(function) ? NSNull() : pick(Self.strings))
        }
    }

    private mutating func appendNumber(_ key: String, quantifiedTo format: inout String, _ arguments: inout [Any]) {
        format += "\(key) \(pick(Self.relations)) %@"
        arguments.append(chance(10) ? NSNull() : number())
    }

    private mutating func appendTwoKeys(to format: inout String) {
        let keys = pick([
            ["title", "subtitle", "author.name", "sequel.title"],
            ["pages", "copies", "price", "score", "sequel.rating", "inPrint"],
            ["published", "author.born", "sequel.published"], ["title", "pages", "published"],
            ["identifier", "sequel.identifier"],
        ])
        format += "\(pick(keys)) \(pick(Self.relations)) \(pick(keys))"
    }

    private mutating func appendSubquery(to format: inout String, _ arguments: inout [Any]) {
        let (collection, keys, others) = pick([
            (
                "genres", ["$x.shelf", "$x.books.@count", "pages"],
                ["$x != nil", "$x.name == 'a'", "ANY $x.books.title == title"]
            ),
            (
                "author.books", ["$x.pages", "$x.sequel.pages", "copies"],
                ["$x != SELF", "$x.title == 'a'", "$x.inPrint == NO"]
            ),
            (
                "prequels", ["$x.pages", "$x.author.books.@count"],
                ["$x IN author.books", "ALL $x.prequels.pages > pages"]
            ),
        ])
        format += "SUBQUERY(\(collection), $x, \(pick(keys)) \(pick(Self.relations)) %@"
        arguments.append(number())
        if chance(50) { format += pick([" AND ", " OR "]) + pick(others) }
        format += ").@count \(pick(Self.relations)) %d"
        arguments.append(NSNumber(value: Int(random.next() % 3)))
    }

    private mutating func appendSpecial(
        _ library: SQLiteQueryLibrary, to format: inout String, _ arguments: inout [Any]
    ) {
        switch random.next() % 7 {
        case 0:
            format += "\(pick(["entity.name", "sequel.entity.name"])) \(pick(["==", "!=", "BEGINSWITH", "LIKE"])) %@"
            arguments.append(pick(["Book", "AudioBook", "Audio*", "Author"]))
        case 1:
            format += "\(pick(["entity", "sequel.entity"])) \(pick(["==", "!="])) %@"
            arguments.append(library.entity(pick(["Book", "AudioBook", "Author"])).entity)
        case 2: format += pick(["TRUEPREDICATE", "FALSEPREDICATE", "1 == 1", "nil == 'a'"])
        case 3:
            format += "%@ IN \(pick(["genres.name", "author.books.title", "genres.@distinctUnionOfObjects.name"]))"
            arguments.append(pick(Self.strings))
        case 4: format += "pages \(pick(["BEGINSWITH", "LIKE", "MATCHES"])) \(pick(["'1'", "'-?'", "'[0-9]+'"]))"
        case 5: format += "\(pick(["price", "identifier", "score"])) BEGINSWITH '\(pick(["1", "0", "-"]))'"
        default: format += "title CONTAINS subtitle"
        }
    }
}
