import Foundation

/// An object of the framework's own whose properties have no names, and which posts notifications when some of them may have
/// changed.
package protocol StateAnnouncing: NSObject {
    /// The notifications, and who posts them.
    var stateAnnouncements: [(name: Notification.Name, object: AnyObject?)] { get }
}

// Safe: the lock is held by whoever reads or writes what changes; the block is called without it, on the thread of the
// notification.
/// Looks at a property whenever its object says that its state may have changed, and tells of a new value.
final class AnnouncedObservation<Object: NSObject, Value>: @unchecked Sendable {
    private let lock = NSLock()
    private weak var object: Object?
    private let keyPath: KeyPath<Object, Value>
    private let options: NSKeyValueObservingOptions
    private let changeHandler: (Object, NSKeyValueObservedChange<Value>) -> Void
    private var last: Value
    private var tokens: [any NSObjectProtocol] = []

    init(
        of object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions,
        changeHandler: @escaping (Object, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.object = object
        self.keyPath = keyPath
        self.options = options
        self.changeHandler = changeHandler
        last = object[keyPath: keyPath]
        if options.contains(.initial) {
            changeHandler(object, NSKeyValueObservedChange(setTo: last, from: nil, options))
        }
        let announcements = (object as? any StateAnnouncing)?.stateAnnouncements ?? []
        tokens = announcements.map { announcement in
            NotificationCenter.default.addObserver(
                forName: announcement.name, object: announcement.object, queue: nil
            ) { [weak self] _ in self?.look() }
        }
    }

    func stop() {
        lock.withLock {
            tokens.forEach(NotificationCenter.default.removeObserver)
            tokens = []
        }
    }

    private func look() {
        guard let object else { return }
        let value = object[keyPath: keyPath]
        let former: Value? = lock.withLock {
            if let new = value as? AnyHashable, let old = last as? AnyHashable, new == old { return nil }
            defer { last = value }
            return last
        }
        if let former { changeHandler(object, NSKeyValueObservedChange(setTo: value, from: former, options)) }
    }
}

extension NSKeyValueObservedChange {
    init(setTo value: Value, from former: Value?, _ options: NSKeyValueObservingOptions) {
        var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
        if options.contains(.new) { change[.newKey] = value }
        if options.contains(.old), let former { change[.oldKey] = former }
        self.init(change)
    }
}

extension UndoManager: StateAnnouncing {
    package var stateAnnouncements: [(name: Notification.Name, object: AnyObject?)] {
        [
            .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerDidUndoChange,
            .NSUndoManagerDidRedoChange,
        ]
        .map { ($0, self) }
    }
}
