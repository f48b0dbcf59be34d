import Foundation

/// A recorder of the opposites of changes, so that they can be undone and redone. (Apple: UndoManager.)
///
/// Not thread-safe: use it where the objects are used that it is for. Targets aren't retained.
open class UndoManager: NSObject {
    enum Phase {
        case recording, undoing, redoing
    }

    var undoStack: [UndoGroup] = []
    var redoStack: [UndoGroup] = []
    /// The groups that are open, outermost first.
    var openGroups: [UndoGroup] = []
    private var disableCount = 0
    private(set) var phase = Phase.recording
    /// Whether the outermost open group was opened by a registration, to be closed at the end of the event.
    private var eventGroupIsOpen = false
    /// How many ends of events have been waited for.
    private var events = 0
    /// A name that was set before the change that it names; it is forgotten at the end of the event.
    private var awaitedName: String?

    // MARK: Settings

    /// How many top-level groups are kept; the oldest go first. 0 keeps all.
    open var levelsOfUndo = 0 {
        didSet { trimStacks() }
    }

    /// Whether a group opens by itself at the first registration and closes at the end of the run loop's turn.
    ///
    /// The run loop of the registering thread has to run for that; `undo()` closes the group as well.
    open var groupsByEvent = true

    /// The modes of the run loop in which a group closes at the end of the event.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    // MARK: Registering

    /// Whether registrations are recorded.
    open var isUndoRegistrationEnabled: Bool {
        disableCount == 0
    }

    /// Stops recording, until as many calls of `enableUndoRegistration()`.
    open func disableUndoRegistration() {
        disableCount += 1
    }

    /// Takes one `disableUndoRegistration()` back; one too many stops the program.
    open func enableUndoRegistration() {
        guard disableCount > 0 else {
            fatalError("enableUndoRegistration may only be invoked with matching call to disableUndoRegistration")
        }
        disableCount -= 1
    }

