import Foundation
import FoundationCompat
import ManagedObjectModel
import Synchronization

/// The classes that generated code has made known, by the names that models give them.
///
/// A bare class name can't be looked up in a Swift program, and key paths can't tell their names on Linux; so the code
/// that `CoreDataModelPlugin` generates registers both, before the program's main function runs. Thread-safe.
public enum GeneratedClasses {
    private struct State {
        var pending: [@Sendable () -> [String: NSManagedObject.Type]] = []
        /// By name, those that were registered last at the end.
        var classes: [String: [NSManagedObject.Type]] = [:]
    }

    private static let state = Mutex(State())

    /// Makes classes and key paths known. Each is asked for when something is looked up for the first time.
    @_spi(GeneratedCode) public static func register(
        classes: @escaping @Sendable () -> [String: NSManagedObject.Type],
        keyPaths: @escaping @Sendable () -> [AnyKeyPath: String]
    ) {
        state.withLock { $0.pending.append(classes) }
        ClassNames.register(later: { classes() })
        KeyPathNames.register(later: keyPaths)
    }

    /// Makes properties known that key-value coding finds by name: those that a class declares itself, with bodies of their
    /// own, and that are Objective-C's on Apple's platforms. Their key paths have these names, in every target. They are asked
    /// for when the first one is looked up.
    public static func register(properties: @escaping @Sendable () -> [AnyKeyPath: String]) {
        DeclaredProperties.register(later: properties)
        KeyPathNames.register(later: properties)
    }

    /// Makes methods of the form `validate<Key>` known.
    @_spi(GeneratedCode) public static func register(validators: @escaping @Sendable () -> [DeclaredValidator]) {
        DeclaredValidator.register(later: validators)
    }

    /// Makes methods known that are found by their selectors: by keys, in expressions, and as `keyPathsForValuesAffecting<Key>`.
    @_spi(GeneratedCode) public static func register(methods: @escaping @Sendable () -> [DeclaredMethod]) {
        DeclaredMethods.register(later: methods)
    }

    /// Makes the names known that classes have by `@objc(Name)`, for ``NSStringFromClass(_:)`` and ``NSClassFromString(_:)``.
    @_spi(GeneratedCode) public static func register(
        objectiveCNames: @escaping @Sendable () -> [String: AnyClass]
    ) {
        ClassNames.register(laterByObjectiveCName: objectiveCNames)
    }

    /// Makes the names known that classes have in archives on Apple's platforms, by `@objc(Name)`. From now on value
    /// transformers write them, and Foundation's unarchiver finds the classes by them; an archive with the class's own name is read
    /// as before.
    @_spi(GeneratedCode) public static func register(archivedClasses: () -> [String: NSObject.Type]) {
        for (name, archived) in archivedClasses() {
            ArchivedClassNames.register(name, for: archived)
            NSKeyedUnarchiver.setClass(archived, forClassName: name)
        }
    }

    /// Makes the resource bundle of a target with models known, so that containers find them by name.
    ///
    /// - Parameter resources: gives the target's `Bundle.module`, which is of the main actor where the target isolates to that whatever
    ///   says nothing. It is a constant that can be read anywhere.
    @_spi(GeneratedCode) public static func register(resources: @escaping @MainActor @Sendable () -> Bundle) {
        ModelBundles.register(unsafeBitCast(resources, to: (@Sendable () -> Bundle).self))
    }

    /// The class of a name, without its module. Where modules have classes of the same name, that of the last one.
    static func `class`(named name: String) -> NSManagedObject.Type? { all(named: name).last }

    /// The class of a name, without its module, in the target whose bundle it is.
    static func `class`(named name: String, of bundle: TargetBundle) -> NSManagedObject.Type? {
        all(named: name).last { bundle.isOfModule(of: $0) }
    }

    private static func all(named name: String) -> [NSManagedObject.Type] {
        state.withLock { state in
            for provide in state.pending {
                for (name, objectClass) in provide() { state.classes[name, default: []].append(objectClass) }
            }
            state.pending = []
            return state.classes[name] ?? []
        }
    }
}
