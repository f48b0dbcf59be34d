import Foundation

extension UndoManager {
    /// A name for something that a program attaches to a step of undo.
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
        /// The key as a string.
        public let rawValue: String

        /// Makes a key of a string.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    var nextUndo: UndoGroup? {
        phase == .recording ? openGroups.first ?? undoStack.last : undoStack.last
    }

    var current: UndoGroup? {
        openGroups.first ?? undoStack.last
    }
}
