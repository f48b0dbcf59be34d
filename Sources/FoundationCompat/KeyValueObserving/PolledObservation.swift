import Foundation

// Safe: what changes is read and written with the lock held; the block is called without it, as by any thread on Apple's platforms.
/// Looks at a property from time to time, where its changes aren't reported.
final class PolledObservation<Object: NSObject, Value>: @unchecked Sendable {
    private let lock = NSLock()
    private weak var object: Object?
    private let keyPath: KeyPath<Object, Value>
    private let options: NSKeyValueObservingOptions
    private let changeHandler: (Object, NSKeyValueObservedChange<Value>) -> Void
    private var last: Value
    private var end: () -> Void = {}

    init(
        of object: Object, _ keyPath: KeyPath<Object, Value>, at occasions: ChangeOccasions,
        options: NSKeyValueObservingOptions, changeHandler: @escaping (Object, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.object = object
        self.keyPath = keyPath
        self.options = options
        self.changeHandler = changeHandler
        last = object[keyPath: keyPath]
        if options.contains(.initial) { changeHandler(object, change(from: nil, to: last)) }
        end = occasions.begin { [weak self] in self?.look() }
    }

    /// Ends the observation; what changed since it was last looked at is told before.
    func stop() {
        end()
        look()
    }

    private func look() {
        guard let object else { return }
        let value = object[keyPath: keyPath]
        let former: Value? = lock.withLock {
            guard !Self.areSame(last, value) else { return nil }
            defer { last = value }
            return last
        }
        if let former { changeHandler(object, change(from: former, to: value)) }
    }

    private static func areSame(_ left: Value, _ right: Value) -> Bool {
        if let left = left as? any Equatable { return left.isEqual(to: right) }
        return String(reflecting: left) == String(reflecting: right)
    }

    private func change(from former: Value?, to value: Value) -> NSKeyValueObservedChange<Value> {
        var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
        if options.contains(.new) { change[.newKey] = value }
        if options.contains(.old), let former { change[.oldKey] = former }
        return NSKeyValueObservedChange(change)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}

extension PolledObservation {
    /// Logs that changes at a key path won't be reported.
    static func reportUntold(_ keyPath: AnyKeyPath) {
        let line =
            "CoreData: warning: observers of the key path \(keyPath) hear of no changes, as it has no name: register it with "
            + "KeyPathNames.register(_:), and call willChangeValue(for:) and didChangeValue(for:) in the property's setter.\n"
        FileHandle.standardError.write(Data(line.utf8))
    }

    /// Whether an object is one of those of Foundation's that report no changes, and the property none that the program reports itself.
    static func isNeeded(for object: Object, _ keyPath: AnyKeyPath) -> Bool {
        switch object {
        case is Progress, is UserDefaults: true
        case is Operation, is OperationQueue: KeyPathNames.name(of: keyPath) == nil
        default: false
        }
    }
}
