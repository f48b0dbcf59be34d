import CoreData

/// Following objects and contexts, as programs do.
@MainActor
func observingIdioms(_ suite: Suite) {
    suite("observe tells old and new values") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.name = "Ada"
        var heard: [String] = []
        let observation = person.observe(\.name, options: [.old, .new]) { _, change in
            heard.append("\(change.oldValue.flatMap { $0 } ?? "nil") to \(change.newValue.flatMap { $0 } ?? "nil")")
        }
        person.name = "Grace"
        person.setValue("Linus", forKey: "name")
        observation.invalidate()
        person.name = "Unheard"
        try expect(heard, is: ["Ada to Grace", "Grace to Linus"])
    }

    suite("observe with initial tells at once") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        person.age = 3
        var ages: [Int16] = []
        let observation = person.observe(\.age, options: [.initial, .new]) { object, _ in ages.append(object.age) }
        person.age = 4
        try expect(ages, is: [3, 4])
        observation.invalidate()
    }

    suite("A relationship's change is told from the other side") {
        let context = CoreDataStack().viewContext
        let department = Department(context: context)
        let person = Person(context: context)
        var count = 0
        let observation = department.observe(\.people, options: []) { _, _ in count += 1 }
        person.department = department
        try expect(count >= 1)
        observation.invalidate()
    }

    suite("The notification of changes has the objects by kind") {
        let context = CoreDataStack().viewContext
        nonisolated(unsafe) var inserted: Set<NSManagedObject> = []
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in
            if let objects = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> { inserted = objects }
        }
        let person = Person(context: context)
        context.processPendingChanges()
        try expect(inserted, is: [person])
        NotificationCenter.default.removeObserver(token)
    }

    suite("The typed names of notifications and keys are there") {
        let context = CoreDataStack().viewContext
        nonisolated(unsafe) var ids: Set<NSManagedObjectID> = []
        let token = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didSaveObjectIDsNotification, object: context, queue: nil
        ) { note in
            ids =
                note.userInfo?[NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue]
                as? Set<NSManagedObjectID> ?? []
        }
        let person = Person(context: context)
        try context.save()
        try expect(ids, is: [person.objectID])
        NotificationCenter.default.removeObserver(token)
    }

    suite("Changes are told at the end of the run loop's turn") {
        let context = CoreDataStack().viewContext
        nonisolated(unsafe) var count = 0
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: .main
        ) { _ in count += 1 }
        Person(context: context).name = "Ada"
        Person(context: context).name = "Grace"
        RunLoop.main.run(until: Date().addingTimeInterval(0.1))
        try expect(count, is: 1)
        NotificationCenter.default.removeObserver(token)
    }

    suite("A change in a child is told to the child alone until it is saved") {
        let stack = CoreDataStack()
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = stack.viewContext
        _ = Person(context: child)
        child.processPendingChanges()
        try expect(child.hasChanges)
        try expect(!stack.viewContext.hasChanges)
        try child.save()
        try expect(stack.viewContext.insertedObjects.count, is: 1)
    }
}
