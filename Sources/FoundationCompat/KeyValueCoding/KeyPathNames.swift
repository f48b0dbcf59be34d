import Foundation

/// The names of Swift key paths: they compare equal on Linux, but have no name to ask for, so generated code
/// registers them.
public enum KeyPathNames {
    private static let lock = NSLock()
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var names: [AnyKeyPath: String] = [:]
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var pending: [@Sendable () -> [AnyKeyPath: String]] = [FoundationKeyPaths.names]

    /// Makes key paths known by the names that their properties have in a model.
    public static func register(_ names: [AnyKeyPath: String]) {
        lock.withLock {
            self.names.merge(names) { _, new in new }
            namesByPart = [:]
        }
    }

    /// Makes key paths known that are asked for when a name is looked up for the first time: making them takes time,
    /// which a program without key paths shouldn't spend.
    public static func register(later names: @escaping @Sendable () -> [AnyKeyPath: String]) {
        lock.withLock { pending.append(names) }
    }

    /// The name that a key path was registered under, or that its parts were, with dots between them.
    public static func name(of keyPath: AnyKeyPath) -> String? {
        lock.withLock {
            if !pending.isEmpty { namesByPart = [:] }
            for provide in pending { names.merge(provide()) { _, new in new } }
            pending = []
            if let name = names[keyPath] { return name }
            let parts = KeyPathParts(of: keyPath)
            if namesByPart.isEmpty { collectParts() }
            // The key path of a subclass to an inherited property differs from the one that was registered, in its root alone.
            guard parts.count > 1 else {
                return parts.first.flatMap { $0.text == "self" ? "self" : namesByPart[$0] }
            }
            let known = parts.compactMap { $0.plainName ?? namesByPart[$0] }
            return known.count == parts.count ? known.joined(separator: ".") : nil
        }
    }

    // Safe: read and written with the lock above held.
    /// The names of properties by what their key paths consist of, worked out when a key path of several parts comes first.
    nonisolated(unsafe) private static var namesByPart: [KeyPathParts.Part: String] = [:]

    private static func collectParts() {
        for (keyPath, name) in names {
            let parts = KeyPathParts(of: keyPath)
            if parts.count == 1, let part = parts.first { namesByPart[part] = name }
        }
    }

    /// The name that a key path has; without one the program stops.
    static func required(_ keyPath: AnyKeyPath) -> String {
        guard let name = registeredOrPlain(keyPath) else {
            fatalError("The key path \(keyPath) has no name; register it with KeyPathNames.register(_:)")
        }
        return name
    }

    /// The name that a key path was registered under, or that Swift's run time knows, as of stored properties; nil without one.
    static func registeredOrPlain(_ keyPath: AnyKeyPath) -> String? {
        if let name = name(of: keyPath) { return name }
        let parts = KeyPathParts(of: keyPath)
        let plain = parts.compactMap(\.plainName)
        return !plain.isEmpty && plain.count == parts.count ? plain.joined(separator: ".") : nil
    }
}
