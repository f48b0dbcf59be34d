import CoreData

/// Versions of a model: 1 has people with a name and a company's name, 2 has first and last names, 3 has companies.
@MainActor
private func peopleModel(_ version: Int) -> NSManagedObjectModel {
    func text(_ name: String, optional: Bool = true) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = .string
        attribute.isOptional = optional
        return attribute
    }
    let person = NSEntityDescription()
    person.name = "Individual"
    let model = NSManagedObjectModel()
    model.versionIdentifiers = ["\(version)"]
    switch version {
    case 1:
        person.properties = [text("name", optional: false), text("company")]
        model.entities = [person]
    case 2:
        person.properties = [text("firstName", optional: false), text("lastName"), text("company")]
        model.entities = [person]
    default:
        let company = NSEntityDescription()
        company.name = "Company"
        let employer = NSRelationshipDescription()
        let people = NSRelationshipDescription()
        (employer.name, employer.destinationEntity, employer.inverseRelationship) = ("company", company, people)
        employer.maxCount = 1
        (people.name, people.destinationEntity, people.inverseRelationship) = ("people", person, employer)
        person.properties = [text("firstName", optional: false), text("lastName"), employer]
        company.properties = [text("name"), people]
        model.entities = [person, company]
    }
    return model
}

@MainActor
private func oldStore(_ names: String..., version: Int = 1) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: peopleModel(version))
    let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    for name in names {
        let person = NSEntityDescription.insertNewObject(forEntityName: "Individual", into: context)
        person.setValue(name, forKey: version == 1 ? "name" : "firstName")
        person.setValue("Acme", forKey: "company")
    }
    try context.save()
    try coordinator.remove(store)
    return url
}

/// A mapping as the editor of Xcode makes it: one entity, attributes by name.
@MainActor
private func mapping(from source: NSManagedObjectModel, to destination: NSManagedObjectModel, policy: AnyClass?)
    -> NSMappingModel
{
    let entity = NSEntityMapping()
    entity.name = "IndividualToIndividual"
    entity.mappingType = .customEntityMappingType
    entity.sourceEntityName = "Individual"
    entity.destinationEntityName = "Individual"
    entity.sourceEntityVersionHash = source.entityVersionHashesByName["Individual"]
    entity.destinationEntityVersionHash = destination.entityVersionHashesByName["Individual"]
    entity.entityMigrationPolicyClassName = policy.map { NSStringFromClass($0) }
    entity.sourceExpression = NSExpression(
        format:
            #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:" , "Individual", "TRUEPREDICATE"), $manager.sourceContext, NO)"#
    )
    let shared = source.entitiesByName["Individual"]!.attributesByName.keys.filter {
        destination.entitiesByName["Individual"]!.attributesByName[$0] != nil
    }
    entity.attributeMappings = shared.map { name in
        let property = NSPropertyMapping()
        property.name = name
        property.valueExpression = NSExpression(format: "$source.\(name)")
        return property
    }
    entity.relationshipMappings = []
    let model = NSMappingModel()
    model.entityMappings = [entity]
    return model
}

@MainActor
private func open(_ url: URL, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]? = nil) throws
    -> NSManagedObjectContext
{
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
}

