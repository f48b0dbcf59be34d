/// One step of undo or redo: actions in the order in which they were registered.
final class UndoGroup {
    enum Entry {
        case action(UndoAction)
        case group(UndoGroup)
    }

    var entries: [Entry] = []
    var name = ""
    var isDiscardable = false
    var userInfo: [UndoManager.UserInfoKey: Any] = [:]

    /// Takes out what concerns a target, and nested groups that are empty then.
    func removeActions(withTarget target: AnyObject) {
        entries.removeAll { entry in
            switch entry {
            case .action(let action):
                return action.target === target
            case .group(let group):
                group.removeActions(withTarget: target)
                return group.entries.isEmpty
            }
        }
    }

    /// Runs the actions, the last one first.
    func perform() {
        for entry in entries.reversed() {
            switch entry {
            case .action(let action): action.perform()
            case .group(let group): group.perform()
            }
        }
    }
}

/// What brings one change back. The target isn't retained; when it is gone, the action does nothing.
struct UndoAction {
    weak var target: AnyObject?
    private let handler: (AnyObject) -> Void

    init<Target: AnyObject>(target: Target, handler: @escaping (Target) -> Void) {
        self.target = target
        self.handler = { handler(unsafeDowncast($0, to: Target.self)) }
    }

    func perform() {
        if let target {
            handler(target)
        }
    }
}
