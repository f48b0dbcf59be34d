import CoreData

/// The shelf of the claim, which has a process of its own.
@MainActor private var filled: NSManagedObjectContext?

/// A shelf of books by two authors.
@MainActor
private func shelf() throws -> NSManagedObjectContext {
    if let filled { return filled }
    let context = PersistenceController().container.viewContext
    filled = context
    let (asimov, herbert) = (Author("Asimov", in: context), Author("Herbert", in: context))
    let rows: [(String, Int32, Float, String, Author?)] = [
        ("Foundation", 255, 4.5, "9.50", asimov), ("I, Robot", 253, 4, "7.25", asimov),
        ("Dune", 612, 5, "12.00", herbert), ("Dune Messiah", 256, 3.5, "9.50", herbert),
        ("Anonymous", 90, 2, "1.00", nil),
    ]
    for (index, (title, pages, rating, price, author)) in rows.enumerated() {
        let book = Book.make(title, pages: pages, by: author, in: context)
        book.rating = rating
        book.price = NSDecimalNumber(string: price)
        book.isAvailable = index != 1
        book.publishedAt = Date(timeIntervalSince1970: Double(index) * 86_400 * 365)
        for number in 0..<min(index, 3) {
            let loan = Loan(context: context)
            loan.borrower = "B\(number)"
            loan.returnedAt = number == 0 ? Date(timeIntervalSince1970: 0) : nil
            loan.book = book
        }
    }
    try context.save()
    return context
}

