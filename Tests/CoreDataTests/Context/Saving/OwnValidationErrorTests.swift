import CoreData
import Foundation
import Testing

private enum Refusal: Error, Equatable { case tooLong, empty }

private final class RefusingNote: NSManagedObject {
    override func validateForInsert() throws {
        try super.validateForInsert()
        if value(forKey: "title") as? String == "" { throw Refusal.empty }
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        if value(forKey: "title") as? String == "long" { throw Refusal.tooLong }
    }
}

/// As tests have it that check whether a program saves where there is something to save.
private final class ChangedContext: NSManagedObjectContext, @unchecked Sendable {
    override var hasChanges: Bool { true }
}

@Suite("A program's own errors and doubles while saving")
@MainActor
struct OwnValidationErrorTests {
    private func stack() throws -> (NSManagedObjectContext, NSEntityDescription) {
        let entity = NSEntityDescription()
        entity.name = "Note"
        entity.managedObjectClassName = NSStringFromClass(RefusingNote.self)
        let title = NSAttributeDescription()
        (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
        entity.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (context, entity)
    }

    @Test("An error that validation throws for one object comes out of save() as it is")
    func one() throws {
        let (context, entity) = try stack()
        let note = NSEntityDescription.insertNewObject(forEntityName: entity.name!, into: context)
        note.setValue("", forKey: "title")
        #expect(throws: Refusal.empty) { try context.save() }
        note.setValue("short", forKey: "title")
        try context.save()
        note.setValue("long", forKey: "title")
        #expect(throws: Refusal.tooLong) { try context.save() }
    }

    @Test("Those of several objects come as one error that lists them")
    func several() throws {
        let (context, entity) = try stack()
        for _ in 0..<2 {
            NSEntityDescription.insertNewObject(forEntityName: entity.name!, into: context).setValue(
                "", forKey: "title")
        }
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSValidationMultipleErrorsError)
        #expect((error?.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 2)
    }

    @Test("A subclass that always has changes gets its coordinator, fetches and saves")
    func double() throws {
        let (context, _) = try stack()
        let double = ChangedContext(concurrencyType: .mainQueueConcurrencyType)
        double.persistentStoreCoordinator = context.persistentStoreCoordinator
        #expect(try double.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 0)
        try double.save()
    }
}
