import CoreData
import Foundation
import Testing

@Suite("The framework's own properties can be observed by their key paths")
@MainActor
struct FrameworkStateTests {
    @Test("hasChanges of a context and of an object is told of when it changes, with the values")
    func hasChanges() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        let book = context.makeBook("a")
        try context.save()
        var told: [[Bool?]] = []
        var times = 0
        let tokens = [
            context.observe(\.hasChanges, options: [.old, .new]) { told.append([$1.oldValue, $1.newValue]) },
            book.observe(\.hasChanges) { object, _ in times += object === book ? 1 : 0 },
        ]
        book.setValue("b", forKey: "title")
        context.processPendingChanges()
        try context.save()
        book.setValue("c", forKey: "title")
        context.processPendingChanges()
        context.rollback()
        #expect(told == [[false, true], [true, false], [false, true], [true, false]])
        #expect(times == 4)
        for token in tokens { token.invalidate() }
        book.setValue("d", forKey: "title")
        context.processPendingChanges()
        #expect(times == 4)
    }

    @Test("An undo manager tells whether it can undo, and a coordinator which stores it has")
    func others() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        let manager = context.undoing()
        var canUndo: [Bool] = []
        let undoing = manager.observe(\.canUndo) { manager, _ in canUndo.append(manager.canUndo) }
        context.step { context.makeBook("a") }
        manager.undo()
        #expect(canUndo == [true, false])
        undoing.invalidate()

        let coordinator = stack.container.persistentStoreCoordinator
        var counts: [Int] = []
        let stores = coordinator.observe(\.persistentStores) { coordinator, _ in
            counts.append(coordinator.persistentStores.count)
        }
        let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try coordinator.remove(store)
        #expect(counts == [2, 1])
        stores.invalidate()
    }

    @Test("A property of a subclass has the name that the property of its superclass has")
    func subclass() throws {
        final class Manager: NSMigrationManager, @unchecked Sendable {}
        let model = try Library.model()
        let manager = Manager(sourceModel: model, destinationModel: model)
        var times = 0
        let token = manager.observe(\.migrationProgress) { _, _ in times += 1 }
        manager.willChangeValue(forKey: "migrationProgress")
        manager.didChangeValue(forKey: "migrationProgress")
        #expect(times == 1)
        token.invalidate()
    }
}
