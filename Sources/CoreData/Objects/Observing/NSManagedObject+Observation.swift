@_spi(Engine) import CoreDataRows
import FoundationCompat
import Observation
import Synchronization

/// Reads of modelled properties inside `withObservationTracking` are tracked, and observers are notified of every
/// change before it happens: by accessors, key-value coding or live sets, by the other side of a relationship, by
/// merges, refreshes, undo and rollback, and when the object leaves its context.
///
/// The primitive accessors notify no observer, as on Apple's platforms; a custom setter calls
/// `willChangeValue(forKey:)` and `didChangeValue(forKey:)` around them. Observers are called on the queue of the
/// object's context.
///
/// `NSManagedObject` isn't `Observable` by itself, as it isn't on Apple's platforms: where a type has to be,
/// `extension Person: Observable {}` makes it so.
extension NSManagedObject {
    // MARK: Reading

    /// Records a read where reads are tracked.
    @inline(__always)
    final func recordRead(_ property: @autoclosure () -> PropertyLayout?) {
        if ReadTracking.isOn { trackRead(property()) }
    }

    @inline(never)
    private final func trackRead(_ property: PropertyLayout?) {
        guard let property, property.index >= 0 else { return }
        ObservedObjects.registrar(of: self).access(ObservedSubject.shared, keyPath: ObservedKeyPaths.path(of: property))
    }

    // MARK: Changing

    /// Makes a change of one property, and notifies its observers.
    ///
    /// - Parameter isIdle: whether there will be no change after all. Evaluated only where the object is observed.
    @inline(__always)
    final func observably<Result>(
        _ property: PropertyLayout, unless isIdle: @autoclosure () -> Bool = false, _ change: () -> Result
    ) -> Result {
        // What is set while a fault is fired or made isn't a change.
        guard !flags.isDisjoint(with: .told), flags.isDisjoint(with: .inTransition), !isIdle() else {
            return change()
        }
        if flags.contains(.announcesChanges), property.kind != .toMany, property.index >= 0 {
            return announced(property, change)
        }
        return observably([property], change)
    }

    /// Makes a change of several properties at once, and notifies the observers of each.
    ///
    /// - Parameter properties: those that change. Evaluated only where the object is observed.
    final func observably<Result>(_ properties: @autoclosure () -> [PropertyLayout], _ change: () -> Result) -> Result {
        guard flags.contains(.observed) else { return change() }
        let properties = properties()
        tellWillChange(properties)
        defer { tellDidChange(properties) }
        return change()
    }

    final func tellWillChange(_ properties: [PropertyLayout]) {
        guard !properties.isEmpty else { return }
        for property in properties { KeyValueChanges.willChange(self, property.name) }
        tellFollowersWillChange(properties)
    }

    private final func tellFollowersWillChange(_ properties: [PropertyLayout]) {
        guard let observers = ObservedObjects.observers(of: self) else { return }
        observers.publisher?.send()
        for property in properties {
            observers.registrar.willSet(ObservedSubject.shared, keyPath: ObservedKeyPaths.path(of: property))
        }
    }

    /// - Parameters:
    ///   - kind: the kind of change that observers receive; nil where it follows from a collection's old and new contents.
    ///   - otherwise: the kind where these don't tell.
    final func tellDidChange(
        _ properties: [PropertyLayout], as kind: NSKeyValueChange? = nil, otherwise: NSKeyValueChange = .setting
    ) {
        guard !properties.isEmpty else { return }
        tellFollowersDidChange(properties)
        // What has left its context has no values to tell of.
        let hasValues = flags.isDisjoint(with: [.invalidated, .inaccessible])
        for property in properties {
            guard hasValues else {
                KeyValueChanges.abandonChange(self, property.name)
                continue
            }
            KeyValueChanges.didChange(
                self, property.name, property.kind == .toMany ? kind : kind ?? .setting, otherwise: otherwise)
        }
    }

    /// Ends a change that the program has announced: tells observers and the context, and keeps the inverse of a relationship up.
    ///
    /// - Parameters: those of ``tellDidChange(_:as:otherwise:)``.
    final func finishChange(
        forKey key: String, as kind: NSKeyValueChange?, otherwise: NSKeyValueChange = .setting
    ) {
        if isAnnouncing(key) { return }
        guard let property = layout.property(named: key) else {
            if flags.contains(.observed) { KeyValueChanges.didChange(self, key, kind, otherwise: otherwise) }
            return
        }
        reportChange()
        if flags.contains(.observed) { tellDidChange([property], as: kind, otherwise: otherwise) }
        guard property.kind.isRelationship, let before = writableState.pendingChanges.removeValue(forKey: key) else {
            return
        }
        maintainInverse(of: property, from: before)
    }