/// Migrations as tutorials and apps write them.
@MainActor
func migrationIdioms(_ suite: Suite) {
    let people = NSFetchRequest<NSManagedObject>(entityName: "Individual")

    suite("A policy splits a name into two") {
        let (old, source, destination) = (try oldStore("Ada Lovelace", "Grace"), peopleModel(1), peopleModel(2))
        let new = old.appendingPathExtension("new")
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        try manager.migrateStore(
            from: old, sourceType: NSSQLiteStoreType, options: nil,
            with: mapping(from: source, to: destination, policy: PersonToPersonPolicy.self), toDestinationURL: new,
            destinationType: NSSQLiteStoreType, destinationOptions: nil)
        people.sortDescriptors = [NSSortDescriptor(key: "firstName", ascending: true)]
        let context = try open(new, destination)
        let found = try context.fetch(people)
        try expect(found.map { $0.value(forKey: "firstName") as? String }, is: ["Ada", "Grace"])
        try expect(found.map { $0.value(forKey: "lastName") as? String }, is: ["Lovelace", nil])
        try expect(found[0].value(forKey: "company") as? String, is: "Acme")
    }

    suite("A policy whose superclass has no init() of its own is made by the one it declares, or inherits") {
        for policy in [FirstNamePolicy.self, InheritingFirstNamePolicy.self] {
            let (old, source, destination) = (try oldStore("Ada"), peopleModel(1), peopleModel(2))
            let new = old.appendingPathExtension("new")
            try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
                from: old, sourceType: NSSQLiteStoreType, options: nil,
                with: mapping(from: source, to: destination, policy: policy), toDestinationURL: new,
                destinationType: NSSQLiteStoreType, destinationOptions: nil)
            let context = try open(new, destination)
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Individual"))
            try expect(found.map { $0.value(forKey: "firstName") as? String }, is: ["constant"])
        }
    }

    suite("A policy makes objects of text") {
        let (old, source, destination) = (try oldStore("Ada", "Grace"), peopleModel(1), peopleModel(3))
        let new = old.appendingPathExtension("new")
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        let model = mapping(from: source, to: destination, policy: TextToCompanyPolicy.self)
        try manager.migrateStore(
            from: old, sourceType: NSSQLiteStoreType, options: nil, with: model, toDestinationURL: new,
            destinationType: NSSQLiteStoreType, destinationOptions: nil)
        let context = try open(new, destination)
        let companies = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Company"))
        try expect(companies.map { $0.value(forKey: "name") as? String }, is: ["Acme"])
        try expect((companies[0].value(forKey: "people") as? NSSet)?.count, is: 2)
    }

    suite("The validation of a policy fails the migration") {
        let (old, source, destination) = (try oldStore(""), peopleModel(1), peopleModel(2))
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        let error = try expectError {
            try manager.migrateStore(
                from: old, sourceType: NSSQLiteStoreType, options: nil,
                with: mapping(from: source, to: destination, policy: PersonToPersonPolicy.self),
                toDestinationURL: old.appendingPathExtension("new"), destinationType: NSSQLiteStoreType,
                destinationOptions: nil)
        }
        try expect(!error.localizedDescription.isEmpty)
    }

    suite("A migration is followed by its progress") {
        let (old, source, destination) = (try oldStore("Ada"), peopleModel(1), peopleModel(2))
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        var steps: [Float] = []
        let observation = manager.observe(\.migrationProgress, options: [.new]) { manager, _ in
            steps.append(manager.migrationProgress)
        }
        try manager.migrateStore(
            from: old, sourceType: NSSQLiteStoreType, options: nil,
            with: mapping(from: source, to: destination, policy: PersonToPersonPolicy.self),
            toDestinationURL: old.appendingPathExtension("new"), destinationType: NSSQLiteStoreType,
            destinationOptions: nil)
        observation.invalidate()
        try expect(manager.migrationProgress, is: 1)
        try expect(steps.last, is: 1)
        try expect(steps, is: steps.sorted())
    }

    suite("A migration is cancelled with an error of the program's own") {
        let (old, source, destination) = (try oldStore("Ada"), peopleModel(1), peopleModel(2))
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        let observation = manager.observe(\.migrationProgress) { manager, _ in
            manager.cancelMigrationWithError(NSError(domain: NSCocoaErrorDomain, code: NSUserCancelledError))
        }
        let error = try expectError {
            try manager.migrateStore(
                from: old, sourceType: NSSQLiteStoreType, options: nil,
                with: mapping(from: source, to: destination, policy: PersonToPersonPolicy.self),
                toDestinationURL: old.appendingPathExtension("new"), destinationType: NSSQLiteStoreType,
                destinationOptions: nil)
        }
        observation.invalidate()
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        try expect(error.code == NSUserCancelledError || cause?.code == NSUserCancelledError, "\(error)")
    }

    suite("A stage that leaves a required value out says where") {
        let (first, second) = (peopleModel(2), peopleModel(2))
        second.entitiesByName["Individual"]!.attributesByName["lastName"]!.isOptional = false
        let url = try oldStore("Ada", version: 2)
        let stage = NSCustomMigrationStage(
            migratingFrom: NSManagedObjectModelReference(model: first, versionChecksum: first.versionChecksum),
            to: NSManagedObjectModelReference(model: second, versionChecksum: second.versionChecksum))
        let error = try expectError {
            _ = try open(
                url, second,
                [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                    NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage]),
                ])
        }
        try expect(error.localizedDescription.contains("lastName"), error.localizedDescription)
        let context = try open(url, first)
        try expect(try context.count(for: people), is: 1)
    }

    suite("Versions one after the other, each checked by the metadata, and the store replaced") {
        let url = try oldStore("Ada Lovelace")
        let models = (1...3).map { peopleModel($0) }
        func current() throws -> Int {
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url, options: nil)
            return models.firstIndex { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }!
        }
        let policies: [AnyClass] = [PersonToPersonPolicy.self, TextStepPolicy.self]
        while try current() < 2 {
            let step = try current()
            let temporary = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true).appendingPathComponent(
                UUID().uuidString)
            let manager = NSMigrationManager(sourceModel: models[step], destinationModel: models[step + 1])
            let model = mapping(from: models[step], to: models[step + 1], policy: policies[step])
            if step == 1 { model.entityMappings[0].attributeMappings?.removeAll { $0.name == "company" } }
            try manager.migrateStore(
                from: url, sourceType: NSSQLiteStoreType, options: nil, with: model, toDestinationURL: temporary,
                destinationType: NSSQLiteStoreType, destinationOptions: nil)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
            try coordinator.replacePersistentStore(
                at: url, destinationOptions: nil, withPersistentStoreFrom: temporary, sourceOptions: nil,
                ofType: NSSQLiteStoreType)
            try coordinator.destroyPersistentStore(at: temporary, ofType: NSSQLiteStoreType, options: nil)
        }
        let context = try open(url, models[2])
        let found = try context.fetch(people)
        try expect(found.first?.value(forKey: "lastName") as? String, is: "Lovelace")
    }

    suite("What can't be inferred is an error that says so") {
        let (source, destination) = (peopleModel(2), peopleModel(2))
        let company = destination.entitiesByName["Individual"]!.attributesByName["company"]!
        company.type = .date
        let error = try expectError {
            _ = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        }
        try expect(error.code, is: NSInferredMappingModelError)
        try expect(error.domain, is: NSCocoaErrorDomain)
    }

    suite("An inferred mapping can be looked through") {
        let destination = peopleModel(2)
        let age = NSAttributeDescription()
        (age.name, age.type, age.isOptional) = ("age", .integer16, true)
        destination.entitiesByName["Individual"]!.properties.append(age)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: peopleModel(2), destinationModel: destination)
        let entity = try unwrap(mapping.entityMappings.first)
        try expect(entity.sourceEntityName, is: "Individual")
        try expect(entity.mappingType == .transformEntityMappingType)
        try expect(mapping.entityMappingsByName[entity.name] === entity)
        try expect(Set(entity.attributeMappings?.compactMap(\.name) ?? []).isSuperset(of: ["firstName", "lastName"]))
    }

    suite("Staged migration prepares the data of an old version") {
        let (first, second) = (peopleModel(2), peopleModel(2))
        second.entitiesByName["Individual"]!.attributesByName["lastName"]!.isOptional = false
        let url = try oldStore("Ada", version: 2)
        let stage = NSCustomMigrationStage(
            migratingFrom: NSManagedObjectModelReference(model: first, versionChecksum: first.versionChecksum),
            to: NSManagedObjectModelReference(model: second, versionChecksum: second.versionChecksum))
        stage.label = "Last names"
        stage.willMigrateHandler = { manager, _ in
            guard let container = manager.container else { return }
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Individual")
                request.predicate = NSPredicate(format: "lastName = nil")
                for person in try context.fetch(request) { person.setValue("unknown", forKey: "lastName") }
                try context.save()
            }
        }
        nonisolated(unsafe) var finished = false
        stage.didMigrateHandler = { _, _ in finished = true }
        let container = NSPersistentContainer(name: "People", managedObjectModel: second)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(
            NSStagedMigrationManager([stage]), forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        try expect(failure == nil, "\(String(describing: failure))")
        try expect(finished)
        try expect(try container.viewContext.fetch(people).first?.value(forKey: "lastName") as? String, is: "unknown")
    }

    suite("A lightweight stage takes checksums") {
        let (first, second) = (peopleModel(2), peopleModel(2))
        let note = NSAttributeDescription()
        (note.name, note.type, note.isOptional) = ("note", .string, true)
        second.entitiesByName["Individual"]!.properties.append(note)
        let url = try oldStore("Ada", version: 2)
        let stage = NSLightweightMigrationStage([first.versionChecksum, second.versionChecksum])
        try expect(stage.versionChecksums.count, is: 2)
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage]),
        ]
        try expect(try open(url, second, options).count(for: people), is: 1)
    }

    suite("The container migrates the program's own old store") {
        let folder = Bundle.module.url(forResource: "Library", withExtension: "momd")!
        let old = try unwrap(NSManagedObjectModel(contentsOf: folder.appendingPathComponent("Library.mom")))
        let url = NSPersistentContainer.defaultDirectoryURL().appendingPathComponent("Library.sqlite")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let context = try open(url, old)
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("Dune", forKey: "name")
        book.setValue(600, forKey: "pages")
        try context.save()
        try context.persistentStoreCoordinator!.remove(context.persistentStoreCoordinator!.persistentStores[0])
        let container = PersistenceController().container
        let found = try container.viewContext.fetch(Book.fetchRequest() as NSFetchRequest<Book>)
        try expect(found.map(\.title), is: ["Dune"])
        try expect(found.first?.pages, is: 600)
        try expect(found.first?.isAvailable, is: true)
    }

    suite("The old model is found in the bundle by the store's metadata") {
        let folder = Bundle.module.url(forResource: "Library", withExtension: "momd")!
        let old = try unwrap(NSManagedObjectModel(contentsOf: folder.appendingPathComponent("Library.mom")))
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("Old.sqlite")
        _ = try open(url, old)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        try expect((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted(), is: ["Author", "Book"])
        try expect(metadata[NSStoreModelVersionIdentifiersKey] as? [String], is: ["Library-1"])
        let found = NSManagedObjectModel.mergedModel(from: [Bundle.module], forStoreMetadata: metadata)
        try expect(found?.entityVersionHashesByName, is: old.entityVersionHashesByName)
    }

    suite("A store that can't be migrated is thrown away and made anew") {
        let url = try oldStore("Ada")
        let container = NSPersistentContainer(name: "People", managedObjectModel: peopleModel(3))
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        container.persistentStoreDescriptions[0].shouldInferMappingModelAutomatically = false
        container.loadPersistentStores { description, error in
            guard error != nil else { return }
            try! container.persistentStoreCoordinator.destroyPersistentStore(at: description.url!, type: .sqlite)
            container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        }
        try expect(container.persistentStoreCoordinator.persistentStores.count, is: 1)
        try expect(try container.viewContext.count(for: people), is: 0)
    }
}

/// The step from names of companies to companies, after the step to two names.
class TextStepPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let person = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
        let company = NSEntityDescription.insertNewObject(forEntityName: "Company", into: manager.destinationContext)
        company.setValue(sInstance.value(forKey: "company"), forKey: "name")
        person.setValue(company, forKey: "company")
    }
}
