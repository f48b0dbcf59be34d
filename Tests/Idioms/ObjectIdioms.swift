import CoreData

/// What programs do with single objects.
@MainActor
func objectIdioms(_ suite: Suite) {
    suite("An object inserted by its entity's name is of its class") {
        let context = CoreDataStack().viewContext
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context) as! Person
        person.name = "Ada"
        try expect(person.isInserted)
        try expect(person.hasChanges)
        try expect(context.hasChanges)
    }

    suite("Subscripted keys and paths of two parts lead to values") {
        let context = CoreDataStack().viewContext
        let department = Department(context: context)
        department.name = "Research"
        let person = Person(context: context)
        person.department = department
        try expect(person.value(forKeyPath: "department.name") as? String, is: "Research")
        person.setValue("Development", forKeyPath: "department.name")
        try expect(department.name, is: "Development")
    }

    suite("Defaults of the model are there at once") {
        let context = CoreDataStack().viewContext
        let project = Project(context: context)
        try expect(project.title, is: "Untitled")
        let todo = Todo(context: context)
        try expect(todo.done, is: false)
        try expect(todo.title, is: "")
    }

    suite("An object without a context has the model's defaults and can be inserted later") {
        let stack = CoreDataStack()
        let entity = stack.container.managedObjectModel.entitiesByName["Project"]!
        let project = Project(entity: entity, insertInto: nil)
        try expect(project.managedObjectContext == nil)
        try expect(project.title, is: "Untitled")
        project.title = "Scratch"
        stack.viewContext.insert(project)
        try stack.viewContext.save()
        try expect(try stack.viewContext.fetch(Project.fetchRequest()).map(\.title), is: ["Scratch"])
    }

    suite("The entity of a class has its name") {
        _ = CoreDataStack()
        try expect(Person.entity().name, is: "Person")
        try expect(Manager.entity().superentity?.name, is: "Person")
    }

    suite("The entity of a class has its name before any stack is there") {
        try expect(Todo.entity().name, is: "Todo")
    }

    suite("A request by the class's name finds its objects") {
        let context = CoreDataStack().viewContext
        _ = Person(context: context)
        let request = NSFetchRequest<Person>(entityName: String(describing: Person.self))
        try expect(try context.fetch(request).count, is: 1)
    }

    suite("The temporary ID becomes permanent with the save") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        try expect(person.objectID.isTemporaryID)
        try context.save()
        try expect(!person.objectID.isTemporaryID)
        let id = person.objectID
        let uri = id.uriRepresentation()
        try expect(uri.scheme, is: "x-coredata")
        try expect(
            context.persistentStoreCoordinator!.managedObjectID(forURIRepresentation: uri), is: id)
    }

    suite("Permanent IDs can be had before the save") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        try context.obtainPermanentIDs(for: [person])
        try expect(!person.objectID.isTemporaryID)
        try expect(person.isInserted)
    }

    suite("awakeFromInsert has set the identifier") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        try expect(person.id != nil)
    }

    suite("Committed and changed values tell what was edited") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.name = "Ada"
        try context.save()
        try expect(person.changedValues().isEmpty)
        person.name = "Grace"
        try expect(person.changedValues()["name"] as? String, is: "Grace")
        try expect(person.committedValues(forKeys: ["name"])["name"] as? String, is: "Ada")
        try expect(person.hasPersistentChangedValues)
    }

    suite("Setting the same value again leaves nothing to be saved") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.name = "Ada"
        try context.save()
        person.name = "Ada"
        try expect(!person.hasPersistentChangedValues)
    }

    suite("A deleted object is gone after the save") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        try context.save()
        context.delete(person)
        try expect(person.isDeleted)
        try context.save()
        try expect(try context.count(for: Person.fetchRequest()), is: 0)
        try expect(person.managedObjectContext == nil)
    }

    suite("rollback drops inserted objects and edits") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.name = "Ada"
        try context.save()
        person.name = "Grace"
        _ = Person(context: context)
        context.rollback()
        try expect(person.name, is: "Ada")
        try expect(try context.count(for: Person.fetchRequest()), is: 1)
        try expect(!context.hasChanges)
    }

    suite("refresh turns an object into a fault that reads again") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.name = "Ada"
        try context.save()
        context.refresh(person, mergeChanges: false)
        try expect(person.isFault)
        try expect(person.name, is: "Ada")
        try expect(!person.isFault)
    }

    suite("A transient property with a getter of its own is a key") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.name = "linus"
        try expect(person.initial, is: "L")
        try expect(person.value(forKey: "initial") as? String, is: "L")
    }

    suite("Numbers can be read as any type and set from any") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.setValue(41, forKey: "age")
        try expect(person.age, is: 41)
        try expect(person.value(forKey: "age") as? Int, is: 41)
        try expect(person.value(forKey: "age") as? Int16, is: 41)
        try expect((person.value(forKey: "age") as! NSNumber).doubleValue, is: 41)
        person.setValue(NSNumber(value: 42.0), forKey: "age")
        try expect(person.age, is: 42)
        person.setValue(true, forKey: "isFavorite")
        try expect(person.isFavorite)
    }

    suite("setValuesForKeys takes a dictionary as it was decoded") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.setValuesForKeys(["name": "Ada", "age": 36, "email": NSNull()])
        try expect(person.name, is: "Ada")
        try expect(person.email == nil)
        let values = person.dictionaryWithValues(forKeys: ["name", "age", "email"])
        try expect(values["name"] as? String, is: "Ada")
        try expect(values["email"] is NSNull)
    }

    suite("Attributes can be walked by the entity's description") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.name = "Ada"
        var found: [String: Any] = [:]
        for (name, attribute) in person.entity.attributesByName where !attribute.isTransient {
            if let value = person.value(forKey: name) { found[name] = value }
        }
        try expect(found["name"] as? String, is: "Ada")
        try expect(found["age"] as? Int, is: 0)
    }

    suite("A copy by keys has the values of the original") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.name = "Ada"
        person.age = 36
        let copy = Person(context: context)
        for key in person.entity.attributesByName.keys where key != "id" && key != "initial" {
            copy.setValue(person.value(forKey: key), forKey: key)
        }
        try expect(copy.name, is: "Ada")
        try expect(copy.age, is: 36)
    }

    suite("Transformable arrays come back from the store") {
        let stack = CoreDataStack(inMemory: false)
        let person = Person(context: stack.viewContext)
        person.skills = ["swift", "sql"]
        try stack.viewContext.save()
        stack.viewContext.reset()
        let again = try stack.viewContext.fetch(Person.fetchRequest()).first!
        try expect(again.skills, is: ["swift", "sql"])
    }

    suite("Values of every kind come back from the store") {
        let stack = CoreDataStack(inMemory: false)
        let birthday = Date(timeIntervalSinceReferenceDate: 123_456.5)
        let person = Person(context: stack.viewContext)
        person.birthday = birthday
        person.photo = Data(repeating: 7, count: 300_000)
        person.score = 0.1
        let id = person.id
        let todo = Todo(context: stack.viewContext)
        todo.link = URL(string: "https://example.org/a?b=c")
        todo.priority = Int64.max
        let department = Department(context: stack.viewContext)
        department.name = "D"
        department.budget = NSDecimalNumber(string: "12345.67")
        try stack.viewContext.save()
        stack.viewContext.reset()
        let again = try stack.viewContext.fetch(Person.fetchRequest()).first!
        try expect(again.birthday, is: birthday)
        try expect(again.photo?.count, is: 300_000)
        try expect(again.score, is: 0.1)
        try expect(again.id, is: id)
        let sameTodo = try stack.viewContext.fetch(Todo.fetchRequest()).first!
        try expect(sameTodo.link?.absoluteString, is: "https://example.org/a?b=c")
        try expect(sameTodo.priority, is: Int64.max)
        let sameDepartment = try stack.viewContext.fetch(Department.fetchRequest()).first!
        try expect(sameDepartment.budget == NSDecimalNumber(string: "12345.67"))
    }

    suite("A class of a list can make its objects") {
        let context = CoreDataStack().viewContext
        let types: [NSManagedObject.Type] = [Person.self, Project.self, Todo.self]
        for type in types { _ = type.init(context: context) }
        let names = context.insertedObjects.compactMap(\.entity.name).sorted()
        try expect(names, is: ["Person", "Project", "Todo"])
    }

    suite("An object knows its context and its model") {
        let stack = CoreDataStack()
        let person = Person(context: stack.viewContext)
        try expect(person.managedObjectContext === stack.viewContext)
        try expect(person.entity.managedObjectModel == stack.container.managedObjectModel)
        try expect(person.objectID.entity.name, is: "Person")
    }

    suite("An object without a stack prints and takes values") {
        let person = Person()
        _ = "\(person)"
    }

    suite("Objects are unique in their context") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        try context.save()
        let fetched = try context.fetch(Person.fetchRequest()).first
        try expect(fetched === person)
        try expect(context.object(with: person.objectID) === person)
        try expect(try context.existingObject(with: person.objectID) === person)
        try expect(context.registeredObject(for: person.objectID) === person)
    }

    suite("existingObject throws for an object that is gone") {
        let stack = CoreDataStack()
        let person = Person(context: stack.viewContext)
        try stack.viewContext.save()
        let id = person.objectID
        stack.viewContext.delete(person)
        try stack.viewContext.save()
        let error = try expectError { _ = try stack.viewContext.existingObject(with: id) }
        try expect(error.domain, is: NSCocoaErrorDomain)
        try expect(error.code, is: NSManagedObjectReferentialIntegrityError)
    }

    suite("objectIDs are keys of dictionaries and members of sets") {
        let context = CoreDataStack().viewContext
        let people = (0..<3).map { _ in Person(context: context) }
        try context.save()
        var byID: [NSManagedObjectID: Person] = [:]
        for person in people { byID[person.objectID] = person }
        try expect(byID.count, is: 3)
        try expect(Set(people.map(\.objectID)).contains(people[0].objectID))
    }
}
