import CoreData

/// By which way the edits of a program come into the store.
enum SaveWay: CaseIterable {
    /// One context of the coordinator, which the others are compared with.
    case plain
    case pinned, undone, obtained, savedAs, twoStores
    /// Children of contexts that hold all objects themselves, as read at the same time.
    case heldChild, heldGrandchild, heldAtEachStep, heldUndone
    /// Children of contexts that read an object when a child saves it.
    case child, grandchild, childAtEachStep, undoneChild

    /// How many contexts are between the one that is edited and the coordinator.
    var depth: Int {
        switch self {
        case .plain, .pinned, .undone, .obtained, .savedAs, .twoStores: 0
        case .heldGrandchild, .grandchild: 2
        default: 1
        }
    }

    var isHeld: Bool { [.heldChild, .heldGrandchild, .heldAtEachStep, .heldUndone].contains(self) }
    var savesAtEachStep: Bool { [.heldAtEachStep, .childAtEachStep].contains(self) }
    /// Whether all edits are undone and redone before they are saved.
    var isUndone: Bool { [.undone, .heldUndone, .undoneChild].contains(self) }
    /// Whether a context above reads relationships later than the plain one does, so that the outcome may be another one where
    /// others have saved relationships or deletions in between.
    var readsLater: Bool { depth > 0 && !isHeld }

    func isPossible(_ type: String) -> Bool { self != .pinned || type == NSSQLiteStoreType }
}
