import CoreData

/// Something that isn't managed, as predicates and sort descriptors meet it in arrays.
final class Track: NSObject {
    var title: String
    var seconds: Int
    var artist: Artist?

    init(_ title: String, _ seconds: Int, by artist: Artist? = nil) {
        self.title = title
        self.seconds = seconds
        self.artist = artist
    }
}

final class Artist: NSObject {
    var name: String
    init(_ name: String) { self.name = name }
}

/// Predicates, sort descriptors, expressions and key-value coding over what is in memory.
@MainActor
func memoryIdioms(_ suite: Suite) {
    let stack = CoreDataStack()
    func people() throws -> [Person] {
        let context = stack.viewContext
        return [("Ada", 36), ("Grace", 85), ("Linus", 17)].map { name, age in
            let person = Person(context: context)
            person.name = name
            person.age = Int16(age)
            return person
        }
    }

    suite("An array of objects is filtered and sorted") {
        let people = try people()
        let filtered = (people as NSArray).filtered(using: NSPredicate(format: "age > 20")) as! [Person]
        try expect(filtered.map(\.name), is: ["Ada", "Grace"])
        let sorted =
            (people as NSArray).sortedArray(using: [NSSortDescriptor(key: "age", ascending: true)]) as! [Person]
        try expect(sorted.map(\.name), is: ["Linus", "Ada", "Grace"])
        try expect(people.filter { NSPredicate(format: "name BEGINSWITH 'L'").evaluate(with: $0) }.count, is: 1)
    }

    suite("An array of dictionaries is filtered") {
        let rows: NSArray = [["name": "a", "n": 1], ["name": "b", "n": 2]]
        let found = rows.filtered(using: NSPredicate(format: "n == 2")) as! [[String: Any]]
        try expect(found.first?["name"] as? String, is: "b")
        try expect((rows.value(forKey: "name") as! [String]), is: ["a", "b"])
        try expect(rows.value(forKeyPath: "@sum.n") as? Int, is: 3)
        try expect((rows.value(forKeyPath: "@max.n") as! NSNumber).intValue, is: 2)
    }

    suite("Strings are tested by SELF") {
        let words: NSArray = ["apple", "Banana", "cherry"]
        try expect(
            words.filtered(using: NSPredicate(format: "SELF CONTAINS[c] 'AN'")) as! [String], is: ["Banana"])
        try expect(words.filtered(using: NSPredicate(format: "SELF IN {'apple', 'cherry'}")).count, is: 2)
        try expect(
            NSPredicate(format: "SELF MATCHES %@", "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}")
                .evaluate(with: "ada@example.org"))
        try expect(!NSPredicate(format: "SELF MATCHES %@", "\\d+").evaluate(with: "12a"))
    }

    suite("Block predicates and expressions with values") {
        let even = NSPredicate { value, _ in (value as! Int).isMultiple(of: 2) }
        try expect(([1, 2, 3, 4] as NSArray).filtered(using: even) as! [Int], is: [2, 4])
        let sum = NSExpression(format: "1 + 2 * 3").expressionValue(with: nil, context: nil)
        try expect((sum as! NSNumber).intValue, is: 7)
        let average = NSExpression(forFunction: "average:", arguments: [NSExpression(forConstantValue: [1, 2, 3])])
        try expect((average.expressionValue(with: nil, context: nil) as! NSNumber).doubleValue, is: 2)
    }

    suite("Predicates print as they are written") {
        try expect(
            NSPredicate(format: "name == %@ AND age > %d", "Ada", 3).predicateFormat, is: "name == \"Ada\" AND age > 3")
        try expect(NSPredicate(value: true).predicateFormat, is: "TRUEPREDICATE")
        try expect(NSPredicate(format: "name CONTAINS[cd] 'x'").predicateFormat, is: "name CONTAINS[cd] \"x\"")
        try expect(NSPredicate(format: "price == 1.5").predicateFormat, is: "price == 1.5")
        try expect(
            NSPredicate(format: "ANY tags.name IN {'a', 'b'}").predicateFormat, is: "ANY tags.name IN {\"a\", \"b\"}")
    }

    suite("Predicates are equal, copied and archived") {
        let predicate = NSPredicate(format: "name == 'Ada' AND age > 3")
        try expect(predicate == NSPredicate(format: "name == 'Ada' AND age > 3"))
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        let read = try unwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data))
        read.allowEvaluation()
        try expect(read, is: predicate)
    }

    suite("Sort descriptors by a key path sort plain objects") {
        let tracks = [Track("b", 2), Track("a", 1), Track("c", 3)]
        let sorted = (tracks as NSArray).sortedArray(using: [
            NSSortDescriptor(keyPath: \Track.seconds, ascending: false)
        ])
        try expect((sorted as! [Track]).map(\.title), is: ["c", "b", "a"])
    }

    suite("A set that is changed in place is seen by a predicate") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        for index in 0..<3 {
            let todo = Todo(context: context)
            todo.title = "T\(index)"
            person.addToTodos(todo)
        }
        try expect(NSPredicate(format: "todos.@count == 3").evaluate(with: person))
        try expect(NSPredicate(format: "ANY todos.title == 'T1'").evaluate(with: person))
        try expect(NSPredicate(format: "SUBQUERY(todos, $x, $x.title ENDSWITH '2').@count == 1").evaluate(with: person))
        try expect((person.value(forKeyPath: "todos.title") as! Set<String>).count, is: 3)
        try expect((person.value(forKeyPath: "todos.@distinctUnionOfObjects.title") as! NSObject) != NSNull())
    }

    suite("Computed properties are keys in predicates and sort descriptors in memory") {
        let people = try people()
        let adults = (people as NSArray).filtered(using: NSPredicate(format: "isAdult == YES"))
        try expect(adults.count, is: 2)
        let sorted = (people as NSArray).sortedArray(using: [NSSortDescriptor(key: "initial", ascending: false)])
        try expect((sorted as! [Person]).map(\.name), is: ["Linus", "Grace", "Ada"])
    }

    suite("UserDefaults answers keys") {
        UserDefaults.standard.set("here", forKey: "idiom")
        try expect(UserDefaults.standard.value(forKey: "idiom") as? String, is: "here")
    }

    suite("Dates in predicates") {
        let now = Date()
        let predicate = NSPredicate(format: "birthday > %@", now.addingTimeInterval(-10) as NSDate)
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.birthday = now
        try expect(predicate.evaluate(with: person))
    }

    suite("Names of classes can be asked for") {
        try expect(NSStringFromClass(Person.self).hasSuffix("Person"))
        final class Inner: NSObject {}
        try expect(!NSStringFromClass(Inner.self).isEmpty)
        try expect(NSClassFromString(NSStringFromClass(Person.self)) == Person.self)
    }

    suite("An entity is named after its class by NSStringFromClass") {
        try expect(NSStringFromClass(Amount.self), is: "Money")
        try expect(NSClassFromString("Money") == Amount.self)
        let context = CoreDataStack().viewContext
        let todo = NSEntityDescription.insertNewObject(forEntityName: NSStringFromClass(Todo.self), into: context)
        try expect(todo is Todo)
        let request = NSFetchRequest<Todo>(entityName: NSStringFromClass(Todo.self))
        try expect(context.count(for: request), is: 1)
    }
}
