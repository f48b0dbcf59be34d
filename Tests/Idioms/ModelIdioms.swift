import CoreData

/// A model in code, as packages without a model file make it.
@MainActor
private func noteModel(version: Int = 1) -> NSManagedObjectModel {
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    title.isOptional = true
    let body = NSAttributeDescription()
    body.name = version == 3 ? "content" : "body"
    body.renamingIdentifier = "body"
    body.attributeType = .stringAttributeType
    body.isOptional = true
    let tag = NSEntityDescription()
    tag.name = "Tag"
    tag.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    let note = NSEntityDescription()
    note.name = "Note"
    note.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
    let tags = NSRelationshipDescription()
    tags.name = "tags"
    tags.destinationEntity = tag
    tags.minCount = 0
    tags.maxCount = 0
    tags.deleteRule = .nullifyDeleteRule
    let notes = NSRelationshipDescription()
    notes.name = "notes"
    notes.destinationEntity = note
    notes.inverseRelationship = tags
    tags.inverseRelationship = notes
    note.properties = [title, body, tags]
    tag.properties = [name, notes]
    if version >= 2 {
        let stars = NSAttributeDescription()
        stars.name = "stars"
        stars.attributeType = .integer32AttributeType
        stars.defaultValue = 3
        stars.isOptional = false
        note.properties.append(stars)
    }
    let model = NSManagedObjectModel()
    model.entities = [note, tag]
    return model
}

@MainActor
private func container(_ model: NSManagedObjectModel, at url: URL) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
}

@MainActor
private func storeURL() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
}

