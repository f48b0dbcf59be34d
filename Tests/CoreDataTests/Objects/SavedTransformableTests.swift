import CoreData
import Foundation
import Testing

@Suite("The value of a transformable attribute after a save")
@MainActor
struct SavedTransformableTests {
    /// Archives texts in lower case, so that what was set and what is read can be told apart.
    private final class LowerCaseTransformer: ValueTransformer {
        override class func transformedValueClass() -> AnyClass { NSData.self }
        override class func allowsReverseTransformation() -> Bool { true }
        override func transformedValue(_ value: Any?) -> Any? {
            (value as? NSString).map { Data($0.lowercased.utf8) }
        }
        override func reverseTransformedValue(_ value: Any?) -> Any? {
            (value as? Data).map { NSString(string: String(decoding: $0, as: UTF8.self)) }
        }
    }

    private let entity: NSEntityDescription
    private let coordinator: NSPersistentStoreCoordinator
    private let context: NSManagedObjectContext

    init() throws {
        ValueTransformer.setValueTransformer(
            LowerCaseTransformer(), forName: NSValueTransformerName("SavedTransformableTests"))
        let model = CodedModel.model("Note", "text", .transformableAttributeType, text: "title")
        entity = model.entities[0]
        entity.attributesByName["text"]?.valueTransformerName = "SavedTransformableTests"
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    private func withStore(_ type: String, _ body: () throws -> Void) throws {
        let folder = try TemporaryFolder()
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: folder.url.appendingPathComponent("Notes"), options: nil)
        try body()
        try coordinator.remove(store)
    }

    @Test(
        "is the object that was set, until the object is refreshed",
        arguments: [NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType])
    func identity(type: String) throws {
        try withStore(type) {
            let first = NSString(string: "ABC")
            let note = NSManagedObject(entity: entity, insertInto: context)
            note.setValue(first, forKey: "text")
            try context.save()
            #expect(note.value(forKey: "text") as AnyObject === first)
            let second = NSString(string: "DEF")
            note.setValue(second, forKey: "text")
            try context.save()
            note.setValue("T", forKey: "title")
            try context.save()
            #expect(note.value(forKey: "text") as AnyObject === second)
            #expect(note.committedValues(forKeys: ["text"])["text"] as? NSString == "def")
            context.refresh(note, mergeChanges: false)
            #expect(note.value(forKey: "text") as? NSString == "def")
        }
    }

    @Test("is another context's once that has saved and was merged")
    func merged() throws {
        try withStore(NSSQLiteStoreType) {
            let context = context
            let note = NSManagedObject(entity: entity, insertInto: context)
            note.setValue(NSString(string: "ABC"), forKey: "text")
            try context.save()
            let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            other.persistentStoreCoordinator = coordinator
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: other, queue: nil
            ) { notification in
                context.mergeChanges(fromContextDidSave: notification)
            }
            defer { NotificationCenter.default.removeObserver(token) }
            other.object(with: note.objectID).setValue(NSString(string: "XYZ"), forKey: "text")
            try other.save()
            #expect(note.value(forKey: "text") as? NSString == "xyz")
        }
    }

    @Test("is taken back by undo")
    func undone() throws {
        try withStore(NSSQLiteStoreType) {
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            manager.beginUndoGrouping()
            let note = NSManagedObject(entity: entity, insertInto: context)
            note.setValue(NSString(string: "one"), forKey: "text")
            manager.endUndoGrouping()
            try context.save()
            manager.beginUndoGrouping()
            note.setValue(NSString(string: "TWO"), forKey: "text")
            manager.endUndoGrouping()
            try context.save()
            manager.undo()
            #expect(note.value(forKey: "text") as? NSString == "one")
            try context.save()
            manager.redo()
            #expect((note.value(forKey: "text") as? NSString)?.lowercased == "two")
        }
    }

    @Test("that a child has saved is the parent's, as the child's object has it")
    func child() throws {
        try withStore(NSSQLiteStoreType) {
            let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            child.parent = context
            let value = NSString(string: "ABC")
            let note = NSManagedObject(entity: entity, insertInto: child)
            note.setValue(value, forKey: "text")
            try child.save()
            #expect(note.value(forKey: "text") as AnyObject === value)
            let parents = try #require(context.insertedObjects.first)
            #expect(parents.value(forKey: "text") as? NSString == "ABC")
            try context.save()
            #expect(parents.value(forKey: "text") as? NSString == "ABC")
        }
    }
}
