import Foundation

/// How classes with accessors of their own say that a value changes.
package enum KeyValueChanges {
    /// Before a change of the object's value for the key.
    package static func willChange(_ object: AnyObject, _ key: String) {
        for observation in ObservationRegistry.shared.observations(of: object) {
            observation.willChange(key)
        }
    }

    /// Whether anybody observes an object, by whatever key.
    package static func areObserved(_ object: AnyObject) -> Bool {
        !ObservationRegistry.shared.observations(of: object).isEmpty
    }

    /// After a change that `willChange` announced and that isn't reported: there is no new value.
    package static func abandonChange(_ object: AnyObject, _ key: String) {
        for observation in ObservationRegistry.shared.observations(of: object) { observation.abandonChange(key) }
    }

    /// After the change that `willChange` announced.
    ///
    /// - Parameters:
    ///   - kind: what happened; nil where that is told by what a collection held before and holds now.
    ///   - otherwise: what happened where a collection's contents don't tell, or the value is none.
    package static func didChange(
        _ object: AnyObject, _ key: String, _ kind: NSKeyValueChange? = .setting, _ indexes: IndexSet? = nil,
        otherwise: NSKeyValueChange = .setting
    ) {
        for observation in ObservationRegistry.shared.observations(of: object) {
            observation.didChange(key, kind, indexes, otherwise: otherwise)
        }
    }
}

/// What one observation does where a value changes.
extension Observation {
    /// Begins a change of the value for a key; one may begin inside of another.
    func willChange(_ key: String) {
        guard triggers.contains(key) else { return }
        openChanges += 1
        guard openChanges == 1 else { return }
        old = value
        if options.contains(.prior) {
            var change = description(.setting, nil)
            change[.notificationIsPriorKey] = true
            notify(change)
        }
    }

    /// Ends a change without telling anybody.
    func abandonChange(_ key: String) {
        guard triggers.contains(key), openChanges > 0 else { return }
        openChanges -= 1
        if openChanges == 0 { old = nil }
    }

    /// Ends a change, and tells the observer where it was the outermost one.
    ///
    /// - Parameter kind: what happened; nil where the collection itself tells.
    func didChange(
        _ key: String, _ kind: NSKeyValueChange?, _ indexes: IndexSet?, otherwise: NSKeyValueChange = .setting
    ) {
        guard triggers.contains(key), openChanges > 0 else { return }
        openChanges -= 1
        guard openChanges == 0 else { return }
        if key == path.keys[0] { observeRest() }
        let now = kind == nil || options.contains(.new) ? value : nil
        defer { old = nil }
        let replaces = kind == nil && otherwise == .replacement
        if kind == nil, path.isSingleKey, let mutation = CollectionMutation(from: old, to: now, replaces: replaces) {
            return notify(mutation.description(options))
        }
        var change = description(kind ?? otherwise, indexes)
        if options.contains(.new) { change[.newKey] = now ?? NSNull() }
        notify(change)
    }

    /// What an observer is told of a change, without the new value.
    private func description(_ kind: NSKeyValueChange, _ indexes: IndexSet?) -> [NSKeyValueChangeKey: Any] {
        var change: [NSKeyValueChangeKey: Any] = [.kindKey: kind.rawValue]
        if options.contains(.old) { change[.oldKey] = old ?? NSNull() }
        if let indexes { change[.indexesKey] = indexes }
        return change
    }
}
