import Foundation

/// The names of Swift key paths: they compare equal on Linux, but have no name to ask for, so generated code
/// registers them.
public enum KeyPathNames {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var names: [AnyKeyPath: String] = [:]

    /// Makes key paths known by the names that their properties have in a model.
    public static func register(_ names: [AnyKeyPath: String]) {
        lock.withLock {
            self.names.merge(names) { _, new in new }
        }
    }

    /// The name that a key path was registered under.
    public static func name(of keyPath: AnyKeyPath) -> String? {
        lock.withLock { names[keyPath] }
    }

    /// The name that a key path was registered under; without one the program stops.
    static func required(_ keyPath: AnyKeyPath) -> String {
        guard let name = name(of: keyPath) else {
            fatalError("The key path \(keyPath) has no name; register it with KeyPathNames.register(_:)")
        }
        return name
    }
}
