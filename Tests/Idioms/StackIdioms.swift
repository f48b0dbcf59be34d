import CoreData

/// How programs set a stack up and make their first objects.
@MainActor
func stackIdioms(_ suite: Suite) {
    suite("A saved person is there when the store is opened again") {
        let stack = CoreDataStack(inMemory: false, file: "Company")
        let person = Person(context: stack.viewContext)
        person.name = "Ada"
        person.age = 36
        stack.saveContext()
        let again = CoreDataStack(inMemory: false, file: "Company")
        let people = try again.viewContext.fetch(Person.fetchRequest())
        try expect(people.map(\.name), is: ["Ada"])
        try expect(people[0].age, is: 36)
    }

    suite("An object made with its entity is of the entity's class") {
        let context = CoreDataStack().viewContext
        let entity = NSEntityDescription.entity(forEntityName: "Person", in: context)!
        let person = NSManagedObject(entity: entity, insertInto: context)
        person.setValue("Grace", forKeyPath: "name")
        try expect((person as? Person)?.name == "Grace")
    }

    suite("A computed property is a key") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.name = "ada"
        try expect(person.value(forKey: "initial") as? String == "A")
    }

    suite("Objects are printed without a crash") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.name = "Ada"
        try expect("\(person)".contains("Ada"))
        try expect(person.debugDescription.contains("Person"))
    }

    suite.waiting("A background task's save reaches the view context") {
        let stack = CoreDataStack()
        try await stack.container.performBackgroundTask { context in
            let person = Person(context: context)
            person.name = "Background"
            try context.save()
        }
        let count = try stack.viewContext.count(for: Person.fetchRequest())
        try expect(count, is: 1)
    }
}
