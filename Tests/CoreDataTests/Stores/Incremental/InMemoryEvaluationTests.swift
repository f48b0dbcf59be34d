import CoreData
import Foundation
import Testing

@Suite("Fetches that a store has evaluated over its nodes")
struct InMemoryEvaluationTests {
    @Test("Related objects that a predicate looks at are read all at once, and not again by their faults")
    func relatedObjects() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        stack.warehouse.behaviour.givesRelationships = true
        stack.warehouse.behaviour.givesValues = true
        let books = try stack.context.all("Book", "author.name == 'Ursula'", sort: "author.name")
        #expect(stack.warehouse.takeLog() == ["fetch objects of Book", "newValues Author/1"])
        #expect((books[0].value(forKey: "author") as? NSManagedObject)?.text("name") == "Ursula")
        #expect(stack.warehouse.takeLog() == [])
    }

    @Test("Predicates with objects, IDs, subqueries and collections")
    func predicates() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let author = stack.object(.init("Author", 1))
        func titles(_ predicate: NSPredicate, _ entity: String = "Book") throws -> [String] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = predicate
            return try stack.context.fetch(request).map { $0.text(entity == "Book" ? "title" : "name") ?? "nil" }
                .sorted()
        }
        #expect(try titles(NSPredicate(format: "author == %@", author)) == ["Rocannon", "Tehanu"])
        #expect(try titles(NSPredicate(format: "author == %@", author.objectID)) == ["Rocannon", "Tehanu"])
        #expect(try titles(NSPredicate(format: "author == nil")) == ["Emma"])
        #expect(try titles(NSPredicate(format: "SELF IN %@", [stack.object(.init("Book", 13))])) == ["Emma"])
        #expect(try titles(NSPredicate(format: "ANY books.title == 'Tehanu'"), "Author") == ["Ursula"])
        #expect(try titles(NSPredicate(format: "books.@sum.pages == 343"), "Author") == ["Ursula"])
        #expect(
            try titles(NSPredicate(format: "SUBQUERY(author.books, $b, $b.pages > 200).@count == 1")) == [
                "Rocannon", "Tehanu",
            ])
    }

    @Test("Dictionaries: grouped, limited, distinct")
    func dictionaries() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        let total = NSExpressionDescription()
        total.name = "total"
        total.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "pages")])
        total.expressionResultType = .integer64AttributeType
        request.propertiesToFetch = ["author", total]
        request.propertiesToGroupBy = ["author"]
        request.havingPredicate = NSPredicate(format: "total < 400")
        let rows = try stack.context.fetch(request)
        #expect(rows.count == 1)
        #expect(rows.first?["author"] as? NSManagedObjectID == stack.store.id(.init("Author", 1)))
        #expect(rows.first?["total"] as? Int == 343)
    }

    @Test("A value of the wrong type is an error, wherever the request looks at it")
    func wrongTypes() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        stack.warehouse.records[.init("Book", 12)]?.values["pages"] = "many"
        let error = #expect(throws: NSError.self) { try stack.context.all("Book", "pages > 5") }
        #expect(error?.localizedDescription.contains("Book.pages") == true)
        #expect(throws: NSError.self) { try stack.context.all("Book", sort: "pages") }
        stack.warehouse.behaviour.node = { _, _ in throw WarehouseStore.Failure() }
        #expect(throws: WarehouseStore.Failure.self) { try stack.context.all("Book", "author.name == 'Ursula'") }
    }

    @Test("Unknown keys are errors that name them")
    func unknownKeys() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let error = #expect(throws: (any Error).self) { try stack.context.all("Book", "weight > 5") }
        #expect("\(String(describing: error))".contains("weight"))
    }

    @Test("The same requests give the same results over an in-memory store", arguments: 1...10)
    func sameAsInMemoryStore(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stack = try WarehouseStack()
        stack.warehouse.behaviour.givesRelationships = Bool.random(using: &random)
        stack.warehouse.behaviour.givesValues = Bool.random(using: &random)
        let memory = try TemporaryStack(model: WarehouseStack.model(), storeType: NSInMemoryStoreType)
        let contexts = [stack.context, memory.context()]
        let seeds = (0..<25).map { _ in UInt64.random(in: 0 ... .max, using: &random) }
        for context in contexts {
            let authors = ["Ursula", "Jane", "Jules"].map { context.make("Author", ["name": $0]) }
            for (number, seed) in seeds.enumerated() {
                var random = SeededGenerator(seed: seed)
                let entity = Bool.random(using: &random) ? "Book" : "AudioBook"
                let book = context.make(entity, ["title": "Book \(number % 7)", "pages": number * 13 % 60 + 1])
                book.setValue(authors.randomElement(using: &random), forKey: "author")
                book.setValue(Float(number % 4), forKey: "rating")
            }
            try context.save()
            context.reset()
        }
        for _ in 0..<40 {
            let format = [
                "pages > 30", "author.name == 'Jane'", "title ENDSWITH '3' OR rating >= 2",
                "ANY author.books.pages > 55",
                "author.books.@count > 8", "NOT title IN {'Book 1', 'Book 2'}", "pages BETWEEN {5, 25}",
                "TRUEPREDICATE",
            ].randomElement(using: &random)!
            let limit = Int.random(in: 0...5, using: &random)
            let offset = Int.random(in: 0...3, using: &random)
            let entity = Bool.random(using: &random) ? "Book" : "AudioBook"
            let includesSubentities = Bool.random(using: &random)
            let results = try contexts.map { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = NSPredicate(format: format)
                request.includesSubentities = includesSubentities
                request.sortDescriptors = ["author.name", "title", "pages", "rating"]
                    .map { NSSortDescriptor(key: $0, ascending: true) }
                request.fetchLimit = limit
                request.fetchOffset = offset
                return try context.fetch(request).map {
                    "\($0.entity.name!) \($0.text("title")!) \($0.value(forKey: "pages")!)"
                }
            }
            #expect(results[0] == results[1], "seed \(seed): \(format) of \(entity), \(limit) from \(offset)")
        }
    }
}
