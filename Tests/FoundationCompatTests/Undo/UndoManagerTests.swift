import FoundationCompat
import Testing

@Suite("Undo manager")
struct UndoManagerTests {
    /// A value whose changes can be undone.
    private final class Counter {
        var value = 0
        let undoManager: UndoManager

        init(groupsByEvent: Bool = false) {
            undoManager = UndoManager()
            undoManager.groupsByEvent = groupsByEvent
        }

        func set(_ newValue: Int) {
            let old = value
            undoManager.registerUndo(withTarget: self) { $0.set(old) }
            value = newValue
        }

        func group(_ body: () -> Void) {
            undoManager.beginUndoGrouping()
            body()
            undoManager.endUndoGrouping()
        }
    }

    @Test("undoes and redoes a group, in both directions as often as wanted")
    func undoAndRedo() {
        let counter = Counter()
        counter.group {
            counter.set(1)
            counter.set(2)
        }
        counter.group { counter.set(3) }
        let manager = counter.undoManager
        #expect(manager.undoCount == 2)
        manager.undo()
        #expect(counter.value == 2 && manager.canRedo && manager.canUndo)
        manager.undo()
        #expect(counter.value == 0 && !manager.canUndo && manager.redoCount == 2)
        manager.redo()
        #expect(counter.value == 2)
        manager.redo()
        #expect(counter.value == 3 && !manager.canRedo)
        manager.undo()
        manager.undo()
        manager.undo()
        #expect(counter.value == 0)
    }

    @Test("forgets what could be redone when something new is done")
    func newActions() {
        let counter = Counter()
        counter.group { counter.set(1) }
        counter.undoManager.undo()
        counter.group { counter.set(5) }
        #expect(!counter.undoManager.canRedo)
        counter.undoManager.redo()
        #expect(counter.value == 5)
    }

    @Test("nests groups, which are one step from outside and can be undone alone from inside")
    func nesting() {
        let counter = Counter()
        let manager = counter.undoManager
        manager.beginUndoGrouping()
        counter.set(1)
        counter.group { counter.set(2) }
        #expect(manager.groupingLevel == 1)
        manager.undoNestedGroup()
        #expect(counter.value == 1)
        counter.group { counter.set(3) }
        manager.endUndoGrouping()
        manager.undo()
        #expect(counter.value == 0)
    }

    @Test("says what it is doing")
    func phases() {
        let manager = UndoManager()
        manager.groupsByEvent = false
        var seen: [(Bool, Bool)] = []
        final class Target {}
        let target = Target()
        func register() {
            manager.registerUndo(withTarget: target) { _ in
                seen.append((manager.isUndoing, manager.isRedoing))
                register()
            }
        }
        manager.beginUndoGrouping()
        register()
        manager.endUndoGrouping()
        manager.undo()
        manager.redo()
        #expect(seen.count == 2 && seen[0] == (true, false) && seen[1] == (false, true))
        #expect(!manager.isUndoing && !manager.isRedoing)
    }

    @Test("records nothing while registration is disabled")
    func disabling() {
        let counter = Counter()
        let manager = counter.undoManager
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        manager.enableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        counter.set(1)
        manager.enableUndoRegistration()
        #expect(!manager.canUndo && manager.isUndoRegistrationEnabled)
    }

    @Test("keeps as many levels as it is told")
    func levels() {
        let counter = Counter()
        counter.undoManager.levelsOfUndo = 3
        for value in 1...5 {
            counter.group { counter.set(value) }
        }
        #expect(counter.undoManager.undoCount == 3)
        while counter.undoManager.canUndo {
            counter.undoManager.undo()
        }
        #expect(counter.value == 2)
        counter.undoManager.levelsOfUndo = 1
        #expect(counter.undoManager.redoCount == 1)
    }

    @Test("forgets everything, or what concerns one target")
    func removal() {
        let counter = Counter()
        let manager = counter.undoManager
        final class Other {}
        let other = Other()
        var undone = false
        manager.beginUndoGrouping()
        counter.set(1)
        manager.registerUndo(withTarget: other) { _ in undone = true }
        manager.endUndoGrouping()
        manager.removeAllActions(withTarget: counter)
        manager.undo()
        #expect(undone && counter.value == 1)
        counter.group { counter.set(2) }
        manager.removeAllActions()
        #expect(!manager.canUndo && !manager.canRedo)
    }