/// Queries as articles and answers show them.
@MainActor
func queryIdioms(_ suite: Suite) {
    func titles(_ predicate: NSPredicate) throws -> [String] {
        let context = try shelf()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        return try context.fetch(request).map { $0.title ?? "" }
    }

    func column(_ name: String, _ function: String, _ key: String, _ type: NSAttributeType) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        description.name = name
        description.expressionResultType = type
        return description
    }

    suite("Group by and count, as the well-known answer has it") {
        let context = try shelf()
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        fetch.propertiesToGroupBy = ["author.name"]
        fetch.propertiesToFetch = ["author.name", column("count", "count:", "title", .integer64AttributeType)]
        fetch.resultType = .dictionaryResultType
        let results = try context.fetch(fetch) as! [[String: Any]]
        let counts = Dictionary(
            uniqueKeysWithValues: results.map { ($0["author.name"] as? String ?? "none", $0["count"] as! Int) })
        try expect(counts, is: ["Asimov": 2, "Herbert": 2, "none": 1])
    }

    suite("Groups are sifted by a having predicate") {
        let context = try shelf()
        let fetch = NSFetchRequest<NSDictionary>(entityName: "Book")
        fetch.resultType = .dictionaryResultType
        fetch.propertiesToFetch = ["author.name", column("pages", "sum:", "pages", .integer64AttributeType)]
        fetch.propertiesToGroupBy = ["author.name"]
        fetch.havingPredicate = NSPredicate(
            format: "%@ > 600", NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "pages")]))
        let results = try context.fetch(fetch)
        try expect(results.map { $0["author.name"] as? String }, is: ["Herbert"])
    }

    suite("Several aggregates come in one dictionary") {
        let context = try shelf()
        let fetch = NSFetchRequest<NSDictionary>(entityName: "Book")
        fetch.resultType = .dictionaryResultType
        fetch.propertiesToFetch = [
            column("minPages", "min:", "pages", .integer32AttributeType),
            column("maxPages", "max:", "pages", .integer32AttributeType),
            column("average", "average:", "rating", .doubleAttributeType),
            column("total", "sum:", "price", .decimalAttributeType),
            column("first", "min:", "publishedAt", .dateAttributeType),
        ]
        let row = try unwrap(context.fetch(fetch).first)
        try expect(row["minPages"] as? Int, is: 90)
        try expect(row["maxPages"] as? Int32, is: 612)
        try expect(row["average"] as? Double, is: 3.8)
        try expect((row["total"] as? NSDecimalNumber)?.doubleValue, is: 39.25)
        try expect(row["first"] as? Date, is: Date(timeIntervalSince1970: 0))
    }

    suite("A dictionary has the object's ID by an expression for the object itself") {
        let context = try shelf()
        let id = NSExpressionDescription()
        id.name = "objectID"
        id.expression = NSExpression.expressionForEvaluatedObject()
        id.expressionResultType = .objectIDAttributeType
        let fetch = NSFetchRequest<NSDictionary>(entityName: "Book")
        fetch.resultType = .dictionaryResultType
        fetch.propertiesToFetch = ["title", id]
        fetch.predicate = NSPredicate(format: "title == 'Dune'")
        let row = try unwrap(context.fetch(fetch).first)
        let found = try unwrap(row["objectID"] as? NSManagedObjectID)
        try expect((context.object(with: found) as? Book)?.pages, is: 612)
    }

    suite("Texts are changed by functions in columns") {
        let context = try shelf()
        let fetch = NSFetchRequest<NSDictionary>(entityName: "Book")
        fetch.resultType = .dictionaryResultType
        fetch.propertiesToFetch = [
            column("lower", "lowercase:", "title", .stringAttributeType),
            column("upper", "uppercase:", "title", .stringAttributeType),
        ]
        fetch.predicate = NSPredicate(format: "title == %@", "Dune")
        let row = try unwrap(context.fetch(fetch).first)
        try expect(row["lower"] as? String, is: "dune")
        try expect(row["upper"] as? String, is: "DUNE")
    }

    suite("A subquery in code counts the loans that are out") {
        let isOut = NSPredicate(format: "$loan.returnedAt == nil")
        let subquery = NSExpression(
            forSubquery: NSExpression(forKeyPath: "loans"), usingIteratorVariable: "loan", predicate: isOut)
        let count = NSExpression(forFunction: "count:", arguments: [subquery])
        let predicate = NSComparisonPredicate(
            leftExpression: count, rightExpression: NSExpression(forConstantValue: 1), modifier: .direct,
            type: .greaterThan,
            options: [])
        try expect(try titles(predicate), is: ["Anonymous", "Dune Messiah"])
    }

    suite("ALL, SOME and NONE over a to-many") {
        try expect(
            try titles(NSPredicate(format: "loans.@count > 0 AND ALL loans.returnedAt != nil")), is: ["I, Robot"])
        try expect(try titles(NSPredicate(format: "SOME loans.borrower == 'B2'")), is: ["Anonymous", "Dune Messiah"])
        try expect(
            try titles(NSPredicate(format: "loans.@count > 0 AND NONE loans.borrower IN %@", ["B1"])), is: ["I, Robot"])
    }

    suite("Comparisons in code have an operator, a modifier and options") {
        let predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "title"), rightExpression: NSExpression(forConstantValue: "dune"),
            modifier: .direct, type: .beginsWith, options: [.caseInsensitive, .diacriticInsensitive])
        try expect(predicate.predicateOperatorType == .beginsWith)
        try expect(predicate.comparisonPredicateModifier == .direct)
        try expect(predicate.options.contains(.diacriticInsensitive))
        try expect(predicate.leftExpression.keyPath, is: "title")
        try expect(predicate.rightExpression.constantValue as? String, is: "dune")
        try expect(predicate.predicateFormat, is: #"title BEGINSWITH[cd] "dune""#)
        try expect(try titles(predicate), is: ["Dune Messiah", "Dune"])
    }

    suite("Every operator of comparisons gives its books") {
        func compare(_ type: NSComparisonPredicate.Operator, _ value: Any) -> NSPredicate {
            NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "pages"),
                rightExpression: NSExpression(forConstantValue: value),
                modifier: .direct, type: type)
        }
        try expect(try titles(compare(.lessThan, 253)), is: ["Anonymous"])
        try expect(try titles(compare(.lessThanOrEqualTo, 253)).count, is: 2)
        try expect(try titles(compare(.greaterThan, 256)), is: ["Dune"])
        try expect(try titles(compare(.greaterThanOrEqualTo, 256)).count, is: 2)
        try expect(try titles(compare(.notEqualTo, 612)).count, is: 4)
        try expect(try titles(compare(.in, [90, 612])).count, is: 2)
        try expect(try titles(compare(.between, [250, 256])).count, is: 3)
    }

    suite("Compound predicates can be taken apart") {
        let compound = NSCompoundPredicate(orPredicateWithSubpredicates: [
            NSPredicate(format: "pages < 100"),
            NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "rating < 5")),
        ])
        try expect(compound.compoundPredicateType == .or)
        try expect(compound.subpredicates.count, is: 2)
        try expect((compound.subpredicates[1] as? NSCompoundPredicate)?.compoundPredicateType == .not)
        try expect(try titles(compound), is: ["Anonymous", "Dune"])
        try expect(try titles(NSCompoundPredicate(andPredicateWithSubpredicates: [])).count, is: 5)
        try expect(try titles(NSCompoundPredicate(orPredicateWithSubpredicates: [])).count, is: 0)
    }

    suite("A search field's words are all to be found somewhere") {
        let words = "mess du".split(separator: " ").map(String.init)
        let predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: words.map { word in
                NSCompoundPredicate(orPredicateWithSubpredicates: [
                    NSPredicate(format: "title CONTAINS[cd] %@", word),
                    NSPredicate(format: "author.name CONTAINS[cd] %@", word),
                ])
            })
        try expect(try titles(predicate), is: ["Dune Messiah"])
    }

    suite("Decimals, floats and dates compare with Swift's own values") {
        try expect(try titles(NSPredicate(format: "price == %@", NSDecimalNumber(string: "9.50"))).count, is: 2)
        try expect(try titles(NSPredicate(format: "price > %@", Decimal(10) as NSNumber)), is: ["Dune"])
        try expect(try titles(NSPredicate(format: "rating >= %f", 4.5)).count, is: 2)
        let year = Date(timeIntervalSince1970: 86_400 * 365)
        try expect(
            try titles(
                NSPredicate(
                    format: "publishedAt BETWEEN {%@, %@}", Date(timeIntervalSince1970: 0) as NSDate, year as NSDate)
            ).count, is: 2)
    }

    suite("Requests without subentities, changes or with stores of their own") {
        let context = try shelf()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        _ = Book.make("Unsaved", in: context)
        try expect(try context.count(for: request), is: 6)
        request.includesPendingChanges = false
        try expect(try context.count(for: request), is: 5)
        request.affectedStores = context.persistentStoreCoordinator?.persistentStores
        try expect(try context.fetch(request).count, is: 5)
        request.affectedStores = []
        try expect(request.affectedStores?.isEmpty, is: true)
        request.includesPropertyValues = false
        try expect(request.copy() as? NSFetchRequest<Book> !== request)
    }

    suite("A refetch refreshes what others have changed when it is asked to") {
        let context = try shelf()
        context.automaticallyMergesChangesFromParent = false
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "author.name == 'Herbert'")
        let book = try context.fetch(request).first { $0.title == "Dune" }!
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = context.persistentStoreCoordinator
        let id = book.objectID
        try other.performAndWait {
            (try other.existingObject(with: id) as! Book).pages = 700
            try other.save()
        }
        _ = try context.fetch(request)
        try expect(book.pages, is: 612)
        request.shouldRefreshRefetchedObjects = true
        _ = try context.fetch(request)
        try expect(book.pages, is: 700)
    }

    suite("An asynchronous request has progress, an estimate and a completion block") {
        let context = try shelf()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        var found: [Book]?
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) {
            (result: NSAsynchronousFetchResult<Book>) in
            found = result.finalResult
        }
        asynchronous.estimatedResultCount = 5
        let result = try context.execute(asynchronous) as! NSAsynchronousFetchResult<Book>
        let deadline = Date().addingTimeInterval(10)
        while found == nil, Date() < deadline { RunLoop.main.run(until: Date().addingTimeInterval(0.01)) }
        try expect(found?.count, is: 5)
        try expect(result.operationError == nil)
        try expect(result.fetchRequest.estimatedResultCount, is: 5)
    }

    suite("Fetched objects are filtered by a block and sorted by a comparator afterwards") {
        let context = try shelf()
        let books = try context.fetch(Book.fetchRequest() as NSFetchRequest<Book>)
        let isLong = NSPredicate { object, _ in (object as? Book)?.title?.count ?? 0 > 8 }
        let long = (books as NSArray).filtered(using: isLong) as! [Book]
        try expect(Set(long.map { $0.title! }), is: ["Foundation", "Dune Messiah", "Anonymous"])
        let byLength = NSSortDescriptor(key: "title", ascending: false) { first, second in
            let (first, second) = ((first as! String).count, (second as! String).count)
            return first < second ? .orderedAscending : first == second ? .orderedSame : .orderedDescending
        }
        let sorted = (books as NSArray).sortedArray(using: [byLength]) as! [Book]
        try expect(sorted.first?.title, is: "Dune Messiah")
        try expect(byLength.compare(books[0], to: books[0]) == .orderedSame)
        try expect((byLength.reversedSortDescriptor as! NSSortDescriptor).ascending)
    }

    suite("A search by titles sorts as people do") {
        let context = try shelf()
        for title in ["Book 10", "Book 9", "book 1"] { _ = Book.make(title, pages: 1, in: context) }
        try context.save()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "title BEGINSWITH[c] 'book'")
        request.sortDescriptors = [
            NSSortDescriptor(key: "title", ascending: true, selector: Selector(("localizedStandardCompare:")))
        ]
        try expect(try context.fetch(request).map(\.title), is: ["book 1", "Book 9", "Book 10"])
    }

    suite("Collection operators over a fetched array") {
        let context = try shelf()
        let books = try context.fetch(Book.fetchRequest() as NSFetchRequest<Book>) as NSArray
        try expect((books.value(forKeyPath: "@avg.rating") as? NSNumber)?.doubleValue, is: 3.8)
        try expect((books.value(forKeyPath: "@max.pages") as? NSNumber)?.intValue, is: 612)
        try expect((books.value(forKeyPath: "@min.pages") as? NSNumber)?.intValue, is: 90)
        try expect((books.value(forKeyPath: "@sum.pages") as? NSNumber)?.intValue, is: 1466)
        try expect((books.value(forKeyPath: "@count") as? NSNumber)?.intValue, is: 5)
        try expect((books.value(forKeyPath: "@distinctUnionOfObjects.price") as? [Any])?.count, is: 4)
        let authors = try context.fetch(Author.fetchRequest() as NSFetchRequest<Author>) as NSArray
        try expect((authors.value(forKeyPath: "@distinctUnionOfSets.books") as? NSSet)?.count ?? 4, is: 4)
    }

    suite("Arithmetic of columns and conditions in expressions") {
        let context = try shelf()
        let double = NSExpressionDescription()
        double.name = "double"
        double.expression = NSExpression(
            forFunction: "multiply:by:",
            arguments: [NSExpression(forKeyPath: "pages"), NSExpression(forConstantValue: 2)])
        double.expressionResultType = .integer32AttributeType
        let fetch = NSFetchRequest<NSDictionary>(entityName: "Book")
        fetch.resultType = .dictionaryResultType
        fetch.propertiesToFetch = [double]
        fetch.predicate = NSPredicate(format: "title == 'Dune'")
        try expect(try context.fetch(fetch).first?["double"] as? Int, is: 1224)
        let conditional = NSExpression(
            forConditional: NSPredicate(format: "SELF > 3"), trueExpression: NSExpression(forConstantValue: "many"),
            falseExpression: NSExpression(forConstantValue: "few"))
        try expect(conditional.expressionValue(with: 5, context: nil) as? String, is: "many")
        try expect(conditional.expressionType == .conditional)
        try expect(conditional.true.constantValue as? String, is: "many")
    }

    suite("Predefined functions calculate without a store") {
        func value(_ format: String) -> Double? {
            (NSExpression(format: format).expressionValue(with: nil, context: nil) as? NSNumber)?.doubleValue
        }
        try expect(value("sqrt(16)"), is: 4)
        try expect(value("abs(-3)"), is: 3)
        try expect(value("2 ** 8"), is: 256)
        try expect(value("ceiling(1.2) + floor(1.8) + trunc(2.9)"), is: 5)
        try expect(value("modulus:by:(7, 3)"), is: 1)
        try expect(value("max({1, 5, 3}) - min({1, 5, 3})"), is: 4)
        try expect(value("median({1, 9, 2})"), is: 2)
        try expect(value("stddev({2, 4, 4, 4, 5, 5, 7, 9})"), is: 2)
        try expect(value("bitwiseOr:with:(1, 6)"), is: 7)
        try expect(NSExpression(format: "uppercase('a')").expressionValue(with: nil, context: nil) as? String, is: "A")
    }

    suite("Sets are united, intersected and subtracted by expressions") {
        let (first, second) = (NSExpression(forConstantValue: Set([1, 2])), NSExpression(forConstantValue: [2, 3]))
        func count(_ expression: NSExpression) -> Int? {
            (expression.expressionValue(with: nil, context: nil) as? NSSet)?.count
                ?? (expression.expressionValue(with: nil, context: nil) as? Set<AnyHashable>)?.count
        }
        try expect(count(NSExpression(forUnionSet: first, with: second)), is: 3)
        try expect(count(NSExpression(forIntersectSet: first, with: second)), is: 1)
        try expect(count(NSExpression(forMinusSet: first, with: second)), is: 1)
        let aggregate = NSExpression(forAggregate: [
            NSExpression(forConstantValue: 1), NSExpression(forConstantValue: 2),
        ])
        try expect((aggregate.expressionValue(with: nil, context: nil) as? [Int]), is: [1, 2])
        try expect((aggregate.collection as? [NSExpression])?.count, is: 2)
    }

    suite("Variables are filled in from the context of the evaluation") {
        let expression = NSExpression(forVariable: "threshold")
        try expect(expression.expressionType == .variable)
        try expect(expression.variable, is: "threshold")
        let bindings: NSMutableDictionary = ["threshold": 4]
        try expect(expression.expressionValue(with: nil, context: bindings) as? Int, is: 4)
        let predicate = NSPredicate(format: "pages > $threshold")
        try expect(predicate.evaluate(with: ["pages": 5], substitutionVariables: ["threshold": 4]))
        try expect(predicate.withSubstitutionVariables(["threshold": 300]).predicateFormat, is: "pages > 300")
    }

    suite("Pages of a list come by offset and limit in a stable order") {
        let context = try shelf()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "price", ascending: true), NSSortDescriptor(key: "title", ascending: true),
        ]
        request.fetchLimit = 2
        var pages: [[String]] = []
        while true {
            request.fetchOffset = pages.count * 2
            let page = try context.fetch(request)
            guard !page.isEmpty else { break }
            pages.append(page.map { $0.title! })
        }
        try expect(pages, is: [["Anonymous", "I, Robot"], ["Dune Messiah", "Foundation"], ["Dune"]])
    }
}
