import CoreData
import Foundation
import Testing

@Suite("A main-queue context processes its changes at the end of the run loop's turn")
struct EndOfTurnTests {
    @MainActor
    @Test("Changes are told without a save or a fetch")
    func changesAreTold() async throws {
        let stack = try TemporaryStack()
        let context = stack.container.viewContext
        try await confirmation(expectedCount: 1) { confirmed in
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { _ in confirmed() }
            defer { NotificationCenter.default.removeObserver(token) }
            context.makeBook("One")
            context.makeBook("Two")
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    @MainActor
    @Test("Undo groups are made of events")
    func undoGroups() async throws {
        let stack = try TemporaryStack()
        let context = stack.container.viewContext
        context.undoManager = UndoManager()
        let book = context.makeBook("One")
        try await Task.sleep(for: .milliseconds(200))
        book.setValue("Two", forKey: "title")
        try await Task.sleep(for: .milliseconds(200))
        context.undoManager?.undo()
        #expect(book.value(forKey: "title") as? String == "One")
        #expect(context.insertedObjects == [book])
    }
}