@MainActor
func modelIdioms(_ suite: Suite) {
    suite("A model in code holds objects") {
        let context = try container(noteModel(), at: storeURL()).viewContext
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue("Title", forKey: "title")
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue("swift", forKey: "name")
        note.mutableSetValue(forKey: "tags").add(tag)
        try context.save()
        try expect((tag.value(forKey: "notes") as? Set<NSManagedObject>)?.count, is: 1)
    }

    suite("A new attribute and a renamed one migrate by themselves") {
        let url = storeURL()
        do {
            let first = try container(noteModel(), at: url)
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: first.viewContext)
            note.setValue("text", forKey: "body")
            try first.viewContext.save()
            try first.persistentStoreCoordinator.remove(first.persistentStoreCoordinator.persistentStores[0])
        }
        let third = try container(noteModel(version: 3), at: url)
        let notes = try third.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        try expect(notes.first?.value(forKey: "content") as? String, is: "text")
        try expect(notes.first?.value(forKey: "stars") as? Int, is: 3)
    }

    suite("Without migration another model is error 134100") {
        let url = storeURL()
        let first = try container(noteModel(), at: url)
        try first.persistentStoreCoordinator.remove(first.persistentStoreCoordinator.persistentStores[0])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: noteModel(version: 2))
        let error = try expectError {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        }
        try expect(error.domain, is: NSCocoaErrorDomain)
        try expect(error.code, is: NSPersistentStoreIncompatibleVersionHashError)
    }

    suite("Whether a migration is needed is asked of the metadata") {
        let url = storeURL()
        _ = try container(noteModel(), at: url)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        try expect(noteModel().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        try expect(!noteModel(version: 2).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    suite("A migration by hand, with an inferred mapping") {
        let (old, new) = (storeURL(), storeURL())
        do {
            let first = try container(noteModel(), at: old)
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: first.viewContext)
            note.setValue("Title", forKey: "title")
            try first.viewContext.save()
        }
        let (source, destination) = (noteModel(), noteModel(version: 2))
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        try manager.migrateStore(
            from: old, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: new,
            destinationType: NSSQLiteStoreType, destinationOptions: nil)
        let context = try container(destination, at: new).viewContext
        let note = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first
        try expect(note?.value(forKey: "title") as? String, is: "Title")
    }

    suite("The model that the plugin compiled is in the bundle") {
        let url = try unwrap(Bundle.module.url(forResource: "Company", withExtension: "momd"))
        let model = try unwrap(NSManagedObjectModel(contentsOf: url))
        try expect(
            model.entities.compactMap(\.name).sorted(), is: ["Department", "Manager", "Person", "Project", "Todo"])
        try expect(NSManagedObjectModel.mergedModel(from: nil)?.entitiesByName["Person"] != nil)
        try expect(NSManagedObjectModel.mergedModel(from: [Bundle.module])?.entitiesByName["Person"] != nil)
        try expect(NSManagedObjectModel.mergedModel(from: [Bundle.main])?.entitiesByName["Person"] != nil)
    }

    suite("Descriptions can be walked") {
        let model = NSManagedObjectModel.mergedModel(from: nil)!
        let person = model.entitiesByName["Person"]!
        try expect(person.relationshipsByName["department"]?.inverseRelationship?.name, is: "people")
        try expect(person.relationshipsByName["projects"]?.isToMany, is: true)
        try expect(model.entitiesByName["Project"]?.relationshipsByName["todos"]?.isOrdered, is: true)
        try expect(person.attributesByName["age"]?.attributeType == .integer16AttributeType)
        try expect(person.attributesByName["age"]?.defaultValue as? Int, is: 0)
        try expect(person.subentities.map(\.name), is: ["Manager"])
        try expect(model.entitiesByName["Manager"]?.isKindOf(entity: person), is: true)
        try expect(person.managedObjectClassName.hasSuffix("Person"))
        try expect(model.versionIdentifiers.isEmpty || !model.versionIdentifiers.isEmpty)
        try expect(model.entityVersionHashesByName.count, is: 8)
    }

    suite("Two stacks share one model without a warning that stops") {
        let model = NSManagedObjectModel.mergedModel(from: nil)!
        let first = NSPersistentContainer(name: "A", managedObjectModel: model)
        let second = NSPersistentContainer(name: "B", managedObjectModel: model)
        for container in [first, second] {
            container.persistentStoreDescriptions = [
                NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
            ]
            container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        }
        _ = Person(context: first.viewContext)
        _ = Person(context: second.viewContext)
        try first.viewContext.save()
        try second.viewContext.save()
        try expect(try first.viewContext.count(for: Person.fetchRequest()), is: 1)
    }

    suite("Two stacks load the model twice and both go on") {
        let first = CoreDataStack()
        let second = CoreDataStack()
        _ = Person(context: first.viewContext)
        _ = Person(context: second.viewContext)
        _ = Person.entity()
        try first.viewContext.save()
        try second.viewContext.save()
        try expect(try second.viewContext.count(for: Person.fetchRequest()), is: 1)
    }

    suite("A container makes the folder of its store") {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Application Support/My App")
        let context = try container(noteModel(), at: folder.appendingPathComponent("Notes.sqlite")).viewContext
        _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        try context.save()
        try expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("Notes.sqlite").path))
    }

    suite("The default folder of a container can be written to") {
        let container = NSPersistentContainer(name: "Default", managedObjectModel: noteModel())
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        try expect(failure == nil, "\(String(describing: failure))")
        try expect(container.persistentStoreDescriptions[0].url?.lastPathComponent, is: "Default.sqlite")
    }

    suite("Unique names with a merge policy: the import that updates") {
        let model = noteModel()
        let tag = model.entitiesByName["Tag"]!
        tag.uniquenessConstraints = [["name"]]
        let context = try container(model, at: storeURL()).viewContext
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        for _ in 0..<3 {
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue("swift", forKey: "name")
            try context.save()
        }
        try expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")), is: 1)
    }

    suite("Configurations put entities into stores of their own") {
        let model = noteModel()
        model.entitiesByName["Note"]!.properties.removeAll { $0.name == "tags" }
        model.entitiesByName["Tag"]!.properties.removeAll { $0.name == "notes" }
        model.setEntities([model.entitiesByName["Note"]!], forConfigurationName: "Cloud")
        model.setEntities([model.entitiesByName["Tag"]!], forConfigurationName: "Local")
        let container = NSPersistentContainer(name: "Split", managedObjectModel: model)
        container.persistentStoreDescriptions = ["Cloud", "Local"].map { name in
            let description = NSPersistentStoreDescription(url: storeURL())
            description.configuration = name
            return description
        }
        container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        let context = container.viewContext
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue("t", forKey: "name")
        try context.save()
        try expect(note.objectID.persistentStore?.configurationName, is: "Cloud")
        try expect(tag.objectID.persistentStore?.configurationName, is: "Local")
    }

    suite("History tells what another context saved") {
        let url = storeURL()
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: noteModel())
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        let context = container.newBackgroundContext()
        context.transactionAuthor = "importer"
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue("A", forKey: "title")
            try context.save()
        }
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try container.viewContext.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        try expect(transactions.count, is: 1)
        try expect(transactions[0].author, is: "importer")
        try expect(transactions[0].changes?.first?.changeType == .insert)
        let token = transactions[0].token
        let later = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let none = try container.viewContext.execute(later) as? NSPersistentHistoryResult
        try expect((none?.result as? [NSPersistentHistoryTransaction])?.count, is: 0)
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        try expect(read, is: token)
        try container.viewContext.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
        container.viewContext.mergeChanges(fromContextDidSave: transactions[0].objectIDNotification())
    }

    suite("A derived attribute follows what it is derived from") {
        let model = noteModel()
        let derived = NSDerivedAttributeDescription()
        derived.name = "tagCount"
        derived.attributeType = .integer64AttributeType
        derived.derivationExpression = NSExpression(format: "tags.@count")
        model.entitiesByName["Note"]!.properties.append(derived)
        let context = try container(model, at: storeURL()).viewContext
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue("t", forKey: "name")
        note.mutableSetValue(forKey: "tags").add(tag)
        try context.save()
        context.refresh(note, mergeChanges: true)
        try expect(note.value(forKey: "tagCount") as? Int, is: 1)
    }

    suite("A value transformer of one's own is used by its name") {
        final class ReverseTransformer: ValueTransformer, @unchecked Sendable {
            override class func transformedValueClass() -> AnyClass { NSData.self }
            override class func allowsReverseTransformation() -> Bool { true }
            override func transformedValue(_ value: Any?) -> Any? {
                (value as? String).map { Data(String($0.reversed()).utf8) }
            }
            override func reverseTransformedValue(_ value: Any?) -> Any? {
                (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
            }
        }
        ValueTransformer.setValueTransformer(
            ReverseTransformer(), forName: NSValueTransformerName("ReverseTransformer"))
        let model = noteModel()
        let secret = NSAttributeDescription()
        secret.name = "secret"
        secret.attributeType = .transformableAttributeType
        secret.valueTransformerName = "ReverseTransformer"
        secret.isOptional = true
        model.entitiesByName["Note"]!.properties.append(secret)
        let context = try container(model, at: storeURL()).viewContext
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue("hidden", forKey: "secret")
        try context.save()
        context.refresh(note, mergeChanges: false)
        try expect(note.value(forKey: "secret") as? String, is: "hidden")
    }
}

/// The value of an optional; nil ends the claim.
func unwrap<Value>(_ value: Value?, file: String = #fileID, line: Int = #line) throws -> Value {
    guard let value else { throw Unexpected(description: "\(file):\(line): nil") }
    return value
}
