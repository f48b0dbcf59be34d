import CoreData
import Foundation
import Testing

@Suite("The undo manager's own methods take changes that nobody has processed")
@MainActor
struct CheckpointTests {
    private let stack: TemporaryStack
    private let context: NSManagedObjectContext
    private let manager = UndoManager()
    private let book: NSManagedObject

    init() throws {
        stack = try TemporaryStack()
        context = stack.container.viewContext
        book = context.makeBook("One")
        try context.save()
        context.undoManager = manager
    }

    private var title: String? { book.value(forKey: "title") as? String }

    @Test("undo() takes back what was changed since the last event")
    func undoOfPendingChanges() {
        book.setValue("Two", forKey: "title")
        manager.undo()
        #expect(title == "One")
        manager.redo()
        #expect(title == "Two")
    }

    @Test("The name of an action is that of what was just changed, in the same turn")
    func actionName() {
        book.setValue("Two", forKey: "title")
        manager.setActionName("Second")
        #expect(manager.undoActionName == "Second")
        manager.undo()
        #expect(title == "One")
        #expect(manager.redoActionName == "Second")
    }

    @Test("A group holds what was changed inside of it")
    func groups() {
        manager.groupsByEvent = false
        manager.beginUndoGrouping()
        book.setValue("Two", forKey: "title")
        manager.endUndoGrouping()
        manager.beginUndoGrouping()
        book.setValue("Three", forKey: "title")
        manager.endUndoGrouping()
        manager.undo()
        #expect(title == "Two")
        manager.undo()
        #expect(title == "One")
    }

    @Test("Editing in a group is cancelled by undoNestedGroup()")
    func cancelledEditing() {
        manager.beginUndoGrouping()
        book.setValue("Two", forKey: "title")
        let other = context.makeBook("Other")
        manager.endUndoGrouping()
        manager.undoNestedGroup()
        #expect(title == "One")
        #expect(other.managedObjectContext == nil)
    }

    @Test("A manager that has been replaced is followed no more")
    func replacedManagers() {
        context.undoManager = UndoManager()
        book.setValue("Two", forKey: "title")
        manager.undo()
        #expect(title == "Two")
        #expect(!manager.canRedo)
    }
}
