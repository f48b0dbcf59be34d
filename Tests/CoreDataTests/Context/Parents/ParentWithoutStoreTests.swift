import CoreData
import Foundation
import Testing

@Suite("A child of a context without a coordinator")
struct ParentWithoutStoreTests {
    private static func coordinator() throws -> NSPersistentStoreCoordinator {
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.isOptional = true
        let note = NSEntityDescription()
        note.name = "Note"
        note.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [note]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        return coordinator
    }

    @Test("has its parent, no coordinator, and can neither fetch nor save")
    func waiting() throws {
        let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        #expect(child.parent === parent)
        #expect(child.persistentStoreCoordinator == nil)
        #expect(!child.hasChanges)
        try child.performAndWait { try child.save() }
        let entity = try Self.coordinator().managedObjectModel.entitiesByName["Note"]!
        child.performAndWait { _ = NSManagedObject(entity: entity, insertInto: child) }
        #expect(throws: (any Error).self) { try child.performAndWait { try child.save() } }
        #expect(throws: (any Error).self) {
            try child.performAndWait { try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) }
        }
        child.parent = nil
        #expect(child.parent == nil)
    }

    @Test("works once its parent gets one, and so do its own children")
    func joining() throws {
        let coordinator = try Self.coordinator()
        let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        grandchild.parent = child
        child.parent = parent
        parent.persistentStoreCoordinator = coordinator
        #expect(grandchild.persistentStoreCoordinator === coordinator)
        try grandchild.performAndWait {
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: grandchild)
            note.setValue("a", forKey: "name")
            try grandchild.save()
        }
        try child.performAndWait { try child.save() }
        let names = try parent.performAndWait {
            try parent.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).map {
                $0.value(forKey: "name") as? String
            }
        }
        #expect(names == ["a"])
    }

    @Test("belongs to another parent that it is given before")
    func changedParent() throws {
        let first = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let second = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = first
        second.persistentStoreCoordinator = try Self.coordinator()
        child.parent = second
        first.persistentStoreCoordinator = try Self.coordinator()
        #expect(child.parent === second)
        #expect(child.persistentStoreCoordinator === second.persistentStoreCoordinator)
    }
}
