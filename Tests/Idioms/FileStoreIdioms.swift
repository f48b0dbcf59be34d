import CoreData

private func propertyList(at url: URL) throws -> [String: Any] {
    let content = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), options: [], format: nil)
    guard let dictionary = content as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
    return dictionary
}

/// An atomic store of property lists, as the guide's steps have it: load, new nodes, updates, save.
final class PropertyListStore: NSAtomicStore {
    static let storeType = "PropertyListStore"
    private var nextReference = 1
    private var made: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]

    override var type: String { Self.storeType }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        guard let content = try? propertyList(at: url),
            let metadata = content["metadata"] as? [String: Any]
        else {
            return [NSStoreTypeKey: storeType, NSStoreUUIDKey: UUID().uuidString]
        }
        return metadata
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        var content = (try? propertyList(at: url)) ?? [:]
        content["metadata"] = metadata
        try PropertyListSerialization.data(fromPropertyList: content, format: .xml, options: 0).write(to: url)
    }

    override func load() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        guard let content = try? propertyList(at: url),
            let rows = content["rows"] as? [[String: Any]]
        else {
            throw CocoaError(.fileReadCorruptFile)
        }
        if let read = content["metadata"] as? [String: Any] { metadata = read }
        var nodes: [Int: NSAtomicStoreCacheNode] = [:]
        let entities = persistentStoreCoordinator!.managedObjectModel.entitiesByName
        for row in rows {
            let reference = row["reference"] as! Int
            let id = objectID(for: entities[row["entity"] as! String]!, withReferenceObject: reference)
            let node = NSAtomicStoreCacheNode(objectID: id)
            node.propertyCache = NSMutableDictionary(dictionary: row["values"] as! [String: Any])
            nodes[reference] = node
            nextReference = max(nextReference, reference + 1)
        }
        for row in rows {
            for (key, value) in row["references"] as? [String: [Int]] ?? [:] {
                let node = nodes[row["reference"] as! Int]!
                let isToMany = node.objectID.entity.relationshipsByName[key]!.isToMany
                let targets = value.compactMap { nodes[$0] }
                node.setValue(isToMany ? NSSet(array: targets) : targets.first, forKey: key)
            }
        }
        addCacheNodes(Set(nodes.values))
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        defer { nextReference += 1 }
        return nextReference
    }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = node(for: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    /// The node of an object, which another one's relationship may need before it is asked for.
    private func node(for id: NSManagedObjectID) -> NSAtomicStoreCacheNode {
        if let node = cacheNode(for: id) ?? made[id] { return node }
        let node = NSAtomicStoreCacheNode(objectID: id)
        node.propertyCache = [:]
        made[id] = node
        return node
    }

    override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        for key in managedObject.entity.attributesByName.keys {
            node.setValue(managedObject.value(forKey: key), forKey: key)
        }
        for (key, relationship) in managedObject.entity.relationshipsByName {
            if relationship.isToMany {
                let members = managedObject.value(forKey: key) as? Set<NSManagedObject> ?? []
                node.setValue(NSSet(array: members.map { self.node(for: $0.objectID) }), forKey: key)
            } else {
                let destination = managedObject.value(forKey: key) as? NSManagedObject
                node.setValue(destination.map { self.node(for: $0.objectID) }, forKey: key)
            }
        }
    }

    override func save() throws {
        let rows = cacheNodes().map { node -> [String: Any] in
            var values: [String: Any] = [:]
            var references: [String: [Int]] = [:]
            for key in node.objectID.entity.attributesByName.keys { values[key] = node.value(forKey: key) }
            for key in node.objectID.entity.relationshipsByName.keys {
                let nodes =
                    (node.value(forKey: key) as? NSSet)?.allObjects ?? [node.value(forKey: key)].compactMap { $0 }
                references[key] = nodes.compactMap {
                    ($0 as? NSAtomicStoreCacheNode).map { referenceObject(for: $0.objectID) as! Int }
                }
            }
            return [
                "entity": node.objectID.entity.name!, "reference": referenceObject(for: node.objectID),
                "values": values,
                "references": references,
            ]
        }
        let content: NSDictionary = ["metadata": metadata ?? [:], "rows": rows]
        let data = try PropertyListSerialization.data(fromPropertyList: content, format: .xml, options: 0)
        try data.write(to: url!)
    }
}

/// A web service's stand-in.
private final class Backend: @unchecked Sendable {
    static let shared = Backend()
    var records: [String: [String: Any]] = [:]
    var log: [String] = []
}

