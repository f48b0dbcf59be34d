import Foundation

/// The names by which classes are found, as Objective-C's run time has them on Apple's platforms.
///
/// A class with `@objc(Name)` is `Name`, where generated code made that known; another one at the top of a module `Module.Class`,
/// one of these frameworks the bare name; one inside of other types has the older mangled name. Private classes have a name that a program can't know on Linux: they are called `Module.Class` and found
/// by that once it was asked for. Thread-safe.
package enum ClassNames {
    private static let lock = NSLock()
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var pending: [@Sendable () -> [String: AnyClass]] = []
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var registered: [String: AnyClass] = [:]
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var pendingNames: [@Sendable () -> [String: AnyClass]] = []
    // Safe: read and written with the lock beside it held.
    /// The names that classes have by `@objc(Name)`.
    nonisolated(unsafe) private static var objectiveCNames: [ObjectIdentifier: String] = [:]
    // Safe: read and written with the lock beside it held.
    /// The classes whose names can't be told from their text.
    nonisolated(unsafe) private static var given: [String: AnyClass] = [:]

    /// The modules whose classes have no module in their names on Apple's platforms.
    private static let frameworks = ["CoreData", "Foundation", "FoundationCompat", "ManagedObjectModel"]
    private static let maximumDepth = 6

    /// Makes classes known by bare names. They are asked for when a name is first looked up.
    package static func register(later classes: @escaping @Sendable () -> [String: AnyClass]) {
        lock.withLock { pending.append(classes) }
    }

    /// Makes classes known by the names that `@objc(Name)` gives them.
    package static func register(laterByObjectiveCName names: @escaping @Sendable () -> [String: AnyClass]) {
        lock.withLock { pendingNames.append(names) }
    }

    /// Asks for what was registered. Call it with the lock held.
    private static func takeRegistered() {
        for provide in pending { registered.merge(provide()) { $1 } }
        pending = []
        for provide in pendingNames {
            for (name, objectClass): (String, AnyClass) in provide() {
                registered[name] = objectClass
                objectiveCNames[ObjectIdentifier(objectClass)] = name
            }
        }
        pendingNames = []
    }

    // MARK: Names of classes

    package static func name(of objectClass: AnyClass) -> String {
        let own = lock.withLock { () -> String? in
            takeRegistered()
            return objectiveCNames[ObjectIdentifier(objectClass)]
        }
        if let own { return own }
        let text = String(reflecting: objectClass)
        let path = text.split(separator: ".").map(String.init)
        if path.count == 2, frameworks.contains(path[0]), find(kinds: ["C"], path: path) == objectClass {
            return path[1]
        }
        if path.allSatisfy(isIdentifier), let kinds = kinds(of: objectClass, path: path) {
            return path.count == 2 ? text : mangled(path, kinds)
        }
        return lock.withLock {
            let parts = path.filter { !$0.hasPrefix("(") && !$0.hasSuffix(")") }
            var name = parts.joined(separator: ".")
            if let other = given[name], other != objectClass { name = text }
            given[name] = objectClass
            return name
        }
    }

    /// What the types are that a class is inside of, and it itself: C for a class, V for a structure, O for an enumeration.
    private static func kinds(of objectClass: AnyClass, path: [String]) -> [String]? {
        guard path.count >= 2, path.count <= maximumDepth else { return nil }
        return combinations(path.count - 2).first { find(kinds: $0, path: path) == objectClass }
    }

    private static func combinations(_ outerCount: Int) -> [[String]] {
        (0..<outerCount).reduce([["C"]]) { found, _ in found.flatMap { rest in ["C", "V", "O"].map { [$0] + rest } } }
    }

    private static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && text.utf8.count == text.count
    }

    /// The name of a class inside of other types, as Swift gave it before its stable mangling and Objective-C still has it.
    private static func mangled(_ path: [String], _ kinds: [String]) -> String {
        "_Tt" + kinds.reversed().joined() + path.map { "\($0.utf8.count)\($0)" }.joined()
    }

    // MARK: Classes of names

    package static func `class`(named name: String) -> AnyClass? {
        let known: AnyClass? = lock.withLock { () -> AnyClass? in
            takeRegistered()
            return given[name]
        }
        if let known { return known }
        if name.hasPrefix("_Tt") { return demangled(name.dropFirst(3)) }
        let path = name.split(separator: ".").map(String.init)
        guard path.allSatisfy(isIdentifier), !path.isEmpty, path.count <= maximumDepth else { return nil }
        if path.count > 1,
            let found = combinations(path.count - 2).lazy.compactMap({ find(kinds: $0, path: path) }).first
        {
            return found
        }
        // What is registered is known by its last name; a module in front has to be the class's.
        if let found = lock.withLock({ registered[path[path.count - 1]] }) {
            return path.count == 1 || String(reflecting: found).hasPrefix(path[0] + ".") ? found : nil
        }
        guard path.count == 1 else { return nil }
        let modules = (mainModule.map { [$0] } ?? []) + frameworks
        return modules.lazy.compactMap { find(kinds: ["C"], path: [$0, path[0]]) }.first
    }

    /// A bare name means a class of the running program, as on Apple's platforms.
    private static let mainModule = ProcessInfo.processInfo.arguments.first
        .map { URL(fileURLWithPath: $0).lastPathComponent }
        .flatMap { isIdentifier($0) ? $0 : nil }

    private static func find(kinds: [String], path: [String]) -> AnyClass? {
        guard path.count == kinds.count + 1 else { return nil }
        let names = path.map { "\($0.utf8.count)\($0)" }
        return _typeByName(names[0] + zip(names.dropFirst(), kinds).map { $0 + $1 }.joined()) as? AnyClass
    }

    private static func demangled(_ text: Substring) -> AnyClass? {
        let kinds = text.prefix { "CVO".contains($0) }.map(String.init)
        var rest = text.dropFirst(kinds.count)
        var path: [String] = []
        while let first = rest.first, first.isNumber {
            let digits = rest.prefix { $0.isNumber }
            guard let count = Int(digits), rest.utf8.count >= digits.utf8.count + count else { return nil }
            let name = rest.dropFirst(digits.count).prefix(count)
            path.append(String(name))
            rest = rest.dropFirst(digits.count + name.count)
        }
        return rest.isEmpty ? find(kinds: kinds.reversed(), path: path) : nil
    }
}

/// The name of a class, by which ``NSClassFromString(_:)`` finds it.
///
/// As on Apple's platforms this is `Module.Class`, for one with `@objc(Name)` that name (in targets that use the plugin), and for a
/// class inside of another type a mangled name. Unlike Foundation's on
/// Linux it takes every class.
public func NSStringFromClass(_ aClass: AnyClass) -> String { ClassNames.name(of: aClass) }

/// The class of a name: `Module.Class`, a mangled name, or the bare name of a class of the program's own module, of Foundation,
/// of Core Data, or of a class that generated code made known.
public func NSClassFromString(_ aClassName: String) -> AnyClass? { ClassNames.class(named: aClassName) }
