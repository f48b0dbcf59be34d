import Foundation

extension NSNotification.Name {
    /// Posted before a nested group opens, before a group closes and when `canRedo` is asked: what is pending should
    /// be registered now.
    public static let NSUndoManagerCheckpoint = NSNotification.Name("NSUndoManagerCheckpointNotification")
    /// Posted before an undo.
    public static let NSUndoManagerWillUndoChange = NSNotification.Name("NSUndoManagerWillUndoChangeNotification")
    /// Posted before a redo.
    public static let NSUndoManagerWillRedoChange = NSNotification.Name("NSUndoManagerWillRedoChangeNotification")
    /// Posted after an undo.
    public static let NSUndoManagerDidUndoChange = NSNotification.Name("NSUndoManagerDidUndoChangeNotification")
    /// Posted after a redo.
    public static let NSUndoManagerDidRedoChange = NSNotification.Name("NSUndoManagerDidRedoChangeNotification")
    /// Posted after a group opened.
    public static let NSUndoManagerDidOpenUndoGroup = NSNotification.Name("NSUndoManagerDidOpenUndoGroupNotification")
    /// Posted before a group closes; the user info says under `NSUndoManagerGroupIsDiscardableKey` whether it may be
    /// lost.
    public static let NSUndoManagerWillCloseUndoGroup =
        NSNotification.Name("NSUndoManagerWillCloseUndoGroupNotification")
    /// Posted after a group closed.
    public static let NSUndoManagerDidCloseUndoGroup =
        NSNotification.Name("NSUndoManagerDidCloseUndoGroupNotification")
}

/// The key of the user info of `NSUndoManagerWillCloseUndoGroup` that says whether the group is discardable.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// Where in the run loop's order Apple's undo manager closes the group of an event.
public let NSUndoCloseGroupingRunLoopOrdering = 350_000
