import CoreData

/// An incremental store over a dictionary, as the guides and their readers write it.
final class DictionaryStore: NSIncrementalStore {
    static let storeType = "DictionaryStore"
    nonisolated(unsafe) static var rows: [String: [String: [String: Any]]] = [:]
    nonisolated(unsafe) static var nextNumber = 0

    override func loadMetadata() throws {
        metadata = [NSStoreUUIDKey: ProcessInfo.processInfo.globallyUniqueString, NSStoreTypeKey: Self.storeType]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request.requestType {
        case .fetchRequestType:
            let fetch = request as! NSFetchRequest<NSFetchRequestResult>
            let entity = fetch.entity!
            let ids = (Self.rows[entity.name!] ?? [:]).keys.sorted().map {
                newObjectID(for: entity, referenceObject: $0)
            }
            if fetch.resultType == .countResultType { return [ids.count] }
            var objects = ids.map { context!.object(with: $0) }
            if let predicate = fetch.predicate { objects = objects.filter { predicate.evaluate(with: $0) } }
            if let descriptors = fetch.sortDescriptors {
                objects = (objects as NSArray).sortedArray(using: descriptors) as! [NSManagedObject]
            }
            return objects
        case .saveRequestType:
            let save = request as! NSSaveChangesRequest
            for object in (save.insertedObjects ?? []).union(save.updatedObjects ?? []) {
                var values: [String: Any] = [:]
                for key in object.entity.attributesByName.keys { values[key] = object.value(forKey: key) }
                Self.rows[object.entity.name!, default: [:]][reference(object)] = values
            }
            for object in save.deletedObjects ?? [] {
                Self.rows[object.entity.name!]?[reference(object)] = nil
            }
            return []
        default:
            throw NSError(domain: "DictionaryStore", code: 1)
        }
    }

    private func reference(_ object: NSManagedObject) -> String { referenceObject(for: object.objectID) as! String }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        let key = referenceObject(for: objectID) as! String
        guard let values = Self.rows[objectID.entity.name!]?[key] else {
            throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError)
        }
        return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: 1)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        relationship.isToMany ? [] : NSNull()
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { object in
            Self.nextNumber += 1
            return newObjectID(for: object.entity, referenceObject: "r\(Self.nextNumber)")
        }
    }
}

@MainActor
func customStoreIdioms(_ suite: Suite) {
    func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Item"
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.isOptional = true
        entity.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    func context() throws -> NSManagedObjectContext {
        NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, forStoreType: DictionaryStore.storeType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(
            ofType: DictionaryStore.storeType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    suite("A dictionary is a store: insert, fetch, change, delete") {
        let context = try context()
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        item.setValue("first", forKey: "name")
        try context.save()
        try expect(DictionaryStore.rows["Item"]?.count, is: 1)
        context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        let found = try context.fetch(request)
        try expect(found.first?.value(forKey: "name") as? String, is: "first")
        found[0].setValue("second", forKey: "name")
        try context.save()
        request.predicate = NSPredicate(format: "name == 'second'")
        try expect(try context.fetch(request).count, is: 1)
        context.delete(found[0])
        try context.save()
        try expect(DictionaryStore.rows["Item"]?.isEmpty == true)
    }

    suite("The store can be given to a container by its type") {
        NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, forStoreType: DictionaryStore.storeType)
        let container = NSPersistentContainer(name: "Items", managedObjectModel: model())
        let description = NSPersistentStoreDescription()
        description.type = DictionaryStore.storeType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        let context = container.viewContext
        NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue("x", forKey: "name")
        try context.save()
        try expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")), is: 1)
    }

    suite("Two contexts see what the other saved in the custom store") {
        let first = try context()
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: first)
        item.setValue("shared", forKey: "name")
        try first.save()
        let second = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        second.persistentStoreCoordinator = first.persistentStoreCoordinator
        let name = second.performAndWait { second.object(with: item.objectID).value(forKey: "name") as? String }
        try expect(name, is: "shared")
    }

    for type in [NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType, NSInMemoryStoreType] {
        suite("The built-in store \(type) keeps objects") {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("Items.store")
            let store = try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : url, options: nil)
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            for name in ["a", "b"] {
                NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue(name, forKey: "name")
            }
            try context.save()
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: "name > 'a'")
            try expect(try context.fetch(request).count, is: 1)
            try expect(store.type, is: type)
            try expect(store.identifier != nil)
        }
    }
}