    private final func tellFollowersDidChange(_ properties: [PropertyLayout]) {
        guard let observers = ObservedObjects.observers(of: self) else { return }
        for property in properties {
            observers.registrar.didSet(ObservedSubject.shared, keyPath: ObservedKeyPaths.path(of: property))
        }
    }

    /// Makes changes of one to-many relationship that are one to observers: a set that is replaced, or several objects added.
    final func observedAsOne<Result>(
        _ property: PropertyLayout, as kind: NSKeyValueChange?, _ change: () -> Result
    ) -> Result {
        guard flags.contains(.observed), KeyValueChanges.areObserved(self) else { return change() }
        KeyValueChanges.willChange(self, property.name)
        defer { KeyValueChanges.didChange(self, property.name, kind) }
        return change()
    }

    // MARK: What changes

    /// The properties that have another value once the object's row is another one and what it keeps beside it is dropped.
    ///
    /// - Parameters:
    ///   - row: the new row; nil where it isn't known yet, so that any value may change.
    ///   - kept: the properties that keep the object's own values.
    ///   - keepsState: whether relationships, transient and fetched values stay.
    final func propertiesChanged(
        by row: RowRef?, keeping kept: Set<Int> = [], keepsState: Bool = false
    ) -> [PropertyLayout] {
        layout.properties.filter { property in
            if kept.contains(property.index) { return false }
            let leaves = property.storedLeaves
            guard leaves.isEmpty else {
                guard let row else { return true }
                return leaves.contains { !isSame(field($0), row.page.value(row.row, $0), of: $0) }
            }
            if keepsState { return false }
            switch property.kind {
            case .toMany: return state?.toManys[property.index]?.isLoaded ?? false
            case .fetched: return state?.decoded[property.index] != nil
            default: return state?.transients[property.index] != nil
            }
        }
    }

    /// The same where the object keeps some of its own values, and those of its to-manys that it has changed.
    final func propertiesChanged(byMerging row: RowRef, keepingSlots slots: Set<Int>) -> [PropertyLayout] {
        let kept = layout.properties.filter { property in
            if property.kind == .toMany { return state?.toManys[property.index]?.hasChanges ?? true }
            let leaves = property.storedLeaves
            return leaves.isEmpty || leaves.allSatisfy { slots.contains($0.rowSlot) }
        }
        return propertiesChanged(by: row, keeping: Set(kept.map(\.index)))
    }

    /// The properties that have another value once the object's own changes are dropped.
    final var propertiesChangedLocally: [PropertyLayout] {
        guard let state else { return [] }
        return layout.properties.filter { property in
            isChanged(property, in: state) || state.transients[property.index] != nil
        }
    }

    /// Notifies observers that the object leaves its context, which changes every value that was read of it.
    final func leaveContext() { observably(layout.properties) { flags.formUnion([.invalidated, .departed]) } }
}

extension NSManagedObject {
    /// Sets a property that the class declares itself, and tells observers where the model hasn't that property.
    ///
    /// - Returns: false where the class declares none of that name that can be set.
    final func setDeclared(_ value: Any?, forKey key: String) -> Bool {
        guard flags.contains(.observed), layout.property(named: key) == nil,
            DeclaredProperties.value(of: self, forKey: key) != nil,
            type(of: self).automaticallyNotifiesObservers(forKey: key)
        else { return DeclaredProperties.set(value, on: self, forKey: key) }
        KeyValueChanges.willChange(self, key)
        defer { KeyValueChanges.didChange(self, key) }
        return DeclaredProperties.set(value, on: self, forKey: key)
    }
}

extension NSManagedObject: KeyValueObserved, KeyValueObserver, KeyValueDependencies {
    /// From now on observers are notified of changes.
    package final func willBeObserved() { flags.insert(.observed) }
}

/// The type whose properties Observation takes all reads and changes to be of.
///
/// Observation needs an `Observable` type. Managed object classes don't conform by themselves, so that programs may
/// declare the conformance of theirs. Which object is meant follows from the registrar: each observed object has its
/// own.
final class ObservedSubject: Observable, Sendable {
    static let shared = ObservedSubject()

    fileprivate subscript(index: Int) -> Any? { nil }
}

/// The key paths by which Observation tells an object's properties apart, made once for each place in an entity.
enum ObservedKeyPaths {
    typealias Path = any KeyPath<ObservedSubject, Any?> & Sendable

    private static let known = Mutex<[Path]>([])

    static func path(of property: PropertyLayout) -> Path {
        known.withLock { known in
            while known.count <= property.index { known.append(make(known.count)) }
            return known[property.index]
        }
    }

    private static func make(_ index: Int) -> Path { \ObservedSubject.[index] }
}
