import Foundation

/// Apple's entry points to key-value observing. (Apple: NSKeyValueObserving.)
///
/// There is no run time on Linux that could intercept setters: a change is seen if it is made by
/// `setValue(_:forKey:)` of a `KeyPathCoding` class, or if the setter calls `willChangeValue(forKey:)` and
/// `didChangeValue(forKey:)`, as managed objects' accessors do.
extension NSObjectProtocol {
    /// Tells the observer of changes at a key path until it is removed. Neither is retained.
    public func addObserver(
        _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer? = nil
    ) {
        guard let receiver = observer as? any KeyValueObserver else {
            fatalError("\(type(of: observer)) has to adopt KeyValueObserver to observe \(keyPath)")
        }
        let observation = Observation(
            of: self, path: ParsedKeyPath(keyPath), options: options, observer: observer, context: context
        ) { [weak self, weak receiver] change in
            receiver?.observeValue(forKeyPath: keyPath, of: self, change: change, context: context)
        }
        observation.start()
    }

    /// Ends the observation with this context.
    public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) {
        removeObserver(observer, keyPath) { $0.context == context }
    }

    /// Ends the last observation of the key path by the observer.
    public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
        removeObserver(observer, keyPath) { _ in true }
    }

    private func removeObserver(_ observer: NSObject, _ keyPath: String, where isMeant: (Observation) -> Bool) {
        let observation = ObservationRegistry.shared.lastObservation(of: self) {
            $0.isOf(observer) && $0.path.string == keyPath && isMeant($0)
        }
        guard let observation else {
            fatalError(
                "Cannot remove an observer \(observer) for the key path \"\(keyPath)\" from \(self) because it is "
                    + "not registered as an observer.")
        }
        observation.stop()
    }

    /// Stops the program: a notification came to an object that doesn't observe.
    public func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        fatalError("An observeValue(forKeyPath:of:change:context:) message was received but not handled.")
    }

    /// Says that the value for a key is about to change.
    public func willChangeValue(forKey key: String) {
        KeyValueChanges.willChange(self, key)
    }

    /// Says that the value for a key changed.
    public func didChangeValue(forKey key: String) {
        KeyValueChanges.didChange(self, key)
    }

    /// Says that elements of an ordered collection are about to change.
    public func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        KeyValueChanges.willChange(self, key)
    }

    /// Says that elements of an ordered collection changed.
    public func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        KeyValueChanges.didChange(self, key, changeKind, indexes)
    }

    /// Says that a set is about to change.
    public func willChangeValue(
        forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        KeyValueChanges.willChange(self, key)
    }

    /// Says that a set changed.
    public func didChangeValue(
        forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        KeyValueChanges.didChange(self, key, nil, otherwise: NSKeyValueChange(mutationKind))
    }

    /// What the class method `keyPathsForValuesAffecting<Key>` says, where generated code has registered one; a class with other
    /// dependent properties adopts `KeyValueDependencies`.
    public static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        DeclaredMethods.keyPathsForValuesAffecting(key, of: self)
    }

    /// Whether `setValue(_:forKey:)` tells observers by itself.
    public static func automaticallyNotifiesObservers(forKey key: String) -> Bool {
        Self.self is any KeyPathCoding.Type
    }
}

extension NSObjectProtocol where Self: NSObject {
    /// Calls a block with each change at a key path with a registered name, until the result is released.
    ///
    /// Properties of contexts, coordinators and undo managers, and those that managed objects have beside the model's, are looked
    /// at whenever a notification tells of changes. Of another property without a name nothing is told but the initial value,
    /// which is reported.
    ///
    /// Foundation's progress, user defaults, operations and their queues report no changes on Linux: they are looked at twenty times
    /// a second, on a thread of its own, and once more when the observation ends.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        if PolledObservation<Self, Value>.isNeeded(for: self, keyPath) {
            let observation = PolledObservation(
                of: self, keyPath, at: .intervals(milliseconds: 50), options: options, changeHandler: changeHandler)
            return NSKeyValueObservation { observation.stop() }
        }
        let key = KeyPathNames.registeredOrPlain(keyPath)
        let occasions = (self as? any NotifyingOfChanges)?.occasions(forKey: key)
        guard occasions == nil, let name = key else {
            if occasions == nil { PolledObservation<Self, Value>.reportUntold(keyPath) }
            let observation = PolledObservation(
                of: self, keyPath, at: occasions ?? .never, options: options, changeHandler: changeHandler)
            return NSKeyValueObservation { observation.stop() }
        }
        let observation = Observation(
            of: self, path: ParsedKeyPath(name), options: options, observer: nil, context: nil
        ) { [weak self] change in
            guard let self else { return }
            changeHandler(self, NSKeyValueObservedChange(change))
        }
        observation.start()
        return NSKeyValueObservation { observation.stop() }
    }

    /// Says that the value at a key path with a registered name is about to change.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        willChangeValue(forKey: KeyPathNames.required(keyPath))
    }

    /// Says that the value at a key path with a registered name changed.
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        didChangeValue(forKey: KeyPathNames.required(keyPath))
    }
}

extension NSKeyValueObservedChange {
    init(_ change: [NSKeyValueChangeKey: Any]) {
        func value(_ key: NSKeyValueChangeKey) -> Value? {
            guard let value = change[key] else { return nil }
            if isNull(value), let none = Value.self as? any ExpressibleByNilLiteral.Type {
                return none.init(nilLiteral: ()) as? Value
            }
            return value as? Value
        }
        kind = (change[.kindKey] as? UInt).flatMap(NSKeyValueChange.init) ?? .setting
        newValue = value(.newKey)
        oldValue = value(.oldKey)
        indexes = change[.indexesKey] as? IndexSet
        isPrior = change[.notificationIsPriorKey] as? Bool ?? false
    }
}
