import CoreData
import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate

@Suite("Predicates as programs write them select the same in every type of store")
struct PredicateIdiomTests {
    /// Entity, format, arguments, and the initials of what it selects.
    private typealias Row = (entity: String, format: String, arguments: [Any], initials: String)

    private func check(_ rows: [Row]) throws {
        let stores = try ArticleStores()
        for row in rows {
            let predicate = try NSPredicate.parse(row.format, argumentArray: row.arguments)
            let place: Comment = "\(row.format) \(row.arguments)"
            #expect(try stores.initials(predicate, of: row.entity) == ArticleStores.all(row.initials), place)
            // What a predicate prints says the same again.
            let again = try NSPredicate.parse(predicate.parsableFormat)
            #expect(try stores.initials(again, of: row.entity) == ArticleStores.all(row.initials), place)
        }
    }

    @Test("Bits of numbers")
    func bits() throws {
        try check([
            ("Article", "(flags & %d) != 0", [2], "ab"), ("Article", "flags & 2 == 2", [], "ab"),
            ("Article", "(flags | 1) == 3", [], "ab"), ("Article", "(flags ^ 1) == 2", [], "a"),
            ("Article", "(flags << 1) == 8", [], "g"), ("Article", "(flags >> 2) > 0", [], "eg"),
            ("Article", "(~flags & 1) == 1", [], "bdeg"), ("Article", "flags + 1 & 1 == 1", [], "bdeg"),
            ("Article", "bitwiseAnd:with:(flags, 2) != 0", [], "ab"),
        ])
        #expect(
            NSPredicate(format: "(flags & 2) != 0 || ~flags > 1").predicateFormat
                == "bitwiseAnd:with:(flags, 2) != 0 OR onesComplement:(flags) > 1")
    }

    @Test("Aggregates over all objects")
    func aggregates() throws {
        try check([
            ("Article", "words == max(words)", [], "dg"), ("Article", "words == max:(words)", [], "dg"),
            ("Article", "words == @max.words", [], "dg"), ("Article", "words == min(words)", [], "e"),
            ("Article", "rating > average(rating)", [], "deg"), ("Article", "published == max(published)", [], "g"),
            ("Article", "words == max(words) AND kind == 'news'", [], ""),
            ("Article", "tags.@count == max(tags.@count)", [], "a"),
            ("Article", "words > @avg.words AND isDraft == NO", [], "g"),
            ("Essay", "words == max(words)", [], "e"),
        ])
    }

    @Test("The length of strings")
    func lengths() throws {
        try check([
            ("Article", "title.length > 5", [], "e"), ("Article", "title.length == 4", [], "b"),
            ("Article", "author.name.length == 3", [], "abeg"), ("Article", "ANY tags.label.length > 5", [], ""),
            ("Article", "code.length == 0 OR code == nil", [], "de"),
        ])
    }

    @Test("To-manys that are empty or not")
    func emptyToManys() throws {
        try check([
            ("Article", "tags == nil", [], "dg"), ("Article", "tags != nil", [], "abe"),
            ("Article", "NOT (tags == nil)", [], "abe"),
            ("Article", "author.articles == nil", [], "d"), ("Article", "author.articles != nil", [], "abeg"),
            ("Article", "tags.@count == 0", [], "dg"), ("Article", "self.tags.@count > 1", [], "a"),
            ("Article", "tags.@count = 0 || author == nil", [], "dg"), ("Author", "articles == nil", [], "c"),
            ("Author", "SUBQUERY(articles, $a, $a.tags == nil).@count > 0", [], "b"),
        ])
        let stores = try ArticleStores()
        #expect(try stores.initials(NSPredicate(format: "tags == %@", NSNull())) == ArticleStores.all("dg"))
    }

    @Test("Collections, ranges and key paths as arguments")
    func arguments() throws {
        let day = ArticleStores.firstDay
        try check([
            ("Article", "title IN %@", [["Alpha", "beta"]], "ab"),
            ("Article", "title IN %@", [Set(["Alpha", "beta"])], "ab"),
            ("Article", "title IN %@", [NSSet(array: ["Alpha", "beta"])], "ab"),
            ("Article", "title IN %@", [NSOrderedSet(array: ["Alpha", "beta"])], "ab"),
            ("Article", "title IN[c] %@", [["ALPHA", "Beta"]], "ab"),
            ("Article", "NOT (title IN %@)", [["Alpha", "beta"]], "deg"),
            ("Article", "words BETWEEN %@", [[100, 200]], "ab"), ("Article", "words BETWEEN {100, 200}", [], "ab"),
            ("Article", "published BETWEEN %@", [[day, day.addingTimeInterval(90000)]], "ab"),
            ("Article", "published >= %@ AND published < %@", [day, day.addingTimeInterval(90000)], "ab"),
            ("Article", "%K.%K == %@", ["author", "name", "Ann"], "ab"),
            ("Article", "%K CONTAINS[cd] %@", ["title", "TA"], "bd"),
            ("Article", "isDraft == %@", [NSNumber(value: true)], "bd"), ("Article", "isDraft = %@", [true], "bd"),
            ("Article", "price == %@", [NSDecimalNumber(string: "9.99")], "a"),
        ])
    }

    @Test("ANY, ALL, NONE and SUBQUERY")
    func quantifiers() throws {
        try check([
            ("Article", "ANY tags.label IN %@", [["swift", "x"]], "ab"),
            ("Article", "SOME tags.label ==[c] 'linux'", [], "ae"),
            ("Article", "ALL tags.label == 'swift'", [], "bdg"),
            ("Article", "NONE tags.label == 'swift'", [], "deg"), ("Article", "'swift' IN tags.label", [], "ab"),
            ("Article", "SUBQUERY(tags, $t, $t.label == 'swift' AND $t.weight == 1).@count == 1", [], "ab"),
            ("Author", "SUBQUERY(articles, $a, ANY $a.tags.label == 'Linux').@count > 0", [], "ab"),
            ("Author", "articles[SIZE] == 0", [], "c"),
            ("Article", "SUBQUERY(author, $a, $a.name.length == 3).@count == 1", [], "abeg"),
            ("Article", "SUBQUERY(author, $a, $a.name.length == 3).@count == 0", [], "d"),
            ("Article", "SUBQUERY(author, $a, $a.articles.@count > 100).@count != 0", [], ""),
        ])
    }

    @Test("Functions and casts")
    func functions() throws {
        try check([
            ("Article", "words - author.age == 70", [], "a"), ("Article", "modulus:by:(words, 100) == 50", [], "e"),
            ("Article", "TERNARY(isDraft == YES, 1, 0) == 1", [], "bd"),
            ("Article", "CAST(words, 'NSString') == '100'", [], "a"),
            ("Article", "CAST(words, 'NSString') CONTAINS '00'", [], "abdg"),
            ("Article", "CAST(published, 'NSNumber') > 700000001", [], "bg"),
            ("Article", "CAST(code, 'NSNumber') > 5", [], "b"), ("Article", "CAST(rating, 'NSInteger') == 4", [], "d"),
        ])
    }

    @Test("A block is handed the object, in every store that keeps its objects in memory; in SQL it is an error")
    func blocks() throws {
        let memory = [NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType]
        let block = NSPredicate { object, _ in
            guard let article = object as? NSManagedObject else { return false }
            return (article.value(forKey: "words") as? Int ?? 0) > 150 && article.managedObjectContext != nil
        }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [block, NSPredicate(format: "isDraft == YES")])
        let stores = try ArticleStores(memory)
        #expect(try stores.initials(block) == Dictionary(uniqueKeysWithValues: memory.map { ($0, "bdg") }))
        #expect(try stores.initials(both) == Dictionary(uniqueKeysWithValues: memory.map { ($0, "bd") }))
        let dictionaries = try stores.dictionaries(["title"]) { request in
            request.predicate = both
            request.propertiesToFetch = ["title"]
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
            request.fetchLimit = 1
        }
        #expect(dictionaries == Dictionary(uniqueKeysWithValues: memory.map { ($0, ["delta"]) }))
        let sql = try ArticleStores([NSSQLiteStoreType])
        #expect(throws: (any Error).self) { try sql.initials(block) }
    }

    @Test(
        "A number beside strings and a text beside numbers find in SQL what column affinity finds, and nothing in memory"
    )
    func affinity() throws {
        let stores = try ArticleStores()
        let rows: [(String, [Any], String)] = [
            ("code == 5", [], "a"), ("code == %@", [NSNumber(value: 10)], "b"), ("code IN %@", [[5, 10]], "ab"),
            ("words == %@", ["100"], "a"), ("words > %@", ["250"], "dg"), ("rating == '1.5'", [], "a"),
            ("isDraft == '1'", [], "bd"), ("words == 'many'", [], ""),
        ]
        for (format, arguments, initials) in rows {
            let answers = try stores.initials(NSPredicate(format: format, argumentArray: arguments))
            #expect(answers[NSSQLiteStoreType] == initials, "\(format)")
            #expect(answers[NSInMemoryStoreType] == "", "\(format)")
        }
    }

    @Test("The first result of a fetch stands for a value, in SQL and in memory")
    func fetchAsValue() throws {
        let stores = try ArticleStores()
        let greatest = NSExpressionDescription()
        greatest.name = "greatest"
        greatest.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "words")])
        let titles = try stores.answers { context in
            let inner = NSFetchRequest<NSDictionary>(entityName: "Article")
            inner.resultType = .dictionaryResultType
            inner.propertiesToFetch = [greatest]
            let fetch = NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: inner), context: NSExpression(forConstantValue: context),
                countOnly: false)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Article")
            request.predicate = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "words"), rightExpression: fetch, modifier: .direct,
                type: .equalTo)
            return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
        #expect(titles == ArticleStores.all(["Gämma", "delta"]))
    }

    @Test("Unsaved objects are measured by what all objects of the stores have")
    func pendingChanges() throws {
        let stores = try ArticleStores()
        let titles = try stores.answers { context in
            let draft = NSEntityDescription.insertNewObject(forEntityName: "Article", into: context)
            draft.setValuesForKeys(["title": "zeta", "words": 300])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Article")
            request.predicate = NSPredicate(format: "words == max(words) AND tags == nil")
            return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
        #expect(titles == ArticleStores.all(["Gämma", "delta", "zeta"]))
    }
    @Test("An attribute called length is none of a string's", arguments: ArticleStores.types)
    func attributeCalledLength(storeType: String) throws {
        let (city, street) = (NSEntityDescription(), NSEntityDescription())
        (city.name, street.name) = ("City", "Street")
        let (name, length) = (NSAttributeDescription(), NSAttributeDescription())
        (name.name, name.attributeType, length.name, length.attributeType) = (
            "name", .stringAttributeType, "length", .doubleAttributeType
        )
        let (streets, home) = (NSRelationshipDescription(), NSRelationshipDescription())
        (streets.name, streets.destinationEntity, streets.maxCount) = ("streets", street, 0)
        (home.name, home.destinationEntity, home.maxCount) = ("city", city, 1)
        (streets.inverseRelationship, home.inverseRelationship) = (home, streets)
        (city.properties, street.properties) = ([name, streets], [length, home])
        let model = NSManagedObjectModel()
        model.entities = [city, street]
        let stores = try ArticleStores([])
        let context = try stores.makeContext(model: model)
        try stores.add(storeType, to: context)
        try context.performAndWait {
            for (title, lengths) in [("Long", [150.0, 100]), ("Short", [10, 20])] {
                let city = NSEntityDescription.insertNewObject(forEntityName: "City", into: context)
                city.setValue(title, forKey: "name")
                for length in lengths {
                    NSEntityDescription.insertNewObject(forEntityName: "Street", into: context).setValuesForKeys(
                        ["length": length, "city": city])
                }
            }
            try context.save()
            for format in [
                "streets.@sum.length > 200", "streets.@max.length > 120", "ANY streets.length > 120",
                "name.length == 4",
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "City")
                request.predicate = NSPredicate(format: format)
                let found = try context.fetch(request).map { $0.value(forKey: "name") as? String }
                #expect(found == ["Long"], "\(format)")
            }
        }
    }

}
