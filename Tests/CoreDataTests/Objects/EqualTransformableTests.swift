import CoreData
import Foundation
import Testing

@Suite("Transformable values that are equal, whichever bytes their archives have")
@MainActor
struct EqualTransformableTests {
    private let context: NSManagedObjectContext
    private let entity: NSEntityDescription

    init() throws {
        entity = NSEntityDescription()
        entity.name = "Note"
        let tags = NSAttributeDescription()
        (tags.name, tags.attributeType, tags.isOptional) = ("tags", .transformableAttributeType, true)
        let title = NSAttributeDescription()
        (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
        entity.properties = [tags, title]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    private static func values() -> [NSObject] {
        [
            NSSet(array: ["q"]), NSSet(array: ["q", "r", "s"]), ["x": 1, "y": 2] as NSDictionary, ["q"] as NSArray,
            NSDate(timeIntervalSinceReferenceDate: 1),
        ]
    }

    private func note(_ value: Any? = nil) throws -> NSManagedObject {
        let note = NSManagedObject(entity: entity, insertInto: context)
        note.setValue(value, forKey: "tags")
        try context.save()
        return note
    }

    @Test("are no conflict for a child where the parent has set them")
    func parents() throws {
        for value in Self.values() {
            for _ in 0..<20 {
                let parents = try note()
                parents.setValue(value, forKey: "tags")
                let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
                child.parent = context
                let childs = child.object(with: parents.objectID)
                #expect(childs.value(forKey: "tags") as? NSObject == value)
                childs.setValue(["other"] as NSArray, forKey: "tags")
                try child.save()
                #expect(parents.value(forKey: "tags") as? NSArray == ["other"])
                context.rollback()
            }
        }
    }

    @Test("are not written when they are set again, and are no conflict with another context's save")
    func setAgain() throws {
        for (value, same) in zip(Self.values(), Self.values()) {
            for _ in 0..<20 {
                let mine = try note(value)
                mine.setValue(same, forKey: "tags")
                #expect(!mine.hasPersistentChangedValues && mine.changedValues().isEmpty)
                let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
                other.persistentStoreCoordinator = context.persistentStoreCoordinator
                let theirs = other.object(with: mine.objectID)
                theirs.setValue("B", forKey: "title")
                try context.save()
                try other.save()
            }
        }
    }

    @Test("that differ are written")
    func different() throws {
        let note = try note(["x": 1] as NSDictionary)
        note.setValue(["x": 2] as NSDictionary, forKey: "tags")
        #expect(note.hasPersistentChangedValues)
        try context.save()
        context.refreshAllObjects()
        #expect(note.value(forKey: "tags") as? NSDictionary == ["x": 2])
    }
}
