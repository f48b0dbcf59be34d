import Foundation

/// One observer of one key path of one object.
///
/// Changes become known by `willChangeValue(forKey:)` and `didChangeValue(forKey:)` of the objects on the path.
final class Observation {
    weak var observer: AnyObject?
    private let observerIdentity: ObjectIdentifier?
    let context: UnsafeMutableRawPointer?
    let path: ParsedKeyPath
    private(set) weak var object: AnyObject?
    private let objectIdentity: ObjectIdentifier
    let options: NSKeyValueObservingOptions
    let notify: ([NSKeyValueChangeKey: Any]) -> Void
    /// The keys of the object whose changes count.
    let triggers: Set<String>
    /// The key paths over other objects whose changes count, and their observations.
    private let dependentPaths: [String]
    private var dependents: [Observation] = []
    /// The observation of the rest of the path, on the value of its first key.
    private var rest: Observation?
    /// The value before the change that is going on, and how many changes are.
    var old: Any?
    var openChanges = 0

    init(
        of object: AnyObject, path: ParsedKeyPath, options: NSKeyValueObservingOptions, observer: AnyObject?,
        context: UnsafeMutableRawPointer?, notify: @escaping ([NSKeyValueChangeKey: Any]) -> Void
    ) {
        self.object = object
        objectIdentity = ObjectIdentifier(object)
        self.path = path
        self.options = options
        self.observer = observer
        observerIdentity = observer.map(ObjectIdentifier.init)
        self.context = context
        self.notify = notify
        let first = path.keys[0]
        let (keys, paths) = Self.dependencies(of: first, in: object)
        triggers = keys
        dependentPaths = paths
    }

    /// The keys whose changes change the value for a key, itself included, and the key paths that lead to other objects'.
    private static func dependencies(of key: String, in object: AnyObject) -> (Set<String>, [String]) {
        var keys: Set = [key]
        let objectClass: AnyClass = type(of: object)
        let declaring = objectClass as? any KeyValueDependencies.Type
        var paths: Set<String> = []
        var open = [key]
        while let next = open.popLast() {
            let affecting =
                declaring?.keyPathsForValuesAffectingValue(forKey: next)
                ?? DeclaredMethods.keyPathsForValuesAffecting(next, of: objectClass)
            for path in affecting {
                if path.contains(".") {
                    paths.insert(path)
                } else if keys.insert(path).inserted {
                    open.append(path)
                }
            }
        }
        return (keys, paths.sorted())
    }

    /// Starts to listen, and tells the first value if that is wanted.
    func start() {
        guard let object else { return }
        ObservationRegistry.shared.add(self, for: object)
        observeRest()
        observeDependents(of: object)
        if options.contains(.initial) {
            var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
            if options.contains(.new) { change[.newKey] = value ?? NSNull() }
            notify(change)
        }
    }

    private func observeDependents(of object: AnyObject) {
        dependents = dependentPaths.map { path in
            Observation(
                of: object, path: ParsedKeyPath(path), options: .prior, observer: observer, context: context
            ) { [weak self] change in
                guard let self else { return }
                let key = self.path.keys[0]
                if change[.notificationIsPriorKey] != nil { willChange(key) } else { didChange(key, .setting, nil) }
            }
        }
        for dependent in dependents { dependent.start() }
    }

    func stop() {
        for dependent in dependents { dependent.stop() }
        dependents = []
        rest?.stop()
        rest = nil
        ObservationRegistry.shared.remove(self, of: objectIdentity)
    }

    /// Whether an object is the observer, which may be about to go away: observers leave in `deinit`, where no weak reference leads
    /// to them any more.
    func isOf(_ observer: AnyObject) -> Bool {
        observerIdentity == ObjectIdentifier(observer) && (self.observer == nil || self.observer === observer)
    }

    /// The value at the path as it is now.
    var value: Any? {
        object.flatMap { object in orStop { try KeyValueAccess.value(of: object, at: path) } }
    }

    /// Observes the rest of the path on the value that its first key has now.
    func observeRest() {
        rest?.stop()
        rest = nil
        guard !path.isSingleKey, let object,
            let next = orStop({ try KeyValueAccess.value(of: object, forKey: path.keys[0]) }),
            type(of: next) is AnyClass
        else { return }
        rest = Observation(
            of: next as AnyObject, path: ParsedKeyPath(keys: Array(path.keys.dropFirst())),
            options: options.subtracting(.initial), observer: observer, context: context, notify: notify)
        rest?.start()
    }
}