    /// Records what undoes a change that is being made to the target.
    ///
    /// While undoing it records for redo, and the other way round; otherwise it empties the redo stack. Without an
    /// open group it opens one where `groupsByEvent` is set and stops the program otherwise.
    open func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        if openGroups.isEmpty {
            guard groupsByEvent else {
                fatalError("registerUndo: must begin a group before registering undo")
            }
            beginUndoGrouping()
            eventGroupIsOpen = true
            scheduleEndOfEvent()
        }
        if phase == .recording {
            redoStack.removeAll()
        }
        openGroups[openGroups.count - 1].entries.append(.action(UndoAction(target: target, handler: handler)))
    }

    // MARK: Grouping

    /// How many groups are open, one inside the other.
    open var groupingLevel: Int {
        openGroups.count
    }

    /// Opens a group, inside the one that is open.
    open func beginUndoGrouping() {
        if !openGroups.isEmpty {
            post(.NSUndoManagerCheckpoint)
        }
        let group = UndoGroup()
        if openGroups.isEmpty, let name = awaitedName {
            group.name = name
            awaitedName = nil
        }
        openGroups.append(group)
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Closes the group that was opened last; a top-level group becomes one step of undo.
    open func endUndoGrouping() {
        guard let group = openGroups.last else {
            fatalError("endUndoGrouping called with no matching begin")
        }
        post(.NSUndoManagerCheckpoint)
        post(.NSUndoManagerWillCloseUndoGroup, [NSUndoManagerGroupIsDiscardableKey: group.isDiscardable])
        openGroups.removeLast()
        if let parent = openGroups.last {
            parent.entries.append(.group(group))
        } else {
            eventGroupIsOpen = false
            push(group)
        }
        post(.NSUndoManagerDidCloseUndoGroup)
    }

    private func push(_ group: UndoGroup) {
        if phase == .undoing {
            redoStack.append(group)
        } else {
            undoStack.append(group)
        }
        trimStacks()
    }

    private func trimStacks() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
        redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    // Safe: a weak reference, which the runtime guards; the run loop calls on the manager's own thread.
    private struct WeakManager: @unchecked Sendable {
        weak var manager: UndoManager?
    }

    private func scheduleEndOfEvent() {
        // The block runs on the thread that schedules it, where this object is used.
        let manager = WeakManager(manager: self)
        events += 1
        let event = events
        RunLoop.current.perform(inModes: runLoopModes) { manager.manager?.end(event) }
        // In a program with an asynchronous `main` nothing runs the main thread's run loop.
        guard MainQueue.isCurrent, runLoopModes.contains(.default) else { return }
        MainQueue.atEndOfTurn { manager.manager?.end(event) }
    }

    /// Closes the group of an event, unless that has been done.
    private func end(_ event: Int) {
        guard event == events else { return }
        awaitedName = nil
        endEvent()
    }

    /// Closes the group of the event, unless explicit groups are open in it: then the next turn tries again.
    private func endEvent() {
        guard eventGroupIsOpen else { return }
        if openGroups.count == 1 {
            endUndoGrouping()
        } else {
            scheduleEndOfEvent()
        }
    }

    // MARK: Undoing

    /// Whether there is something to undo.
    open var canUndo: Bool {
        !undoStack.isEmpty || openGroups.contains { !$0.entries.isEmpty }
    }

    /// Whether there is something to redo. Observers of the checkpoint may still register something that ends that.
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return !redoStack.isEmpty
    }

    /// Whether `undo()` is at work.
    open var isUndoing: Bool {
        phase == .undoing
    }

    /// Whether `redo()` is at work.
    open var isRedoing: Bool {
        phase == .redoing
    }

    /// Closes the open top-level group and undoes the last one.
    ///
    /// A nested group that is still open stops the program.
    open func undo() {
        // What is pending belongs to what is undone, even where it only opens the group now.
        if phase == .recording { post(.NSUndoManagerCheckpoint) }
        if openGroups.count == 1 {
            endUndoGrouping()
        }
        guard openGroups.isEmpty else {
            fatalError("undo: called with too many nested undo groups")
        }
        undoNestedGroup()
    }

    /// Undoes the last closed group, nested or not, as one step of redo.
    open func undoNestedGroup() {
        guard phase == .recording else {
            fatalError("undoNestedGroup: called while undoing or redoing")
        }
        post(.NSUndoManagerCheckpoint)
        let group: UndoGroup
        if let parent = openGroups.last {
            guard case .group(let nested) = parent.entries.last else { return }
            parent.entries.removeLast()
            group = nested
        } else {
            guard let last = undoStack.popLast() else { return }
            group = last
        }
        post(.NSUndoManagerWillUndoChange)
        perform(group, as: .undoing)
        post(.NSUndoManagerDidUndoChange)
    }

    /// Does again what was undone last.
    open func redo() {
        guard phase == .recording else {
            fatalError("redo: called while undoing or redoing")
        }
        post(.NSUndoManagerCheckpoint)
        guard let group = redoStack.popLast() else { return }
        post(.NSUndoManagerWillRedoChange)
        perform(group, as: .redoing)
        post(.NSUndoManagerDidRedoChange)
    }

    /// Runs a group, gathering what it registers as one group with its name on the other stack.
    private func perform(_ group: UndoGroup, as newPhase: Phase) {
        let outerGroups = openGroups
        let opposite = UndoGroup()
        opposite.name = group.name
        opposite.isDiscardable = group.isDiscardable
        opposite.userInfo = group.userInfo
        openGroups = [opposite]
        phase = newPhase
        group.perform()
        while openGroups.count > 1 {
            endUndoGrouping()
        }
        post(.NSUndoManagerCheckpoint)
        openGroups = outerGroups
        if !opposite.entries.isEmpty {
            push(opposite)
        }
        phase = .recording
    }

    // MARK: Forgetting

    /// Empties both stacks and switches registration on.
    open func removeAllActions() {
        undoStack.removeAll()
        redoStack.removeAll()
        for group in openGroups {
            group.entries.removeAll()
        }
        disableCount = 0
    }

    /// Forgets what concerns a target; do so before it goes away.
    open func removeAllActions(withTarget target: Any) {
        let target = target as AnyObject
        for group in openGroups {
            group.removeActions(withTarget: target)
        }
        for group in undoStack + redoStack {
            group.removeActions(withTarget: target)
        }
        undoStack.removeAll { $0.entries.isEmpty }
        redoStack.removeAll { $0.entries.isEmpty }
    }

    // MARK: Names and remarks

    /// How many top-level groups can be undone.
    open var undoCount: Int { undoStack.count + (openGroups.contains { !$0.entries.isEmpty } ? 1 : 0) }

    /// How many top-level groups can be redone.
    open var redoCount: Int { redoStack.count }

    /// The name of what `undo()` would undo; empty where it has none.
    open var undoActionName: String { nextUndo?.name ?? "" }

    /// The name of what `redo()` would redo; empty where it has none.
    open var redoActionName: String { redoStack.last?.name ?? "" }

    /// Names the step that is being recorded, or the last one. Where groups are made by event and nothing has been recorded in this one,
    /// the name is also that of what comes in it: Apple's sample CoreDataBooks names a change before it makes it.
    open func setActionName(_ actionName: String) {
        guard let group = described else { return awaitName(actionName) }
        if openGroups.isEmpty, groupsByEvent, phase == .recording {
            awaitName(actionName)
            // The step before has a name of its own, and is of an event before.
            if !group.name.isEmpty { return }
        }
        group.name = actionName
    }

    private func awaitName(_ actionName: String) {
        guard groupsByEvent, phase == .recording, !actionName.isEmpty else { return }
        awaitedName = actionName
        scheduleEndOfEvent()
    }

    /// Whether the step that is being recorded, or the last one, may be lost without asking the user.
    open func setActionIsDiscardable(_ discardable: Bool) { described?.isDiscardable = discardable }

    /// The step that the program describes: with what it has just done, of which observers of the checkpoint may not have told yet.
    private var described: UndoGroup? {
        if groupsByEvent, phase == .recording { post(.NSUndoManagerCheckpoint) }
        return current
    }

    /// Whether what `undo()` would undo may be lost without asking the user.
    open var undoActionIsDiscardable: Bool { nextUndo?.isDiscardable ?? false }

    /// Whether what `redo()` would redo may be lost without asking the user.
    open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

    /// Attaches a value to the step that is being recorded, or to the last one.
    open func setActionUserInfoValue(_ value: Any?, forKey key: UserInfoKey) { described?.userInfo[key] = value }

    /// A value that is attached to what `undo()` would undo.
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextUndo?.userInfo[key] }

    /// A value that is attached to what `redo()` would redo.
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { redoStack.last?.userInfo[key] }

    /// "Undo" and the name of what it would undo. English: Linux has no table of Apple's translations.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// "Redo" and the name of what it would redo.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title of a menu item that undoes an action of this name.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of a menu item that redoes an action of this name.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    private func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }
}
