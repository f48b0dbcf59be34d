import CoreData
import Foundation
import Testing

@Suite("A custom incremental store is called as Apple's guide \"Implementing an Incremental Store\" says")
struct IncrementalStoreLifeCycleTests {
    @Test("A new store: made, asked for its metadata, which is then generated with the class's identifier")
    func newStore() throws {
        let stack = try WarehouseStack()
        #expect(stack.warehouse.takeLog() == ["init", "loadMetadata", "identifierForNewStore", "didAdd"])
        let metadata = stack.coordinator.metadata(for: stack.store)
        #expect(metadata[NSStoreTypeKey] as? String == "Warehouse")
        #expect((metadata[NSStoreUUIDKey] as? String)?.hasPrefix("0F0E0D0C") == true)
        #expect(metadata[NSStoreModelVersionHashesKey] as? [String: Data] != nil)
        #expect(stack.store.identifier == metadata[NSStoreUUIDKey] as? String)
    }

    @Test("The generated metadata of a new store goes to it with the first save, changes or not")
    func newMetadata() throws {
        let stack = try WarehouseStack()
        _ = stack.warehouse.takeLog()
        try stack.context.save()
        #expect(stack.warehouse.takeLog() == ["save metadata"])
        try stack.context.save()
        #expect(stack.warehouse.takeLog() == [])
    }

    @Test("An existing store: the same UUID, and nobody asks for a new one")
    func existingStore() throws {
        let warehouse = Warehouse()
        let first = try WarehouseStack(warehouse)
        first.context.make("Author", ["name": "Ursula"])
        try first.context.save()
        _ = warehouse.takeLog()
        let again = try WarehouseStack(warehouse)
        #expect(warehouse.takeLog() == ["init", "loadMetadata", "didAdd"])
        #expect(again.store.identifier == first.store.identifier)
        #expect(try again.context.all("Author").map { $0.text("name") } == ["Ursula"])
        try again.context.save()
        #expect(!warehouse.takeLog().contains("save metadata"))
    }

