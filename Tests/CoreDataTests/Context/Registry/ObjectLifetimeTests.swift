import CoreData
import Foundation
import Testing

/// Objects keep what they need to say what they are, whoever else has let go of it.
@Suite struct ObjectLifetimeTests {
    private static func model() -> NSManagedObjectModel {
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        let entity = NSEntityDescription()
        entity.name = "Person"
        entity.managedObjectClassName = "NSManagedObject"
        entity.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private static func container() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Lifetimes", managedObjectModel: model())
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    @Test func anObjectOfAModelThatNoCoordinatorHoldsWorksAlone() {
        let object: NSManagedObject
        do {
            let model = Self.model()
            object = NSManagedObject(entity: model.entities[0], insertInto: nil)
        }
        object.setValue("Anna", forKey: "name")
        #expect(object.value(forKey: "name") as? String == "Anna")
        #expect(object.entity.name == "Person")
        #expect(object.entity.managedObjectModel.entities.count == 1)
        #expect(object.managedObjectContext == nil)
    }

    @Test func objectsOfOneModelMayBeMadeAndDroppedOnSeveralThreadsAtOnce() {
        for _ in 0..<20 {
            let model = Self.model()
            nonisolated(unsafe) let entity = model.entities[0]
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                for turn in 0..<50 {
                    let object = NSManagedObject(entity: entity, insertInto: nil)
                    object.setValue("\(thread) \(turn)", forKey: "name")
                    #expect(object.value(forKey: "name") as? String == "\(thread) \(turn)")
                }
            }
            withExtendedLifetime(model) {}
        }
    }

    @Test func anObjectOfAnEqualModelKeepsItsOwnWhenItIsInserted() throws {
        let context = try Self.container().newBackgroundContext()
        let object = context.performAndWait {
            let model = Self.model()
            let object = NSManagedObject(entity: model.entities[0], insertInto: nil)
            context.insert(object)
            object.setValue("Anna", forKey: "name")
            return object
        }
        try context.performAndWait {
            try context.save()
            #expect(object.objectID.entity.name == "Person")
            #expect(object.value(forKey: "name") as? String == "Anna")
        }
    }

    @Test func anObjectMayBeAskedForItsContextWhileThatGoes() throws {
        let container = try Self.container()
        for _ in 0..<200 {
            nonisolated(unsafe) var context: NSManagedObjectContext? = container.newBackgroundContext()
            nonisolated(unsafe) let object = context!.performAndWait {
                NSManagedObject(entity: container.managedObjectModel.entities[0], insertInto: context)
            }
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 {
                    context = nil
                } else {
                    for _ in 0..<20 { _ = object.managedObjectContext?.concurrencyType }
                }
            }
            #expect(object.managedObjectContext == nil)
        }
    }
}
