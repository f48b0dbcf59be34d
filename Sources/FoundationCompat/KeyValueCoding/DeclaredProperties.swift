import Foundation
import Synchronization

/// The properties that classes declare and that key-value coding finds by name on Apple's platforms: those that are
/// Objective-C's there. Generated code registers their key paths.
package enum DeclaredProperties {
    private static let lock = NSLock()
    private static let isUsed = Atomic<Bool>(false)
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var pending: [@Sendable () -> [AnyKeyPath: String]] = []
    // Safe: read and written with the lock beside it held.
    /// By the class that declares them.
    nonisolated(unsafe) private static var declared: [ObjectIdentifier: [String: AnyKeyPath]] = [:]
    // Safe: read and written with the lock beside it held.
    /// By class, with what it inherits.
    nonisolated(unsafe) private static var known: [ObjectIdentifier: [String: AnyKeyPath]] = [:]

    /// Makes properties known that are asked for when the first one is looked up.
    package static func register(later keyPaths: @escaping @Sendable () -> [AnyKeyPath: String]) {
        lock.withLock { pending.append(keyPaths) }
        isUsed.store(true, ordering: .releasing)
    }

    /// The key path of the property that a class or one that it inherits from declares.
    package static func keyPath(forKey key: String, of objectClass: AnyClass) -> AnyKeyPath? {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        return lock.withLock {
            registerPending()
            return keyPaths(of: objectClass)[key]
        }
    }

    /// A value that may be nil.
    package struct Found {
        package let value: Any?
    }

    /// The value of a declared property; nil where the class declares none of that name.
    package static func value(of object: AnyObject, forKey key: String) -> Found? {
        guard let keyPath = keyPath(forKey: key, of: type(of: object)) else { return nil }
        return Found(value: KeyPathAccess.value(of: object, at: keyPath))
    }

    /// Sets a declared property.
    ///
    /// - Returns: false where the class declares none of that name, or one that can only be read.
    package static func set(_ value: Any?, on object: AnyObject, forKey key: String) -> Bool {
        guard let keyPath = keyPath(forKey: key, of: type(of: object)) else { return false }
        return KeyPathAccess.set(value, on: object, at: keyPath, key: key)
    }

    private static func registerPending() {
        guard !pending.isEmpty else { return }
        for provide in pending {
            for (keyPath, key) in provide() {
                declared[ObjectIdentifier(type(of: keyPath).rootType), default: [:]][key] = keyPath
            }
        }
        pending = []
        known = [:]
    }

    private static func keyPaths(of objectClass: AnyClass) -> [String: AnyKeyPath] {
        let identifier = ObjectIdentifier(objectClass)
        if let keyPaths = known[identifier] { return keyPaths }
        var keyPaths = _getSuperclass(objectClass).map(Self.keyPaths) ?? [:]
        if let own = declared[identifier] { keyPaths.merge(own) { $1 } }
        known[identifier] = keyPaths
        return keyPaths
    }
}
