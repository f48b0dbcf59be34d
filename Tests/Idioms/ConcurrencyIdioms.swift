import CoreData

/// Contexts, queues and tasks as programs use them.
@MainActor
func concurrencyIdioms(_ suite: Suite) {
    suite("performBackgroundTask with a block saves in the background") {
        let stack = CoreDataStack(inMemory: false)
        let done = DispatchSemaphore(value: 0)
        stack.container.performBackgroundTask { context in
            Person(context: context).name = "Ada"
            try? context.save()
            done.signal()
        }
        done.wait()
        try expect(try stack.viewContext.count(for: Person.fetchRequest()), is: 1)
    }

    suite.waiting("perform gives what its block gives") {
        let stack = CoreDataStack(inMemory: false)
        let context = stack.container.newBackgroundContext()
        let id = try await context.perform {
            let person = Person(context: context)
            person.name = "Ada"
            try context.save()
            return person.objectID
        }
        let person = stack.viewContext.object(with: id) as? Person
        try expect(person?.name, is: "Ada")
    }

    suite("performAndWait gives values and rethrows") {
        let stack = CoreDataStack(inMemory: false)
        let context = stack.container.newBackgroundContext()
        let count = try context.performAndWait { try context.count(for: Person.fetchRequest()) }
        try expect(count, is: 0)
        struct Stop: Error {}
        do {
            try context.performAndWait { throw Stop() }
            try expect(false)
        } catch is Stop {}
    }

    suite("A private context with a coordinator of its own making") {
        let stack = CoreDataStack(inMemory: false)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        context.performAndWait {
            Person(context: context).name = "Ada"
            try? context.save()
        }
        try expect(try stack.viewContext.count(for: Person.fetchRequest()), is: 1)
    }

    suite("Parent, main and worker: the three-level stack") {
        let stack = CoreDataStack(inMemory: false)
        let root = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        root.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        main.parent = root
        let worker = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        worker.parent = main
        let done = DispatchSemaphore(value: 0)
        let finished = Flag()
        worker.perform {
            Person(context: worker).name = "Ada"
            try! worker.save()
            main.performAndWait { try! main.save() }
            root.performAndWait { try! root.save() }
            finished.set()
            done.signal()
        }
        let deadline = Date().addingTimeInterval(10)
        while !finished.isSet, Date() < deadline { RunLoop.main.run(until: Date().addingTimeInterval(0.01)) }
        try expect(finished.isSet)
        try expect(try stack.viewContext.count(for: Person.fetchRequest()), is: 1)
    }

    suite("A context used from another queue is warned of and goes on") {
        let stack = CoreDataStack(inMemory: false)
        let context = stack.container.newBackgroundContext()
        let person = Person(context: context)
        person.name = "Wrong queue"
        try context.save()
        try expect(try context.count(for: Person.fetchRequest()), is: 1)
    }

    suite("Every method that is called on another queue is warned of, and works") {
        let stack = CoreDataStack(inMemory: false)
        let context = stack.container.newBackgroundContext()
        context.undoManager = UndoManager()
        let id = try context.performAndWait {
            let person = Person(context: context)
            try context.save()
            return person.objectID
        }
        // Each call stands in the line whose number is printed.
        func call(_ method: String, line: Int = #line, _ work: () throws -> Void) rethrows {
            print("calls", line, method)
            try work()
        }
        call("init(context:)") { _ = Person(context: context) }
        call("init(context:)") { _ = Person(context: context) }
        typealias Entity = NSEntityDescription
        let name = "Person"
        call("insertNewObject(forEntityName:into:)") { _ = Entity.insertNewObject(forEntityName: name, into: context) }
        var person: NSManagedObject!
        call("init(entity:insertInto:)") { person = NSManagedObject(entity: Person.entity(), insertInto: context) }
        call("undo()") { context.undo() }
        call("redo()") { context.redo() }
        call("refreshAllObjects()") { context.refreshAllObjects() }
        call("object(with:)") { _ = context.object(with: id) }
        try call("existingObject(with:)") { _ = try context.existingObject(with: id) }
        call("registeredObject(for:)") { _ = context.registeredObject(for: id) }
        try call("obtainPermanentIDs(for:)") { try context.obtainPermanentIDs(for: [person]) }
        call("processPendingChanges()") { context.processPendingChanges() }
        try call("count(for:)") { _ = try context.count(for: Person.fetchRequest()) }
        try call("fetch(_:)") { _ = try context.fetch(Person.fetchRequest()) }
        call("refresh(_:mergeChanges:)") { context.refresh(person, mergeChanges: true) }
        call("delete(_:)") { context.delete(person) }
        try call("save()") { try context.save() }
        call("rollback()") { context.rollback() }
        call("reset()") { context.reset() }
    }

    suite("Objects that were made on the main queue are found by their IDs elsewhere") {
        let stack = CoreDataStack(inMemory: false)
        let person = Person(context: stack.viewContext)
        person.name = "Ada"
        try stack.viewContext.save()
        let id = person.objectID
        let context = stack.container.newBackgroundContext()
        context.performAndWait {
            let same = context.object(with: id) as! Person
            same.age = 5
            try! context.save()
        }
        RunLoop.main.run(until: Date().addingTimeInterval(0.1))
        try expect(person.age, is: 5)
    }

    suite("Contexts and coordinators have names, queues and authors") {
        let stack = CoreDataStack()
        let context = stack.container.newBackgroundContext()
        context.name = "import"
        context.transactionAuthor = "me"
        try expect(context.name, is: "import")
        try expect(context.concurrencyType == .privateQueueConcurrencyType)
        try expect(stack.viewContext.concurrencyType == .mainQueueConcurrencyType)
        try expect(stack.viewContext.name ?? "viewContext", is: "viewContext")
    }

    suite.waiting("Notifications of saves can be awaited") {
        let stack = CoreDataStack(inMemory: false)
        let context = stack.viewContext
        Task { @MainActor in
            try await Task.sleep(nanoseconds: 20_000_000)
            Person(context: context).name = "Ada"
            try context.save()
        }
        for await note in NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave) {
            try expect(note.object as? NSManagedObjectContext === context)
            break
        }
    }

    suite("A batch delete is merged into the view context") {
        let stack = CoreDataStack(inMemory: false)
        for _ in 0..<3 { Person(context: stack.viewContext).name = "Ada" }
        try stack.viewContext.save()
        let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Person"))
        delete.resultType = .resultTypeObjectIDs
        let result = try stack.viewContext.execute(delete) as? NSBatchDeleteResult
        let ids = result?.result as? [NSManagedObjectID] ?? []
        try expect(ids.count, is: 3)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [stack.viewContext])
        try expect(try stack.viewContext.count(for: Person.fetchRequest()), is: 0)
    }

    suite("A batch insert of dictionaries") {
        let stack = CoreDataStack(inMemory: false)
        let rows: [[String: Any]] = (0..<100).map { ["name": "P\($0)", "age": $0, "id": UUID()] }
        let insert = NSBatchInsertRequest(entity: Person.entity(), objects: rows)
        insert.resultType = .count
        let result = try stack.viewContext.execute(insert) as? NSBatchInsertResult
        try expect(result?.result as? Int, is: 100)
        try expect(try stack.viewContext.count(for: Person.fetchRequest()), is: 100)
    }

    suite("A batch insert by a handler") {
        let stack = CoreDataStack(inMemory: false)
        var index = 0
        let insert = NSBatchInsertRequest(
            entityName: "Person",
            managedObjectHandler: { object in
                guard index < 50 else { return true }
                (object as! Person).name = "P\(index)"
                index += 1
                return false
            })
        try stack.viewContext.execute(insert)
        try expect(try stack.viewContext.count(for: Person.fetchRequest()), is: 50)
    }

    suite("A batch update sets values by expressions") {
        let stack = CoreDataStack(inMemory: false)
        for age in 1...4 { Person(context: stack.viewContext).age = Int16(age) }
        try stack.viewContext.save()
        let update = NSBatchUpdateRequest(entityName: "Person")
        update.predicate = NSPredicate(format: "age > %d", 2)
        update.propertiesToUpdate = ["isFavorite": true, "age": NSExpression(format: "age + 10")]
        update.resultType = .updatedObjectsCountResultType
        let result = try stack.viewContext.execute(update) as? NSBatchUpdateResult
        try expect(result?.result as? Int, is: 2)
        stack.viewContext.refreshAllObjects()
        let ages = try stack.viewContext.fetch(Person.fetchRequest()).map(\.age).sorted()
        try expect(ages, is: [1, 2, 13, 14])
    }
}
