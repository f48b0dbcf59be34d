import Foundation
import FoundationCompat

@_exported import class FoundationCompat.UndoManager

extension NSManagedObjectContext {
    func undoLastGroup() {
        checkQueue("undo()")
        processPendingChanges()
        undoManager?.undo()
    }

    func redoLastGroup() {
        checkQueue("redo()")
        processPendingChanges()
        undoManager?.redo()
    }

    /// Registers what hasn't been processed yet wherever the manager says that this is to be done: before a group closes or a
    /// nested one opens, and before an undo or a redo.
    func followCheckpoints(of manager: UndoManager?) {
        checkpointObserver = manager.map { CheckpointObserver(of: $0, for: self) }
    }

    /// Registers the event that is just ending with the undo manager.
    func registerUndo(of objects: ContiguousArray<NSManagedObject>) {
        guard let undoManager, undoManager.isUndoRegistrationEnabled, let event = UndoableEvent(objects) else { return }
        undoManager.registerUndo(withTarget: self) { context in
            event.undo(in: context)
            context.processPendingChanges()
        }
    }
}

// Safe: it is constant once it is made.
/// Notifies a context of its undo manager's checkpoints (Apple: NSUndoManagerCheckpoint).
final class CheckpointObserver: @unchecked Sendable {
    private let context: BackReference<NSManagedObjectContext>
    private var token: (any NSObjectProtocol)?

    init(of manager: UndoManager, for context: NSManagedObjectContext) {
        self.context = context.reference
        token = NotificationCenter.default.addObserver(forName: .NSUndoManagerCheckpoint, object: manager, queue: nil) {
            [weak self] _ in self?.checkpoint()
        }
    }

    deinit { token.map { NotificationCenter.default.removeObserver($0) } }

    private func checkpoint() {
        // The context's objects mustn't be used on another queue.
        guard let context = context.target, context.queue.isCurrent else { return }
        // It may take back what can be undone.
        context.adoptPermanentIdentities()
        if context.eventObjects.isEmpty { return }
        // A manager that wants every group to be opened by hand takes no changes between two of them.
        guard let manager = context.undoManager, manager.groupsByEvent || manager.groupingLevel > 0 else { return }
        context.processPendingChanges()
    }
}
