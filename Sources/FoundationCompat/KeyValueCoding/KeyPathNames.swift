import Foundation

/// The names of Swift key paths: they compare equal on Linux, but have no name to ask for, so generated code
/// registers them.
public enum KeyPathNames {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var names: [AnyKeyPath: String] = [:]
    nonisolated(unsafe) private static var pending: [@Sendable () -> [AnyKeyPath: String]] = []

    /// Makes key paths known by the names that their properties have in a model.
    public static func register(_ names: [AnyKeyPath: String]) {
        lock.withLock {
            self.names.merge(names) { _, new in new }
        }
    }

    /// Makes key paths known that are asked for when a name is looked up for the first time: making them takes time,
    /// which a program without key paths shouldn't spend.
    public static func register(later names: @escaping @Sendable () -> [AnyKeyPath: String]) {
        lock.withLock { pending.append(names) }
    }

    /// The name that a key path was registered under.
    public static func name(of keyPath: AnyKeyPath) -> String? {
        lock.withLock {
            for provide in pending { names.merge(provide()) { _, new in new } }
            pending = []
            return names[keyPath]
        }
    }

    /// The name that a key path was registered under; without one the program stops.
    static func required(_ keyPath: AnyKeyPath) -> String {
        guard let name = name(of: keyPath) else {
            fatalError("The key path \(keyPath) has no name; register it with KeyPathNames.register(_:)")
        }
        return name
    }
}
