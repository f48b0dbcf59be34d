import CoreData

/// Some people to look for.
@MainActor
private func people(_ context: NSManagedObjectContext) throws {
    let departments = ["Research", "Sales"].map { name in
        let department = Department(context: context)
        department.name = name
        return department
    }
    let rows: [(String, Int16, String?, Double)] = [
        ("Ada", 36, "ada@example.org", 9.5), ("Grace", 85, "grace@example.com", 8), ("Linus", 17, nil, 7),
        ("Zoë", 30, "zoe@example.org", 8), ("ada", 12, nil, 1),
    ]
    for (index, row) in rows.enumerated() {
        let person = Person(context: context)
        (person.name, person.age, person.email, person.score) = row
        person.department = departments[index % 2]
        person.birthday = Date(timeIntervalSince1970: Double(index) * 86_400)
        person.isFavorite = index.isMultiple(of: 2)
        for number in 0..<index {
            let todo = Todo(context: context)
            todo.title = "T\(number)"
            todo.priority = Int64(number)
            todo.flags = Int32(number)
            todo.done = number.isMultiple(of: 2)
            todo.owner = person
        }
    }
    try context.save()
}

@MainActor
func fetchIdioms(_ suite: Suite) {
    func names(_ format: String, _ arguments: Any?..., sorted: Bool = true) throws -> [String] {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let request = NSFetchRequest<Person>(entityName: "Person")
        request.predicate = NSPredicate(format: format, argumentArray: arguments.map { $0 ?? NSNull() })
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        return try context.fetch(request).compactMap(\.name)
    }

    suite("== with a string and a number") {
        try expect(try names("name == %@", "Ada"), is: ["Ada"])
        try expect(try names("age == %d", 30), is: ["Zoë"])
    }
    suite("Strings without case and diacritics") {
        try expect(try names("name ==[c] %@", "ada"), is: ["ada", "Ada"])
        try expect(try names("name CONTAINS[cd] %@", "zoe"), is: ["Zoë"])
        try expect(try names("name BEGINSWITH %@", "G"), is: ["Grace"])
        try expect(try names("name ENDSWITH[c] 'A'"), is: ["ada", "Ada"])
        try expect(try names("name LIKE[c] 'a*a'"), is: ["ada", "Ada"])
        try expect(try names("name MATCHES '[A-Z].{2}'"), is: ["Zoë", "Ada"])
    }
    suite("nil by every spelling") {
        try expect(try names("email == nil"), is: ["ada", "Linus"])
        try expect(try names("email != nil").count, is: 3)
        try expect(try names("email = NULL").count, is: 2)
        try expect(try names("email == %@", NSNull()).count, is: 2)
        try expect(try names("email.length > 0").count, is: 3)
    }
    suite("Booleans by every spelling") {
        try expect(try names("isFavorite == YES").count, is: 3)
        try expect(try names("isFavorite == true").count, is: 3)
        try expect(try names("isFavorite == %@", NSNumber(value: false)).count, is: 2)
        try expect(try names("isFavorite == %d", 1).count, is: 3)
        try expect(try names("isFavorite != TRUE").count, is: 2)
    }
    suite("IN and BETWEEN") {
        try expect(try names("name IN %@", ["Ada", "Grace"]), is: ["Ada", "Grace"])
        try expect(try names("name IN {'Ada', 'Linus'}"), is: ["Linus", "Ada"])
        try expect(try names("age BETWEEN {17, 36}"), is: ["Linus", "Zoë", "Ada"])
        try expect(try names("age BETWEEN %@", [17, 36]).count, is: 3)
        try expect(try names("NOT (name IN %@)", ["Ada"]).count, is: 4)
        try expect(try names("age IN %@", Set([12, 17])).count, is: 2)
    }
    suite("Dates between the ends of a day") {
        let start = Date(timeIntervalSince1970: 86_400)
        let end = Calendar.current.date(byAdding: .day, value: 1, to: start)!
        try expect(try names("birthday >= %@ AND birthday < %@", start, end), is: ["Grace"])
        try expect(
            try names("(birthday >= %@) AND (birthday <= %@)", start as NSDate, end as NSDate).count, is: 2)
    }
    suite("Relationships: paths, ANY, counts, subqueries") {
        try expect(try names("department.name == 'Sales'"), is: ["Zoë", "Grace"].sorted { $0 > $1 })
        try expect(try names("ANY todos.done == NO"), is: ["ada", "Linus", "Zoë"])
        try expect(try names("todos.@count == 0"), is: ["Ada"])
        try expect(try names("todos.@count > 2").count, is: 2)
        try expect(try names("SUBQUERY(todos, $t, $t.done == YES AND $t.priority > 0).@count > 0").count, is: 2)
        try expect(try names("NONE todos.priority > 0"), is: ["Ada", "Grace"])
        try expect(try names("todos.@sum.priority > 2"), is: ["ada", "Zoë"])
        try expect(try names("todos.@max.priority == 3"), is: ["ada"])
    }
    suite("Bitwise flags") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let request: NSFetchRequest<Todo> = Todo.fetchRequest()
        request.predicate = NSPredicate(format: "(flags & %d) != 0", 2)
        try expect(try context.fetch(request).allSatisfy { $0.flags & 2 != 0 })
        try expect(try context.count(for: request) > 0)
    }
    suite("Arithmetic on both sides") {
        try expect(try names("age * 2 == 24"), is: ["ada"])
        try expect(try names("age + 1 > score * 4"), is: ["ada", "Grace"])
    }
    suite("An object, its ID and a list of them in a predicate") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let all = try context.fetch(Person.fetchRequest())
        let request = Person.fetchRequest()
        request.predicate = NSPredicate(format: "SELF == %@", all[0])
        try expect(try context.fetch(request), is: [all[0]])
        request.predicate = NSPredicate(format: "self IN %@", [all[0], all[1]])
        try expect(try context.count(for: request), is: 2)
        request.predicate = NSPredicate(format: "SELF IN %@", all.map(\.objectID))
        try expect(try context.count(for: request), is: 5)
        request.predicate = NSPredicate(format: "department == %@", all[0].department!)
        try expect(try context.count(for: request) > 0)
        request.predicate = NSPredicate(format: "%@ IN todos", try context.fetch(Todo.fetchRequest()).first!)
        try expect(try context.count(for: request), is: 1)
    }
    suite("Keys by %K and key paths by #keyPath's text") {
        try expect(try names("%K == %@", "name", "Ada"), is: ["Ada"])
        try expect(try names("%K.%K == %@", "department", "name", "Sales").count, is: 2)
        try expect(try names("%K BEGINSWITH[c] %@", "department.name", "res").count, is: 3)
    }
    suite("Compound predicates are put together in code") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let adult = NSPredicate(format: "age >= 18")
        let favorite = NSPredicate(format: "isFavorite == %@", NSNumber(booleanLiteral: true))
        let request = Person.fetchRequest()
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [adult, favorite])
        try expect(try context.fetch(request).map(\.name), is: ["Ada"])
        request.predicate = NSCompoundPredicate(type: .or, subpredicates: [adult, favorite])
        try expect(try context.count(for: request), is: 5)
        request.predicate = NSCompoundPredicate(notPredicateWithSubpredicate: adult)
        try expect(try context.count(for: request), is: 2)
    }
    suite("Predicates made of expressions") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let request = Person.fetchRequest()
        request.predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: \Person.name),
            rightExpression: NSExpression(forConstantValue: "ada"),
            modifier: .direct, type: .equalTo, options: .caseInsensitive)
        try expect(try context.count(for: request), is: 2)
    }
    suite("Sort descriptors of every kind") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let request = Person.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(keyPath: \Person.score, ascending: false),
            NSSortDescriptor(keyPath: \Person.age, ascending: true),
        ]
        try expect(try context.fetch(request).compactMap(\.name), is: ["Ada", "Zoë", "Grace", "Linus", "ada"])
        request.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: true, selector: Selector(("caseInsensitiveCompare:"))),
            NSSortDescriptor(key: "age", ascending: true),
        ]
        try expect(try context.fetch(request).compactMap(\.name), is: ["ada", "Ada", "Grace", "Linus", "Zoë"])
        request.sortDescriptors = [
            NSSortDescriptor(key: "department.name", ascending: false), NSSortDescriptor(key: "age", ascending: true),
        ]
        try expect(try context.fetch(request).compactMap(\.name), is: ["Zoë", "Grace", "ada", "Linus", "Ada"])
        request.sortDescriptors = [
            NSSortDescriptor(keyPath: \Person.department?.name, ascending: true),
            NSSortDescriptor(keyPath: \Person.age, ascending: true),
        ]
        try expect(try context.fetch(request).compactMap(\.name), is: ["ada", "Linus", "Ada", "Zoë", "Grace"])
    }
    suite("Limit, offset and count") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let request = Person.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        request.fetchLimit = 2
        request.fetchOffset = 1
        try expect(try context.fetch(request).map(\.age), is: [17, 30])
        let unlimited = Person.fetchRequest()
        try expect(try context.count(for: unlimited), is: 5)
    }
    suite("Limits count unsaved changes too") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let newborn = Person(context: context)
        newborn.name = "Newborn"
        let request = Person.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        request.fetchLimit = 2
        try expect(try context.fetch(request).map(\.name), is: ["Newborn", "ada"])
        try expect(try context.count(for: Person.fetchRequest()), is: 6)
        newborn.age = 40
        try expect(try context.fetch(request).map(\.name), is: ["ada", "Linus"])
    }
    suite("Dictionaries of sums by group") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let sum = NSExpressionDescription()
        sum.name = "total"
        sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "age")])
        sum.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Person")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["department.name", sum]
        request.propertiesToGroupBy = ["department.name"]
        request.sortDescriptors = [NSSortDescriptor(key: "department.name", ascending: true)]
        let rows = try context.fetch(request)
        try expect(rows.count, is: 2)
        try expect(rows[0]["department.name"] as? String, is: "Research")
        try expect(rows[0]["total"] as? Int, is: 65)
    }
    suite("The greatest value by an expression") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let greatest = NSExpressionDescription()
        greatest.name = "maxAge"
        greatest.expression = NSExpression(format: "max:(age)")
        greatest.expressionResultType = .integer16AttributeType
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [greatest]
        let rows = try context.fetch(request) as! [[String: Any]]
        try expect(rows.first?["maxAge"] as? Int, is: 85)
    }
    suite("Distinct values") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let request = NSFetchRequest<NSDictionary>(entityName: "Person")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["score"]
        request.returnsDistinctResults = true
        request.sortDescriptors = [NSSortDescriptor(key: "score", ascending: true)]
        try expect(try context.fetch(request).compactMap { $0["score"] as? Double }, is: [1, 7, 8, 9.5])
    }
    suite("IDs and counts as result types") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
        ids.resultType = .managedObjectIDResultType
        try expect(try context.fetch(ids).count, is: 5)
        let count = NSFetchRequest<NSNumber>(entityName: "Person")
        count.resultType = .countResultType
        try expect(try context.fetch(count).first?.intValue, is: 5)
    }
    suite("Batches and prefetching give the same objects") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        context.reset()
        let request = Person.fetchRequest()
        request.fetchBatchSize = 2
        request.relationshipKeyPathsForPrefetching = ["todos", "department"]
        request.returnsObjectsAsFaults = false
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        let found = try context.fetch(request)
        try expect(found.count, is: 5)
        try expect(found.map { $0.todos?.count ?? -1 }, is: [4, 2, 3, 0, 1])
    }
    suite("The newest of something") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let request = Person.fetchRequest()
        request.predicate = NSPredicate(format: "age == max(age)")
        try expect(try context.fetch(request).map(\.name), is: ["Grace"])
        request.predicate = NSPredicate(format: "age == @max.age")
        try expect(try context.fetch(request).map(\.name), is: ["Grace"])
    }
    suite("A request is executed in the block of its context") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let request = Person.fetchRequest()
        let found = try context.performAndWait { try request.execute() }
        try expect(found.count, is: 5)
    }
    suite("Templates of the model take variables") {
        let stack = CoreDataStack(inMemory: false)
        try people(stack.viewContext)
        let template = NSPredicate(format: "name BEGINSWITH[c] $start AND age > $age")
        let request = Person.fetchRequest()
        request.predicate = template.withSubstitutionVariables(["start": "a", "age": 20])
        try expect(try stack.viewContext.fetch(request).map(\.name), is: ["Ada"])
    }
    suite("Swift's own predicates and sort descriptors become ours") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let request = Person.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Person.age, order: .reverse))]
        try expect(try context.fetch(request).first?.name, is: "Grace")
        request.predicate = NSPredicate(#Predicate<Person> { $0.age > 20 && $0.score < 9 })
        try expect(try context.fetch(request).compactMap(\.name), is: ["Grace", "Zoë"])
    }
    suite("An asynchronous request tells its result") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        var found: [Person]?
        let request = NSAsynchronousFetchRequest(fetchRequest: Person.fetchRequest()) { found = $0.finalResult }
        try context.execute(request)
        let deadline = Date().addingTimeInterval(10)
        while found == nil, Date() < deadline { RunLoop.main.run(until: Date().addingTimeInterval(0.01)) }
        try expect(found?.count, is: 5)
    }
    suite("A misspelt key is an error or a stop, never every row") {
        let request = Person.fetchRequest()
        request.predicate = NSPredicate(format: "nam == 'Ada'")
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        try expectError { _ = try context.fetch(request) }
    }

    suite("A fetch request that is executed like a batch request gives a result with objects, or a number") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        let request = NSFetchRequest<Person>(entityName: "Person")
        request.predicate = NSPredicate(format: "age > 30")
        let result = try context.execute(request) as? NSAsynchronousFetchResult<Person>
        try expect(Set(result?.finalResult?.map(\.name) ?? []), is: ["Ada", "Grace"])
        let counting = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
        counting.resultType = .countResultType
        let count = (try? context.execute(counting) as? NSAsynchronousFetchResult<NSFetchRequestResult>)?.finalResult
        try expect(count?.first as? Int, is: 5)
    }

    suite("The requests of several classes are counted in a loop") {
        let context = CoreDataStack(inMemory: false).viewContext
        try people(context)
        var counts: [String: Int] = [:]
        for (name, request) in ["people": Person.fetchRequest(), "todos": Todo.fetchRequest()] {
            counts[name] = try context.count(for: request)
        }
        try expect(counts, is: ["people": 5, "todos": 10])
    }
}
