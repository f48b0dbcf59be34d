import CoreData
import Foundation
import Testing

private final class OwnContext: NSManagedObjectContext, @unchecked Sendable {}

private final class OwnManager: NSMigrationManager {}

/// A property of which nobody tells, and that no generated code has named.
private final class Untold: NSObject {
    var stored = 1
    var computed: Int { stored * 2 }
}

@Suite("Properties of the framework's own classes can be observed") struct FrameworkPropertyTests {
    @Test("A context tells whether it has changes, when it has processed some, saved, or taken them back")
    func contexts() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        var told: [Bool] = []
        var sets: [Int] = []
        let observations = [
            context.observe(\.hasChanges, options: [.initial, .new]) { _, change in
                told.append(change.newValue ?? false)
            },
            context.observe(\.insertedObjects) { context, _ in sets.append(context.insertedObjects.count) },
        ]
        context.makeBook("One")
        context.processPendingChanges()
        #expect(told == [false, true])
        try context.save()
        #expect(told == [false, true, false])
        context.makeBook("Two")
        context.processPendingChanges()
        context.rollback()
        #expect(told == [false, true, false, true, false])
        #expect(sets == [1, 0, 1, 0])
        for observation in observations { observation.invalidate() }
        context.makeBook("Three")
        context.processPendingChanges()
        #expect(told.count == 5)
    }

    @Test("Contexts of subclasses do, too")
    func subclass() throws {
        let stack = try TemporaryStack()
        let context = OwnContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        var told = 0
        let observation = context.observe(\.hasChanges) { _, _ in told += 1 }
        context.makeBook("One")
        context.processPendingChanges()
        observation.invalidate()
        #expect(told == 1)
    }

    @Test("Objects tell of what they have beside the model, which has names for sort descriptors and expressions")
    func objects() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        let book = context.makeBook("One")
        var told: [Bool] = []
        let observation = book.observe(\.isInserted, options: [.initial, .new]) { _, change in
            told.append(change.newValue ?? false)
        }
        try context.save()
        observation.invalidate()
        #expect(told == [true, false])
        #expect(NSExpression(forKeyPath: \NSManagedObject.objectID).keyPath == "objectID")
        #expect(NSSortDescriptor(keyPath: \NSManagedObject.isInserted, ascending: true).key == "isInserted")
    }

    @Test("Objects of subclasses do, too")
    func objectsOfSubclasses() throws {
        let stack = try Office.stack()
        let context = stack.context()
        let clerk = Clerk(context: context)
        try context.save()
        var told: [Bool] = []
        let observation = clerk.observe(\.hasChanges) { clerk, _ in told.append(clerk.hasChanges) }
        clerk.name = "Anna"
        context.processPendingChanges()
        try context.save()
        observation.invalidate()
        #expect(told == [true, false])
    }

    @Test("A coordinator tells of its stores, an undo manager of what it can undo")
    func others() throws {
        let stack = try TemporaryStack()
        let coordinator = stack.container.persistentStoreCoordinator
        var counts: [Int] = []
        let stores = coordinator.observe(\.persistentStores) { coordinator, _ in
            counts.append(coordinator.persistentStores.count)
        }
        try coordinator.remove(coordinator.persistentStores[0])
        stores.invalidate()
        #expect(counts == [0])
        let manager = UndoManager()
        manager.groupsByEvent = false
        var can: [Bool] = []
        let undo = manager.observe(\.canUndo) { manager, _ in can.append(manager.canUndo) }
        manager.beginUndoGrouping()
        manager.registerUndo(withTarget: manager) { _ in }
        manager.endUndoGrouping()
        manager.undo()
        undo.invalidate()
        #expect(can.last == false && can.contains(true))
    }

    @Test("A subclass of the migration manager tells of its progress by the name that the class's has")
    func managers() throws {
        let model = NSManagedObjectModel()
        let manager = OwnManager(sourceModel: model, destinationModel: model)
        #expect(KeyPathNames.name(of: \OwnManager.migrationProgress) == "migrationProgress")
        _ = manager.observe(\.migrationProgress) { _, _ in }
    }

    @Test("Observing a property that nothing names gives the initial value, and stops no program")
    func untold() {
        let object = Untold()
        var values: [Int] = []
        let observation = object.observe(\.computed, options: [.initial, .new]) { _, change in
            values.append(change.newValue ?? 0)
        }
        observation.invalidate()
        #expect(values == [2])
    }

    @Test("A class has a name with its module")
    func description() {
        #expect(NSManagedObject.description() == "NSManagedObject")
        #expect(Speaker.description() == "CoreDataTests.Speaker")
        let object: NSManagedObject.Type = Speaker.self
        #expect(object.description() == NSStringFromClass(Speaker.self))
    }
}
