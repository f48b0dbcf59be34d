import CoreData
import Foundation
import Testing

@Suite("Dictionary results are the same from every store")
struct DictionaryResultTests {
    private func makeStack(_ type: String) throws -> TemporaryStack {
        let stack = try TemporaryStack(model: Library.model(for: NSXMLStoreType), storeType: type)
        let context = stack.context()
        let authors = ["Ursula", "Émile", "Ann"].map { context.make("Author", ["name": $0]) }
        var generator = SeededGenerator(seed: 7)
        for index in 0..<40 {
            let entity = index.isMultiple(of: 5) ? "AudioBook" : "Book"
            let book = context.make(
                entity,
                [
                    "title": "Book \(index / 2)", "identifier": UUID(),
                    "copies": Int.random(in: 0..<4, using: &generator),
                    "price": Decimal(Int.random(in: 0..<1000, using: &generator)) / 10,
                    "inPrint": Bool.random(using: &generator), "rating": Float(index % 3) / 2,
                ])
            if !index.isMultiple(of: 4) { book.setValue(Int.random(in: 1..<500, using: &generator), forKey: "pages") }
            if !index.isMultiple(of: 7) { book.setValue(authors[index % 3], forKey: "author") }
        }
        try context.save()
        return stack
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

    private func request(_ change: (NSFetchRequest<NSDictionary>) -> Void) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        change(request)
        return request
    }

    private var requests: [(name: String, request: NSFetchRequest<NSDictionary>)] {
        let aggregates = [
            expression("n", "count:(title)"), expression("pages", "sum:(pages)"), expression("price", "sum:(price)"),
            expression("longest", "max:(pages)"), expression("mean", "average:(pages)", .doubleAttributeType),
            expression("first", "min:(title)"),
        ]
        return [
            ("plain", request { $0.propertiesToFetch = ["title", "pages", "copies", "price", "inPrint", "rating"] }),
            (
                "key paths and expressions",
                request {
                    $0.propertiesToFetch = [
                        "title", "author.name", expression("double", "pages * 2", .doubleAttributeType),
                        expression("lower", "lowercase(title)"), expression("two", "copies + 2"),
                    ]
                    $0.predicate = NSPredicate(format: "copies > 0")
                }
            ),
            (
                "distinct, sorted, limited",
                request {
                    $0.propertiesToFetch = ["title", "author.name"]
                    $0.returnsDistinctResults = true
                    $0.sortDescriptors = [
                        NSSortDescriptor(key: "title", ascending: false),
                        NSSortDescriptor(key: "author.name", ascending: true),
                    ]
                    $0.fetchOffset = 3
                    $0.fetchLimit = 8
                }
            ),
            (
                "groups",
                request {
                    $0.propertiesToFetch = ["author.name"] + aggregates
                    $0.propertiesToGroupBy = ["author.name"]
                }
            ),
            (
                "groups of two, having, ordered",
                request {
                    $0.propertiesToFetch = ["author.name", "copies"] + aggregates
                    $0.propertiesToGroupBy = ["author.name", "copies"]
                    $0.havingPredicate = NSPredicate(format: "$n > 1 AND sum:(pages) > 100")
                    $0.sortDescriptors = [
                        NSSortDescriptor(key: "n", ascending: false), NSSortDescriptor(key: "copies", ascending: true),
                        NSSortDescriptor(key: "author.name", ascending: true),
                    ]
                }
            ),
            ("of all", request { $0.propertiesToFetch = aggregates }),
            (
                "of nothing",
                request {
                    $0.propertiesToFetch = aggregates
                    $0.predicate = NSPredicate(value: false)
                }
            ),
        ]
    }

    @Test("What SQLite says in SQL, the others say in memory", arguments: Library.storeTypes.dropFirst())
    func agreement(type: String) throws {
        let expected = try makeStack(NSSQLiteStoreType).context()
        let actual = try makeStack(type).context()
        for (name, request) in requests {
            let isOrdered = request.sortDescriptors != nil
            let left = try expected.fetch(request).map(Self.text)
            let right = try actual.fetch(request).map(Self.text)
            #expect(left.count > 0, "\(name)")
            #expect(isOrdered ? right == left : right.sorted() == left.sorted(), "\(name): \(right) and \(left)")
        }
    }

    private static func text(_ dictionary: NSDictionary) -> String {
        dictionary.allKeys.map { "\($0) = \(dictionary[$0] ?? "")" }.sorted().joined(separator: ", ")
    }

    @Test("Objects are given as IDs, what is nil is left out", arguments: Library.storeTypes)
    func objects(type: String) throws {
        let stack = try makeStack(type)
        let context = stack.context()
        let object = NSExpressionDescription()
        object.name = "object"
        object.expression = NSExpression.expressionForEvaluatedObject()
        object.expressionResultType = .objectIDAttributeType
        let request = request { $0.propertiesToFetch = ["author", "pages", object] }
        for dictionary in try context.fetch(request) {
            let id = try #require(dictionary["object"] as? NSManagedObjectID)
            let book = context.object(with: id)
            #expect(
                dictionary["author"] as? NSManagedObjectID
                    == (book.value(forKey: "author") as? NSManagedObject)?.objectID)
            #expect(dictionary["pages"] as? Int == book.value(forKey: "pages") as? Int)
        }
    }

    @Test("What can't be is an error that says what", arguments: Library.storeTypes)
    func errors(type: String) throws {
        let stack = try makeStack(type)
        func message(_ change: (NSFetchRequest<NSDictionary>) -> Void) throws -> String {
            let request = request(change)
            return try #require(throws: NSError.self) { try stack.context().fetch(request) }.localizedDescription
        }
        #expect(try message { $0.propertiesToFetch = ["title", expression("n", "count:(title)")] }.contains("title"))
        #expect(
            try message {
                $0.propertiesToFetch = ["title", "pages"]
                $0.propertiesToGroupBy = ["title"]
            }.contains("pages"))
        #expect(
            try message {
                $0.propertiesToFetch = ["title"]
                $0.havingPredicate = NSPredicate(format: "pages > 1")
            }.contains("propertiesToGroupBy"))
        #expect(try message { $0.propertiesToFetch = ["titl"] }.contains("\"title\""))
        #expect(try message { $0.propertiesToFetch = ["genres"] }.contains("genres"))
        #expect(
            try message {
                $0.propertiesToFetch = ["title"]
                $0.sortDescriptors = [NSSortDescriptor(key: "pges", ascending: true)]
            }.contains("pges"))
    }
}