    @Test("doesn't keep targets alive")
    func targets() {
        let manager = UndoManager()
        manager.groupsByEvent = false
        final class Target {}
        var target: Target? = Target()
        weak let watched = target
        manager.beginUndoGrouping()
        manager.registerUndo(withTarget: target!) { _ in Issue.record("the target is gone") }
        manager.endUndoGrouping()
        target = nil
        #expect(watched == nil)
        manager.undo()
    }

    @Test("names actions, and hands names and marks over between undo and redo")
    func names() {
        let counter = Counter()
        let manager = counter.undoManager
        let key = UndoManager.UserInfoKey(rawValue: "k")
        counter.group {
            counter.set(1)
            manager.setActionName("Count")
            manager.setActionIsDiscardable(true)
            manager.setActionUserInfoValue(5, forKey: key)
        }
        #expect(manager.undoActionName == "Count" && manager.redoActionName == "")
        #expect(manager.undoMenuItemTitle == "Undo Count" && manager.redoMenuItemTitle == "Redo")
        #expect(manager.undoActionIsDiscardable && manager.undoActionUserInfoValue(forKey: key) as? Int == 5)
        manager.undo()
        #expect(manager.redoActionName == "Count" && manager.undoActionName == "")
        #expect(manager.redoMenuItemTitle == "Redo Count" && manager.redoActionIsDiscardable)
        #expect(manager.redoActionUserInfoValue(forKey: key) as? Int == 5)
    }

    @Test("takes a name that is set before the change, in the same turn of the run loop")
    func nameBeforeChange() {
        final class Target {}
        let manager = UndoManager()
        let target = Target()
        func change() { manager.registerUndo(withTarget: target) { _ in } }
        func endEvent() { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
        manager.setActionName("First")
        change()
        endEvent()
        #expect(manager.undoActionName == "First" && manager.groupingLevel == 0)
        manager.setActionName("Second")
        #expect(manager.undoActionName == "First")
        change()
        endEvent()
        #expect(manager.undoActionName == "Second" && manager.undoCount == 2)
        manager.setActionName("Of nothing")
        endEvent()
        change()
        endEvent()
        #expect(manager.undoActionName == "")
        manager.undo()
        #expect(manager.undoActionName == "Second")
    }

    @Test("posts notifications around groups, undo and redo")
    func notifications() {
        let counter = Counter()
        let manager = counter.undoManager
        let names: [NSNotification.Name] = [
            .NSUndoManagerCheckpoint, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup,
            .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange,
            .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
        ]
        nonisolated(unsafe) var posted: [NSNotification.Name] = []
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { _ in
                posted.append(name)
            }
        }
        defer { tokens.forEach(NotificationCenter.default.removeObserver) }
        counter.group { counter.set(1) }
        #expect(
            posted == [
                .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerCheckpoint, .NSUndoManagerWillCloseUndoGroup,
                .NSUndoManagerDidCloseUndoGroup,
            ])
        posted = []
        manager.undo()
        #expect(posted.first == .NSUndoManagerCheckpoint && posted.last == .NSUndoManagerDidUndoChange)
        #expect(posted.contains(.NSUndoManagerWillUndoChange))
        posted = []
        manager.redo()
        #expect(posted.contains(.NSUndoManagerWillRedoChange) && posted.last == .NSUndoManagerDidRedoChange)
    }

    @Test("opens a group by itself, which the run loop's turn closes")
    func events() {
        let levels = SmallStack.run { () -> [Int] in
            let counter = Counter(groupsByEvent: true)
            counter.set(1)
            counter.set(2)
            let open = counter.undoManager.groupingLevel
            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
            let closed = counter.undoManager.groupingLevel
            counter.set(3)
            counter.undoManager.undo()
            return [open, closed, counter.value, counter.undoManager.undoCount]
        }
        #expect(levels == [1, 0, 2, 1])
    }
}
