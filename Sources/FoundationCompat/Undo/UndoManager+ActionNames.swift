import Foundation

extension UndoManager {
    /// A name for something that a program attaches to a step of undo.
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// How many top-level groups can be undone.
    public var undoCount: Int {
        undoStack.count + (openGroups.contains { !$0.entries.isEmpty } ? 1 : 0)
    }

    /// How many top-level groups can be redone.
    public var redoCount: Int {
        redoStack.count
    }

    /// The name of what `undo()` would undo; empty where it has none.
    public var undoActionName: String {
        nextUndo?.name ?? ""
    }

    /// The name of what `redo()` would redo; empty where it has none.
    public var redoActionName: String {
        redoStack.last?.name ?? ""
    }

    /// Names the step that is being recorded, or the last one.
    public func setActionName(_ actionName: String) {
        current?.name = actionName
    }

    /// Whether the step that is being recorded, or the last one, may be lost without asking the user.
    public func setActionIsDiscardable(_ discardable: Bool) {
        current?.isDiscardable = discardable
    }

    /// Whether what `undo()` would undo may be lost without asking the user.
    public var undoActionIsDiscardable: Bool {
        nextUndo?.isDiscardable ?? false
    }

    /// Whether what `redo()` would redo may be lost without asking the user.
    public var redoActionIsDiscardable: Bool {
        redoStack.last?.isDiscardable ?? false
    }

    /// Attaches a value to the step that is being recorded, or to the last one.
    public func setActionUserInfoValue(_ value: Any?, forKey key: UserInfoKey) {
        current?.userInfo[key] = value
    }

    /// A value that is attached to what `undo()` would undo.
    public func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
        nextUndo?.userInfo[key]
    }

    /// A value that is attached to what `redo()` would redo.
    public func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
        redoStack.last?.userInfo[key]
    }

    /// "Undo" and the name of what it would undo. English: Linux has no table of Apple's translations.
    public var undoMenuItemTitle: String {
        undoMenuTitle(forUndoActionName: undoActionName)
    }

    /// "Redo" and the name of what it would redo.
    public var redoMenuItemTitle: String {
        redoMenuTitle(forUndoActionName: redoActionName)
    }

    /// The title of a menu item that undoes an action of this name.
    public func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of a menu item that redoes an action of this name.
    public func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    private var nextUndo: UndoGroup? {
        phase == .recording ? openGroups.first ?? undoStack.last : undoStack.last
    }

    private var current: UndoGroup? {
        openGroups.first ?? undoStack.last
    }
}