/// An incremental store over it, with relationships by foreign keys.
final class BackendStore: NSIncrementalStore {
    static let storeType = "BackendStore"

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: "A57E3B1C-0000-4000-8000-000000000001"]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request.requestType {
        case .fetchRequestType: return try fetch(request as! NSFetchRequest<NSFetchRequestResult>, context!)
        case .saveRequestType:
            let save = request as! NSSaveChangesRequest
            for object in (save.insertedObjects ?? []).union(save.updatedObjects ?? []) {
                var record: [String: Any] = ["entity": object.entity.name!]
                for key in object.entity.attributesByName.keys { record[key] = object.value(forKey: key) }
                for (key, relationship) in object.entity.relationshipsByName where !relationship.isToMany {
                    record[key] = (object.value(forKey: key) as? NSManagedObject).map {
                        referenceObject(for: $0.objectID)
                    }
                }
                Backend.shared.records[referenceObject(for: object.objectID) as! String] = record
            }
            for object in save.deletedObjects ?? [] {
                Backend.shared.records[referenceObject(for: object.objectID) as! String] = nil
            }
            return []
        default:
            throw NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreUnsupportedRequestTypeError)
        }
    }

    private func fetch(_ request: NSFetchRequest<NSFetchRequestResult>, _ context: NSManagedObjectContext) throws -> Any
    {
        let entity = request.entity!
        Backend.shared.log.append("GET \(entity.name!)")
        let keys = Backend.shared.records.filter { $0.value["entity"] as? String == entity.name }.keys.sorted()
        let ids = keys.map { newObjectID(for: entity, referenceObject: $0) }
        switch request.resultType {
        case .managedObjectIDResultType: return ids
        case .countResultType: return [ids.count]
        default:
            let objects = ids.map { context.object(with: $0) }
            return objects.filter { request.predicate?.evaluate(with: $0) ?? true }
        }
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        let key = referenceObject(for: objectID) as! String
        Backend.shared.log.append("GET \(objectID.entity.name!)/\(key)")
        guard let record = Backend.shared.records[key] else {
            throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError)
        }
        let values = record.filter { objectID.entity.attributesByName[$0.key] != nil }
        return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: 1)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let key = referenceObject(for: objectID) as! String
        let destination = relationship.destinationEntity!
        if relationship.isToMany {
            return Backend.shared.records.filter { $0.value[relationship.inverseRelationship!.name] as? String == key }
                .map { newObjectID(for: destination, referenceObject: $0.key) }
        }
        guard let other = Backend.shared.records[key]?[relationship.name] as? String else { return NSNull() }
        return newObjectID(for: destination, referenceObject: other)
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: "ID-\(UUID().uuidString)") }
    }
}

