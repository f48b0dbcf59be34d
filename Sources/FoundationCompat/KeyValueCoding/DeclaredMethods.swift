import Foundation
import Synchronization

/// The methods that classes declare and that are found by their selectors on Apple's platforms, as generated code registers
/// them.
package enum DeclaredMethods {
    private static let lock = NSLock()
    private static let isUsed = Atomic<Bool>(false)
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var pending: [@Sendable () -> [DeclaredMethod]] = []
    // Safe: read and written with the lock beside it held.
    /// By the class that declares them, and the selector.
    nonisolated(unsafe) private static var declared: [ObjectIdentifier: [String: DeclaredMethod]] = [:]

    /// Makes methods known that are asked for when the first one is looked up.
    package static func register(later methods: @escaping @Sendable () -> [DeclaredMethod]) {
        lock.withLock { pending.append(methods) }
        isUsed.store(true, ordering: .releasing)
    }

    /// The method that a class or one that it inherits from declares.
    private static func method(_ name: String, of objectClass: AnyClass) -> DeclaredMethod? {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        return lock.withLock {
            for method in pending.flatMap({ $0() }) {
                declared[ObjectIdentifier(method.objectClass), default: [:]][method.name] = method
            }
            pending = []
            return sequence(first: objectClass) { _getSuperclass($0) }.lazy
                .compactMap { declared[ObjectIdentifier($0)]?[name] }.first
        }
    }

    /// What a method gives.
    package struct Found {
        package let value: Any?
    }

    /// Calls a method by its selector; nil where the class declares none of that name.
    ///
    /// - Throws: where an argument is of another type than the method's.
    package static func call(_ selector: String, of object: AnyObject, _ arguments: [Any?]) throws -> Found? {
        try method(selector, of: type(of: object)).map { Found(value: try $0(object, arguments)) }
    }

    /// Whether a class declares a method of that selector.
    package static func has(_ selector: String, in objectClass: AnyClass) -> Bool {
        method(selector, of: objectClass) != nil
    }

    /// An object that a class's own `new` makes, which generated code registers where `init()` can't be called through the
    /// metatype of a superclass; nil where it registers none.
    package static func new(_ objectClass: AnyClass) -> AnyObject? {
        guard let method = method("+new", of: objectClass), method.objectClass == objectClass else { return nil }
        return orStop { try method(nil, []) } as AnyObject?
    }

    // MARK: By keys

    /// Whether key-value coding finds a method without arguments for a key.
    package static func exists(forKey key: String, of objectClass: AnyClass) -> Bool {
        getter(forKey: key, of: objectClass) != nil
    }

    /// The result of the method without arguments that key-value coding finds for a key; nil where there is none.
    package static func value(of object: AnyObject, forKey key: String) -> Found? {
        getter(forKey: key, of: type(of: object)).map { getter in
            Found(value: KeyPathAccess.coded(orStop { try getter(object, []) }))
        }
    }

    /// Apple's order: `get<Key>`, `<key>`, `is<Key>`.
    private static func getter(forKey key: String, of objectClass: AnyClass) -> DeclaredMethod? {
        guard isUsed.load(ordering: .acquiring), !key.contains(":"), !key.hasPrefix("+") else { return nil }
        let start = capitalized(key)
        return method("get\(start)", of: objectClass) ?? method(key, of: objectClass)
            ?? method("is\(start)", of: objectClass)
    }

    /// The keys that the class method or property `keyPathsForValuesAffecting<Key>` gives.
    package static func keyPathsForValuesAffecting(_ key: String, of objectClass: AnyClass) -> Set<String> {
        guard let method = method("+keyPathsForValuesAffecting\(capitalized(key))", of: objectClass) else { return [] }
        let value = orStop { try method(nil, []) }
        return value.flatMap(Elements.init).map { Set($0.values.compactMap { $0 as? String }) } ?? []
    }

    private static func capitalized(_ key: String) -> String { key.prefix(1).uppercased() + key.dropFirst() }
}
