import Dispatch
import Foundation

// Safe: the lock is held by whoever reads or writes what changes; the block is called without it, as by any thread on Apple's platforms.
/// Looks at a property again and again, where nobody tells of its changes.
final class PolledObservation<Object: NSObject, Value>: @unchecked Sendable {
    private let lock = NSLock()
    private weak var object: Object?
    private let keyPath: KeyPath<Object, Value>
    private let options: NSKeyValueObservingOptions
    private let changeHandler: (Object, NSKeyValueObservedChange<Value>) -> Void
    private var last: Value
    private let timer: any DispatchSourceTimer

    init(
        of object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions,
        changeHandler: @escaping (Object, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.object = object
        self.keyPath = keyPath
        self.options = options
        self.changeHandler = changeHandler
        last = object[keyPath: keyPath]
        timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))
        if options.contains(.initial) {
            changeHandler(object, NSKeyValueObservedChange(setTo: last, from: nil, options))
        }
        timer.schedule(deadline: .now() + .milliseconds(50), repeating: .milliseconds(50))
        timer.setEventHandler { [weak self] in self?.look() }
        timer.resume()
    }

    /// Ends the observation; what changed since it was last looked at is told before.
    func stop() {
        timer.cancel()
        look()
    }

    private func look() {
        guard let object else { return }
        let value = object[keyPath: keyPath]
        let former: Value? = lock.withLock {
            guard String(reflecting: last) != String(reflecting: value) else { return nil }
            defer { last = value }
            return last
        }
        if let former { changeHandler(object, NSKeyValueObservedChange(setTo: value, from: former, options)) }
    }
}

extension PolledObservation {
    /// Whether an object is one of those of Foundation's that tell nobody, and the property none that the program tells of itself.
    static func isNeeded(for object: Object, _ keyPath: AnyKeyPath) -> Bool {
        switch object {
        case is Progress, is UserDefaults: true
        case is Operation, is OperationQueue: KeyPathNames.name(of: keyPath) == nil
        default: false
        }
    }
}