/// Stores of one's own, of both kinds.
@MainActor
func fileStoreIdioms(_ suite: Suite) {
    func model() -> NSManagedObjectModel {
        func entity(_ name: String) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.type, attribute.isOptional) = ("name", .string, true)
            entity.properties = [attribute]
            return entity
        }
        let (folder, file) = (entity("Folder"), entity("File"))
        let (files, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (files.name, files.destinationEntity, files.inverseRelationship) = ("files", file, owner)
        (owner.name, owner.destinationEntity, owner.inverseRelationship, owner.maxCount) = ("folder", folder, files, 1)
        files.deleteRule = .cascadeDeleteRule
        folder.properties.append(files)
        file.properties.append(owner)
        let model = NSManagedObjectModel()
        model.entities = [folder, file]
        return model
    }

    let url = FileManager.default.temporaryDirectory.appendingPathComponent("Files.plist")
    func atomic() throws -> NSManagedObjectContext {
        NSPersistentStoreCoordinator.registerStoreClass(
            PropertyListStore.self, forStoreType: PropertyListStore.storeType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(
            ofType: PropertyListStore.storeType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func backend() throws -> NSManagedObjectContext {
        NSPersistentStoreCoordinator.registerStoreClass(BackendStore.self, forStoreType: BackendStore.storeType)
        let container = NSPersistentContainer(name: "Backend", managedObjectModel: model())
        container.persistentStoreDescriptions[0].type = BackendStore.storeType
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container.viewContext
    }

    func add(_ name: String, files: String..., to context: NSManagedObjectContext) -> NSManagedObject {
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        folder.setValue(name, forKey: "name")
        for name in files {
            let file = NSEntityDescription.insertNewObject(forEntityName: "File", into: context)
            file.setValue(name, forKey: "name")
            file.setValue(folder, forKey: "folder")
        }
        return folder
    }

    let folders = NSFetchRequest<NSManagedObject>(entityName: "Folder")
    let files = NSFetchRequest<NSManagedObject>(entityName: "File")

    suite("An atomic store writes its own file and reads it again") {
        do {
            let context = try atomic()
            _ = add("Documents", files: "a", "b", to: context)
            try context.save()
        }
        let context = try atomic()
        let folder = try unwrap(context.fetch(folders).first)
        try expect(folder.value(forKey: "name") as? String, is: "Documents")
        let names = (folder.value(forKey: "files") as? Set<NSManagedObject>)?.compactMap {
            $0.value(forKey: "name") as? String
        }
        try expect(names?.sorted(), is: ["a", "b"])
        let type =
            (try propertyList(at: url)["metadata"] as? [String: Any])?[NSStoreTypeKey] as? String
        try expect(type, is: PropertyListStore.storeType)
    }

    suite("An atomic store changes and deletes, with predicates and sorting") {
        let context = try atomic()
        let folder = add("Documents", files: "a", "b", "c", to: context)
        try context.save()
        files.predicate = NSPredicate(format: "name > %@ AND folder.name == 'Documents'", "a")
        files.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        let found = try context.fetch(files)
        try expect(found.map { $0.value(forKey: "name") as? String }, is: ["c", "b"])
        context.delete(found[0])
        folder.setValue("Renamed", forKey: "name")
        try context.save()
        let again = try atomic()
        try expect(try again.count(for: NSFetchRequest<NSManagedObject>(entityName: "File")), is: 2)
        try expect(try again.fetch(folders).first?.value(forKey: "name") as? String, is: "Renamed")
    }

    suite("Metadata of a custom file are read without opening it") {
        let context = try atomic()
        _ = add("Documents", to: context)
        try context.save()
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: PropertyListStore.storeType, at: url, options: nil)
        try expect(
            metadata[NSStoreUUIDKey] as? String, is: context.persistentStoreCoordinator?.persistentStores[0].identifier)
        try expect(NSPersistentStoreCoordinator.registeredStoreTypes[PropertyListStore.storeType] != nil)
    }

    suite("A file that a custom store can't read is its error") {
        try Data("no property list".utf8).write(to: url)
        let error = try expectError { _ = try atomic() }
        try expect(error.domain, is: NSCocoaErrorDomain)
    }

    suite("A custom file migrates to SQLite") {
        let context = try atomic()
        _ = add("Documents", files: "a", to: context)
        try context.save()
        let coordinator = context.persistentStoreCoordinator!
        let new = url.deletingPathExtension().appendingPathExtension("sqlite")
        let store = try coordinator.migratePersistentStore(
            coordinator.persistentStores[0], to: new, options: nil, withType: NSSQLiteStoreType)
        try expect(store.type, is: NSSQLiteStoreType)
        try expect(try context.fetch(files).first?.value(forKeyPath: "folder.name") as? String, is: "Documents")
    }

    suite("An incremental store serves both ends of a relationship") {
        let context = try backend()
        let folder = add("Documents", files: "a", "b", to: context)
        try context.save()
        try expect(Backend.shared.records.count, is: 3)
        context.refreshAllObjects()
        try expect((folder.value(forKey: "files") as? NSSet)?.count, is: 2)
        let file = try unwrap(context.fetch(files).first)
        try expect(file.value(forKeyPath: "folder.name") as? String, is: "Documents")
    }

    suite("An incremental store is asked for a row when its fault fires, and only then") {
        let context = try backend()
        _ = add("Documents", to: context)
        try context.save()
        context.reset()
        Backend.shared.log = []
        let folder = try unwrap(context.fetch(folders).first)
        try expect(Backend.shared.log, is: ["GET Folder"])
        _ = folder.value(forKey: "name")
        try expect(Backend.shared.log.count, is: 2)
    }

    suite("An incremental store's cascade deletes what it holds") {
        let context = try backend()
        let folder = add("Documents", files: "a", "b", to: context)
        try context.save()
        context.delete(folder)
        try context.save()
        try expect(Backend.shared.records.isEmpty)
        try expect(try context.count(for: files), is: 0)
    }

    suite("A row that the service has lost is an error of existingObject") {
        let context = try backend()
        @MainActor func makeFolder() throws -> NSManagedObjectID {
            let folder = add("Documents", to: context)
            try context.save()
            return folder.objectID
        }
        let id = try makeFolder()
        context.reset()
        Backend.shared.records = [:]
        let error = try expectError { _ = try context.existingObject(with: id) }
        try expect(error.code, is: NSManagedObjectReferentialIntegrityError)
    }

    suite("A batch is refused by a store that has none") {
        let context = try backend()
        let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Folder"))
        try expectError { try context.execute(delete) }
    }
}
