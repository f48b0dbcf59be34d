import CoreData
import Testing

@Suite("A coordinator tells of its stores")
struct CoordinatorNotificationTests {
    /// The notifications that a coordinator posts meanwhile: name, and the types of the stores that came and went.
    private func notifications(
        of coordinator: NSPersistentStoreCoordinator, _ body: () throws -> Void
    ) rethrows -> [String] {
        nonisolated(unsafe) var found: [String] = []
        let names: [(Notification.Name, String)] = [
            (.NSPersistentStoreCoordinatorStoresWillChange, "will change"),
            (.NSPersistentStoreCoordinatorWillRemoveStore, "will remove"),
            (.NSPersistentStoreCoordinatorStoresDidChange, "did change"),
        ]
        let tokens = names.map { name, text in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                let going = notification.object as? NSPersistentStore
                guard
                    notification.object as? NSObject === coordinator
                        || going?.persistentStoreCoordinator === coordinator
                else { return }
                let added = notification.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore] ?? []
                let removed =
                    notification.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]
                    ?? [going].compactMap { $0 }
                found.append("\(text) +\(added.map(\.type)) -\(removed.map(\.type))")
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        try body()
        return found
    }

    @Test("before one is removed, and after one is added or removed, with the stores in the user info")
    func stores() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Library.model(for: NSInMemoryStoreType))
        var store: NSPersistentStore?
        let adding = try notifications(of: coordinator) {
            store = try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        }
        #expect(adding == [#"did change +["InMemory"] -[]"#])
        let removing = try notifications(of: coordinator) { try coordinator.remove(try #require(store)) }
        #expect(
            removing == [
                #"will remove +[] -["InMemory"]"#, #"did change +[] -["InMemory"]"#,
            ])
    }

    @Test("Metadata can be set on disk by type, and the model read that a store carries")
    func metadata() throws {
        let stack = try TemporaryStack()
        let coordinator = stack.container.persistentStoreCoordinator
        try coordinator.remove(try #require(coordinator.persistentStores.first))
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stack.storeURL)
        metadata["note"] = "mine"
        try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: stack.storeURL)
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: stack.storeURL)
        #expect(read["note"] as? String == "mine")
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: stack.storeURL)
        #expect(Set(model.entitiesByName.keys) == Set(coordinator.managedObjectModel.entitiesByName.keys))
    }
}

@Suite("Names for code as it is written for Apple's platforms")
struct LegacyNameTests {
    @Test("Merge policies under their old names are the same objects")
    func policies() {
        let names: [AnyObject] = [
            NSErrorMergePolicy, NSMergeByPropertyStoreTrumpMergePolicy, NSMergeByPropertyObjectTrumpMergePolicy,
            NSOverwriteMergePolicy, NSRollbackMergePolicy,
        ]
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        #expect(names.map { ObjectIdentifier($0) } == policies.map { ObjectIdentifier($0) })
    }

    @Test("A caught CocoaError says object, key, value and conflicts under its properties")
    func cocoaError() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        let book = context.makeBook("Orlando")
        book.setValue(-1, forKey: "pages")
        do {
            try context.save()
            Issue.record("the save went through")
        } catch let error as CocoaError {
            #expect(error.validationObject as? NSManagedObject === book)
            #expect(error.validationKey == "pages")
            #expect(error.validationValue as? Int == -1)
            #expect(error.persistentStoreSaveConflicts == nil)
        }
    }

    @Test("Managed objects can be told to be Identifiable, with an ID that is the object's")
    func identifiable() throws {
        let context = try TemporaryStack().context()
        let book = IdentifiableBook(
            entity: try #require(NSEntityDescription.entity(forEntityName: "Book", in: context)), insertInto: nil)
        #expect(book.id == ObjectIdentifier(book))
    }
}

private final class IdentifiableBook: NSManagedObject {}

/// As generated code has it.
extension IdentifiableBook: Identifiable {}