    @Test("A failed load: the store hears that it goes, without a coordinator, and isn't added")
    func failedLoad() throws {
        WarehouseStore.register()
        let warehouse = Warehouse()
        warehouse.behaviour.loadFailure = WarehouseStore.Failure()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try WarehouseStack.model())
        #expect(throws: WarehouseStore.Failure.self) {
            try coordinator.addPersistentStore(
                ofType: WarehouseStore.storeType, configurationName: nil, at: warehouse.url)
        }
        #expect(warehouse.takeLog() == ["init", "loadMetadata", "willRemove(from: nil)"])
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test("Metadata that can't tell which store it is, or is of another type, is an error that names the store")
    func badMetadata() throws {
        WarehouseStore.register()
        let hostile: [([String: Any], Int, String)] = [
            (["Owner": "me"], NSPersistentStoreOpenError, NSStoreUUIDKey),
            ([NSStoreUUIDKey: "A"], NSPersistentStoreOpenError, NSStoreTypeKey),
            ([NSStoreUUIDKey: "A", NSStoreTypeKey: "Other"], NSPersistentStoreTypeMismatchError, "Other"),
        ]
        for (metadata, code, text) in hostile {
            let warehouse = Warehouse()
            warehouse.behaviour.metadata = metadata
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try WarehouseStack.model())
            let error = #expect(throws: NSError.self) {
                try coordinator.addPersistentStore(
                    ofType: WarehouseStore.storeType, configurationName: nil, at: warehouse.url)
            }
            #expect(error?.code == code)
            #expect(error?.localizedDescription.contains(text) == true)
            #expect(error?.localizedDescription.contains("WarehouseStore") == true)
            #expect(warehouse.takeLog().last == "willRemove(from: nil)")
        }
    }

    @Test("A store made for another model is refused")
    func otherModel() throws {
        let stack = try WarehouseStack()
        try stack.context.save()
        let model = try WarehouseStack.model()
        model.entitiesByName["Genre"]?.properties.removeAll { $0.name == "shelf" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(
                ofType: WarehouseStore.storeType, configurationName: nil, at: stack.warehouse.url)
        }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("A save: IDs for new objects first, then one request with everything")
    func save() throws {
        let stack = try WarehouseStack()
        let (context, warehouse) = (stack.context, stack.warehouse)
        let author = context.make("Author", ["name": "Ursula"])
        let book = context.makeBook("Tehanu", ["author": author])
        _ = warehouse.takeRequests()
        try context.save()
        #expect(warehouse.takeRequests() == ["obtainPermanentIDs 2", "save +2 ~0 -0 =0"])
        #expect(warehouse.records[stack.store.key(book.objectID)]?.destinations["author"]?.count == 1)
        #expect(stack.store.version(of: book) == 1)

        let before = book.objectID
        book.setValue("Rocannon", forKey: "title")
        try context.save()
        #expect(warehouse.takeRequests() == ["save +0 ~1 -0 =0"])
        #expect(book.objectID === before || book.objectID == before)
        #expect(stack.store.version(of: book) == 2)
        // The author loses a book, so it is among the changed ones.
        context.delete(book)
        try context.save()
        #expect(warehouse.takeRequests() == ["save +0 ~1 -1 =0"])
        #expect(warehouse.records.count == 1)
    }

    @Test("Objects that are tracked for optimistic locking are the request's locked objects")
    func locked() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let books = try stack.context.all("Book", sort: "title")
        stack.context.detectConflicts(for: books[0])
        try books[0].fulfillFault()
        books[1].setValue("Changed", forKey: "title")
        _ = stack.warehouse.takeRequests()
        try stack.context.save()
        #expect(stack.warehouse.takeRequests() == ["save +0 ~1 -0 =1"])
    }

    @Test("IDs obtained before the save are the ones that are saved")
    func obtainedBefore() throws {
        let stack = try WarehouseStack()
        let author = stack.context.make("Author", ["name": "Ursula"])
        try stack.context.obtainPermanentIDs(for: [author])
        let id = author.objectID
        #expect(!id.isTemporaryID)
        #expect(stack.warehouse.records.isEmpty)
        _ = stack.warehouse.takeRequests()
        try stack.context.save()
        #expect(stack.warehouse.takeRequests() == ["save +1 ~0 -0 =0"])
        #expect(stack.warehouse.records[stack.store.key(id)] != nil)
        #expect(author.objectID == id)
    }

    @Test("A failed save leaves context and IDs as they were, and can be tried again")
    func failedSave() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        let (context, warehouse) = (stack.context, stack.warehouse)
        let books = try context.all("Book", sort: "title")
        let genre = context.make("Genre", ["name": "SF"])
        books[1].setValue("Changed", forKey: "title")
        context.delete(books[0])
        warehouse.behaviour.saveFailure = WarehouseStore.Failure()
        _ = warehouse.takeRequests()
        #expect(throws: WarehouseStore.Failure.self) { try context.save() }
        #expect(warehouse.takeRequests() == ["obtainPermanentIDs 1", "save +1 ~1 -1 =0"])
        #expect(genre.objectID.isTemporaryID)
        #expect(context.insertedObjects == [genre] && context.deletedObjects == [books[0]])
        #expect(books[1].text("title") == "Changed")
        #expect(warehouse.records.count == 4)
        warehouse.behaviour.saveFailure = nil
        try context.save()
        #expect(warehouse.takeRequests() == ["obtainPermanentIDs 1", "save +1 ~1 -1 =0"])
        #expect(warehouse.records.count == 4)
        let other = stack.otherContext()
        #expect(try other.all("Book", sort: "title").map { $0.text("title") } == ["Changed", "Tehanu"])
    }

    @Test("Metadata that was set is saved by an empty request, or along with objects")
    func metadata() throws {
        let stack = try WarehouseStack()
        try stack.context.save()
        _ = stack.warehouse.takeRequests()
        stack.coordinator.setMetadata(["Owner": "me"], for: stack.store)
        try stack.context.save()
        #expect(stack.warehouse.takeRequests() == ["save metadata"])
        #expect(stack.warehouse.behaviour.metadata?["Owner"] as? String == "me")
        stack.coordinator.setMetadata(["Owner": "you"], for: stack.store)
        stack.context.make("Genre", ["name": "SF"])
        try stack.context.save()
        #expect(stack.warehouse.takeRequests() == ["obtainPermanentIDs 1", "save +1 ~0 -0 =0"])
        #expect(stack.warehouse.behaviour.metadata?["Owner"] as? String == "you")
        #expect(try WarehouseStack(stack.warehouse).store.identifier == stack.store.identifier)
    }

    @Test("Removal: the store hears it with its coordinator, once")
    func removal() throws {
        let stack = try WarehouseStack()
        _ = stack.warehouse.takeRequests()
        try stack.coordinator.remove(stack.store)
        #expect(stack.warehouse.takeRequests() == ["willRemove"])
    }

    @Test("The end of the coordinator: the store hears it without one")
    func deallocation() throws {
        let warehouse = Warehouse()
        do {
            WarehouseStore.register()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try WarehouseStack.model())
            try coordinator.addPersistentStore(
                ofType: WarehouseStore.storeType, configurationName: nil, at: warehouse.url)
            _ = warehouse.takeRequests()
        }
        #expect(warehouse.takeRequests() == ["willRemove(from: nil)"])
    }
}
