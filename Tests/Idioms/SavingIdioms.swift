import CoreData

/// What programs see of saves that go well and of those that don't.
@MainActor
func savingIdioms(_ suite: Suite) {
    suite("A missing required value is a validation error that names it") {
        let context = CoreDataStack().viewContext
        let department = Department(context: context)
        let error = try expectError { try context.save() }
        try expect(error.domain, is: NSCocoaErrorDomain)
        try expect(error.code, is: NSValidationMissingMandatoryPropertyError)
        try expect(error.userInfo[NSValidationKeyErrorKey] as? String, is: "name")
        try expect(error.userInfo[NSValidationObjectErrorKey] as? Department === department)
    }

    suite("Several validation errors come in one") {
        let context = CoreDataStack().viewContext
        _ = Department(context: context)
        _ = Department(context: context)
        let error = try expectError { try context.save() }
        try expect(error.code, is: NSValidationMultipleErrorsError)
        try expect((error.userInfo[NSDetailedErrorsKey] as? [NSError])?.count, is: 2)
    }

    suite("A failed save can be mended and repeated") {
        let context = CoreDataStack().viewContext
        let department = Department(context: context)
        try expectError { try context.save() }
        try expect(department.isInserted)
        department.name = "Research"
        try context.save()
        try expect(!context.hasChanges)
    }

    suite("An error can be matched as a CocoaError") {
        let context = CoreDataStack().viewContext
        _ = Department(context: context)
        do {
            try context.save()
            try expect(false)
        } catch let error as CocoaError where error.code == .validationMissingMandatoryProperty {
            try expect(error.isValidationError)
        }
    }

    suite("An error prints what is wrong") {
        let context = CoreDataStack().viewContext
        _ = Department(context: context)
        let error = try expectError { try context.save() }
        try expect("\(error)".contains("name"), "\(error)")
        try expect(!"\(error)".contains("(null)"), "\(error)")
        try expect(!error.localizedDescription.isEmpty)
    }

    suite("Observers of the context hear of the change and of the save") {
        let context = CoreDataStack().viewContext
        nonisolated(unsafe) var heard: [String] = []
        let center = NotificationCenter.default
        let names: [(Notification.Name, String)] = [
            (.NSManagedObjectContextObjectsDidChange, "change"), (.NSManagedObjectContextWillSave, "will"),
            (.NSManagedObjectContextDidSave, "did"),
        ]
        let tokens = names.map { name, text in
            center.addObserver(forName: name, object: context, queue: nil) { _ in heard.append(text) }
        }
        Person(context: context).name = "Ada"
        try context.save()
        try expect(heard.sorted(), is: ["change", "did", "will"])
        try expect(heard.last, is: "did")
        tokens.forEach(center.removeObserver)
    }

    suite("The notification of a save has the objects by kind") {
        let context = CoreDataStack().viewContext
        let old = Person(context: context)
        let gone = Person(context: context)
        try context.save()
        nonisolated(unsafe) var info: [AnyHashable: Any] = [:]
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { info = $0.userInfo ?? [:] }
        let new = Person(context: context)
        old.name = "Old"
        context.delete(gone)
        try context.save()
        try expect(info[NSInsertedObjectsKey] as? Set<NSManagedObject>, is: [new])
        try expect(info[NSUpdatedObjectsKey] as? Set<NSManagedObject>, is: [old])
        try expect(info[NSDeletedObjectsKey] as? Set<NSManagedObject>, is: [gone])
        NotificationCenter.default.removeObserver(token)
    }

    suite("Merging the notification of another context shows its values") {
        let stack = CoreDataStack(inMemory: false)
        stack.viewContext.automaticallyMergesChangesFromParent = false
        let person = Person(context: stack.viewContext)
        person.name = "Ada"
        try stack.viewContext.save()
        let background = stack.container.newBackgroundContext()
        let context = stack.viewContext
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: background, queue: nil
        ) { note in context.perform { context.mergeChanges(fromContextDidSave: note) } }
        let id = person.objectID
        try background.performAndWait {
            let same = background.object(with: id) as! Person
            same.name = "Grace"
            try background.save()
        }
        let deadline = Date().addingTimeInterval(5)
        while person.name != "Grace", Date() < deadline { RunLoop.main.run(until: Date().addingTimeInterval(0.01)) }
        try expect(person.name, is: "Grace")
        NotificationCenter.default.removeObserver(token)
    }

    suite("A conflict is error 133020 with the default policy") {
        let stack = CoreDataStack(inMemory: false)
        let first = stack.container.newBackgroundContext()
        let second = stack.container.newBackgroundContext()
        let id = try first.performAndWait {
            let person = Person(context: first)
            person.name = "Ada"
            try first.save()
            return person.objectID
        }
        try second.performAndWait {
            let same = second.object(with: id) as! Person
            _ = same.name
            try first.performAndWait {
                (first.object(with: id) as! Person).name = "First"
                try first.save()
            }
            same.name = "Second"
            let error = try expectError { try second.save() }
            try expect(error.code, is: NSManagedObjectMergeError)
            try expect((error.userInfo["conflictList"] as? [NSMergeConflict])?.count, is: 1)
            second.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            try second.save()
        }
        let name = first.performAndWait {
            first.refreshAllObjects()
            return (first.object(with: id) as! Person).name
        }
        try expect(name, is: "Second")
    }

    suite("A child's changes reach the store by two saves") {
        let stack = CoreDataStack(inMemory: false)
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = stack.viewContext
        Person(context: child).name = "Ada"
        try child.save()
        try expect(stack.viewContext.hasChanges)
        try stack.viewContext.save()
        let other = stack.container.newBackgroundContext()
        let count = try other.performAndWait { try other.count(for: Person.fetchRequest()) }
        try expect(count, is: 1)
    }

    suite("A child that is thrown away leaves nothing") {
        let stack = CoreDataStack()
        let person = Person(context: stack.viewContext)
        person.name = "Ada"
        try stack.viewContext.save()
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = stack.viewContext
        let edited = child.object(with: person.objectID) as! Person
        edited.name = "Edited"
        child.rollback()
        try expect(person.name, is: "Ada")
        try expect(!stack.viewContext.hasChanges)
    }

    suite("Saving without changes does nothing") {
        let context = CoreDataStack().viewContext
        try context.save()
        try expect(!context.hasChanges)
    }

    suite("A store that is opened read-only refuses a save") {
        let stack = CoreDataStack(inMemory: false)
        Person(context: stack.viewContext).name = "Ada"
        try stack.viewContext.save()
        let url = stack.container.persistentStoreCoordinator.persistentStores[0].url!
        let container = NSPersistentContainer(name: "Company", managedObjectModel: stack.container.managedObjectModel)
        let description = NSPersistentStoreDescription(url: url)
        description.isReadOnly = true
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        try expect(try container.viewContext.count(for: Person.fetchRequest()), is: 1)
        Person(context: container.viewContext).name = "Grace"
        try expectError { try container.viewContext.save() }
    }

    suite("Objects are counted by their sets in the context") {
        let context = CoreDataStack().viewContext
        let person = Person(context: context)
        try expect(context.insertedObjects, is: [person])
        try context.save()
        person.name = "Ada"
        try expect(context.updatedObjects, is: [person])
        try expect(context.registeredObjects, is: [person])
        context.delete(person)
        try expect(context.deletedObjects, is: [person])
    }

    suite("validateValue refuses what the model forbids") {
        let context = CoreDataStack().viewContext
        let department = Department(context: context)
        department.name = "Research"
        try department.validateForInsert()
        department.setValue(nil, forKey: "name")
        try expectError { try department.validateForInsert() }
    }

    suite("reset forgets everything") {
        let context = CoreDataStack().viewContext
        _ = Person(context: context)
        context.reset()
        try expect(!context.hasChanges)
        try expect(context.registeredObjects.isEmpty)
    }

    suite("willSave may set a date without a loop") {
        let context = CoreDataStack().viewContext
        let project = Project(context: context)
        project.title = "P"
        if project.createdAt == nil { project.setPrimitiveValue(Date(), forKey: "createdAt") }
        try context.save()
        try expect(project.createdAt != nil)
    }
}
