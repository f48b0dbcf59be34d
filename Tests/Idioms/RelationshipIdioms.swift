import CoreData

/// What programs do with relationships.
@MainActor
func relationshipIdioms(_ suite: Suite) {
    suite("Setting one side sets the other") {
        let context = CoreDataStack().viewContext
        let department = Department(context: context)
        department.name = "Research"
        let person = Person(context: context)
        person.department = department
        try expect((department.people as? Set<Person>)?.contains(person) == true)
        department.removeFromPeople(person)
        try expect(person.department == nil)
    }

    suite("Generated accessors add one and many") {
        let context = CoreDataStack().viewContext
        let department = Department(context: context)
        department.name = "Research"
        let people = (0..<4).map { _ in Person(context: context) }
        department.addToPeople(people[0])
        department.addToPeople(NSSet(array: Array(people[1...])))
        try expect(department.people?.count, is: 4)
        try expect(people.allSatisfy { $0.department === department })
    }

    suite("A set that is declared as a Swift set can be changed in place") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        let project = Project(context: context)
        person.projects.insert(project)
        try expect(project.members?.contains(person) == true)
        person.projects.remove(project)
        try expect(project.members?.count, is: 0)
    }

    suite("An ordered relationship keeps its order through the store") {
        let stack = CoreDataStack(inMemory: false)
        let project = Project(context: stack.viewContext)
        for title in ["c", "a", "b"] {
            let todo = Todo(context: stack.viewContext)
            todo.title = title
            project.addToTodos(todo)
        }
        try stack.viewContext.save()
        stack.viewContext.reset()
        let again = try stack.viewContext.fetch(Project.fetchRequest()).first!
        try expect(again.todos?.array.map { ($0 as! Todo).title }, is: ["c", "a", "b"])
    }

    suite("An ordered relationship can be rearranged") {
        let stack = CoreDataStack(inMemory: false)
        let context = stack.viewContext
        let project = Project(context: context)
        for title in ["a", "b", "c"] {
            let todo = Todo(context: context)
            todo.title = title
            todo.project = project
        }
        try context.save()
        let todos = project.mutableOrderedSetValue(forKey: "todos")
        todos.moveObjects(at: IndexSet(integer: 2), to: 0)
        try context.save()
        context.reset()
        let again = try context.fetch(Project.fetchRequest()).first!
        try expect(again.todos?.array.map { ($0 as! Todo).title }, is: ["c", "a", "b"])
    }

    suite("insertIntoTodos puts an object where it is wanted") {
        let context = CoreDataStack().viewContext
        let project = Project(context: context)
        let first = Todo(context: context)
        let second = Todo(context: context)
        project.addToTodos(first)
        project.insertIntoTodos(second, at: 0)
        try expect(project.todos?.index(of: second), is: 0)
        project.removeFromTodos(at: 0)
        try expect(project.todos?.firstObject as? Todo === first)
    }

    suite("A mutable ordered set by copy can be assigned back") {
        let context = CoreDataStack().viewContext
        let project = Project(context: context)
        let todos = (0..<3).map { _ in Todo(context: context) }
        project.todos = NSOrderedSet(array: todos)
        let mutable = project.todos!.mutableCopy() as! NSMutableOrderedSet
        mutable.removeObject(at: 1)
        project.todos = mutable
        try expect(project.todos?.count, is: 2)
        try expect(todos[1].project == nil)
    }

    suite("mutableSetValue changes the relationship") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        let todo = Todo(context: context)
        person.mutableSetValue(forKey: "todos").add(todo)
        try expect(todo.owner === person)
        person.mutableSetValue(forKey: "todos").remove(todo)
        try expect(todo.owner == nil)
    }

    suite("Cascade deletes what belongs to the object, nullify lets it go") {
        let context = CoreDataStack().viewContext
        let project = Project(context: context)
        let todo = Todo(context: context)
        todo.project = project
        let person = Person(context: context)
        person.projects = [project]
        try context.save()
        context.delete(project)
        try context.save()
        try expect(try context.count(for: Todo.fetchRequest()), is: 0)
        try expect(try context.count(for: Person.fetchRequest()), is: 1)
        try expect(person.projects.isEmpty)
    }

    suite("Sorted arrays of a to-many are made as everybody makes them") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        for priority in [3, 1, 2] {
            let todo = Todo(context: context)
            todo.priority = Int64(priority)
            person.addToTodos(todo)
        }
        let set = person.todos as? Set<Todo> ?? []
        try expect(set.sorted { $0.priority < $1.priority }.map(\.priority), is: [1, 2, 3])
        let descriptor = NSSortDescriptor(key: "priority", ascending: false)
        let sorted = person.todos!.sortedArray(using: [descriptor]) as! [Todo]
        try expect(sorted.map(\.priority), is: [3, 2, 1])
        try expect((person.todos?.allObjects as? [Todo])?.count, is: 3)
    }

    suite("A to-many can be filtered by a predicate") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        for done in [true, false, true] {
            let todo = Todo(context: context)
            todo.done = done
            todo.owner = person
        }
        let finished = person.todos!.filtered(using: NSPredicate(format: "done == YES"))
        try expect(finished.count, is: 2)
    }

    suite("Collection operators work on an object's to-many") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        for priority in [1, 5, 3] {
            let todo = Todo(context: context)
            todo.priority = Int64(priority)
            todo.owner = person
        }
        try expect(person.value(forKeyPath: "todos.@count") as? Int, is: 3)
        try expect(person.value(forKeyPath: "todos.@sum.priority") as? Int, is: 9)
        try expect(person.value(forKeyPath: "todos.@max.priority") as? Int, is: 5)
        try expect(person.value(forKeyPath: "todos.@avg.priority") as? Double, is: 3)
    }

    suite("A subentity's objects are members of a relationship to its superentity") {
        let context = CoreDataStack().viewContext
        let department = Department(context: context)
        department.name = "D"
        let manager = Manager(context: context)
        manager.department = department
        let person = Person(context: context)
        person.manager = manager
        try context.save()
        try expect(department.people?.contains(manager) == true)
        try expect(manager.reports?.contains(person) == true)
        let all = try context.fetch(Person.fetchRequest())
        try expect(all.count, is: 2)
        try expect(all.contains { $0 is Manager })
        let request: NSFetchRequest<Person> = Person.fetchRequest()
        request.includesSubentities = false
        try expect(try context.fetch(request).count, is: 1)
    }

    suite("Moving a todo to another project takes it out of the first") {
        let context = CoreDataStack().viewContext
        let first = Project(context: context)
        let second = Project(context: context)
        let todo = Todo(context: context)
        todo.project = first
        try context.save()
        todo.project = second
        try expect(first.todos?.count, is: 0)
        try expect(second.todos?.count, is: 1)
        try context.save()
        context.refreshAllObjects()
        try expect(first.todos?.count, is: 0)
    }

    suite("Faults of a to-many fire one after the other") {
        let stack = CoreDataStack(inMemory: false)
        let department = Department(context: stack.viewContext)
        department.name = "D"
        for number in 0..<20 {
            let person = Person(context: stack.viewContext)
            person.name = "P\(number)"
            person.department = department
        }
        try stack.viewContext.save()
        stack.viewContext.reset()
        let again = try stack.viewContext.fetch(Department.fetchRequest()).first!
        try expect(again.hasFault(forRelationshipNamed: "people"))
        let names = (again.people as! Set<Person>).compactMap(\.name)
        try expect(Set(names).count, is: 20)
        try expect(!again.hasFault(forRelationshipNamed: "people"))
    }

    suite("objectIDs of a relationship can be had without its objects") {
        let stack = CoreDataStack(inMemory: false)
        let person = Person(context: stack.viewContext)
        let todo = Todo(context: stack.viewContext)
        todo.owner = person
        try stack.viewContext.save()
        try expect(person.objectIDs(forRelationshipNamed: "todos"), is: [todo.objectID])
    }

    suite("An ordered relationship's value is cast to a mutable set, and changed in place") {
        let context = CoreDataStack(inMemory: false).viewContext
        let project = Project(context: context)
        let todos = (0..<3).map { _ in Todo(context: context) }
        project.todos = NSOrderedSet(array: todos)
        try context.save()
        guard let set = project.value(forKey: "todos") as? NSMutableOrderedSet else {
            throw Unexpected(description: "no mutable set")
        }
        set.remove(todos[0])
        try expect(project.todos?.array as? [Todo], is: [todos[1], todos[2]])
        try expect(context.hasChanges)
    }
}
