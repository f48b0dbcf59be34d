import CoreData
import Foundation

/// What every store must do, to be run against a store class of one's own.
///
/// The rules are those that the stores of this package are held to: all attribute types, relationships, predicates,
/// order, the four result types, faulting, conflicts, metadata, failed saves, bad files, Save As and migration both ways. In
/// a suite of Swift Testing:
///
/// ```swift
/// @Suite struct NotebookStoreTests {
///     static let conformance = StoreConformance(storeClass: NotebookStore.self, storeType: NotebookStore.storeType)
///
///     @Test(arguments: conformance.rules)
///     func keeps(_ rule: StoreRule) throws { try Self.conformance.check(rule) }
/// }
/// ```
///
/// Each rule works in a folder of its own, on stores of its own, and may run beside the others. The properties of this
/// type say what is different about a store: where it lies, and how the suite can break it.
public struct StoreConformance: Sendable {
    /// The type under which the store class is registered.
    public let storeType: String
    /// The options that stores are opened with.
    public var options: [String: any Sendable] = [:]
    /// Whether what was saved is there when the store is opened again at the same URL. A store in memory says false; rules
    /// that need it aren't among ``rules`` then.
    public var keepsContents = true
    /// Whether the store takes a URL at which there is a file of zero length as a new store, as atomic stores must.
    public var takesReservations = true
    /// Whether several stacks may have the store open at once and see what the others save, as with a database or a
    /// service. An atomic store says false: it has read its file when it was opened.
    public var isShared = false
    /// Whether a new store makes its file before it is saved for the first time, as a SQLite store does. Otherwise nothing
    /// may be left of a store that was never saved.
    public var makesFilesAtOnce = false
    /// Whether the store can be without a URL, as atomic stores must.
    public var worksWithoutURL = true
    /// Whether the store can be migrated when it is opened, as one that is a file or a folder can. Any other must refuse then,
    /// and stay as it was.
    public var migratesWhereItLies = true
    /// Whether `metadataForPersistentStore(ofType:at:)` and its counterpart work without opening the store.
    public var hasMetadataWithoutStack = true
    /// Where in a folder, which is the rule's own, a new store goes.
    public var place: @Sendable (_ folder: URL) throws -> URL = { $0.appendingPathComponent("store") }
    /// Makes the next save of a store fail, and gives back what makes saving possible again. Nil where there is no such
    /// way; the rules about failed saves aren't among ``rules`` then.
    public var breakSaving: (@Sendable (_ store: URL) throws -> @Sendable () throws -> Void)? = Self.moveFolderAway
    /// Ways to damage the files of a saved store so that it can't be opened any more. Opening must throw then.
    public var damages: [Damage] = [.garbage]

    /// One way to make a store unreadable.
    public struct Damage: Sendable {
        /// What is done, for the message of a failure.
        public let name: String
        /// Damages the files of the store at a URL.
        public let apply: @Sendable (_ store: URL) throws -> Void

        /// Makes a way to damage a store at a URL.
        public init(_ name: String, apply: @escaping @Sendable (_ store: URL) throws -> Void) {
            self.name = name
            self.apply = apply
        }

        /// The file holds something else.
        public static let garbage = Damage("a file that holds something else") { url in
            try Data("\u{1}\u{2}This is no store. \u{FFFD}{[<".utf8).write(to: url)
        }
    }

    /// Makes a suite for a store class, which it registers.
    public init(storeClass: NSPersistentStore.Type, storeType: String) {
        self.storeType = storeType
        NSPersistentStoreCoordinator.registerStoreClass(storeClass, forStoreType: storeType)
    }

    /// Makes a suite for a store type that is registered.
    public init(storeType: String) { self.storeType = storeType }

    /// The store's folder is moved to another place, so that no file can be written in it.
    public static let moveFolderAway: @Sendable (URL) throws -> @Sendable () throws -> Void = { url in
        let folder = url.deletingLastPathComponent()
        let away = folder.appendingPathExtension("away")
        try FileManager.default.moveItem(at: folder, to: away)
        return { try FileManager.default.moveItem(at: away, to: folder) }
    }

    // MARK: Running

    /// The rules that concern the store.
    public var rules: [StoreRule] { StoreRule.all.filter { $0.concerns(self) } }

    /// Holds the store to one rule.
    ///
    /// - Throws: ``StoreRuleFailure``, which says everything that was otherwise than expected.
    public func check(_ rule: StoreRule) throws {
        let trial = try StoreTrial(self)
        do {
            try rule.body(trial)
        } catch {
            trial.recordFailure("No error, but there was this one: \(error)")
        }
        trial.cleanUp()
        if !trial.failures.isEmpty { throw StoreRuleFailure(rule: rule, storeType: storeType, details: trial.failures) }
    }

    /// Holds the store to all rules.
    ///
    /// - Returns: what failed; nothing when the store keeps every rule.
    public func run() -> [StoreRuleFailure] {
        rules.compactMap { rule in
            do {
                try check(rule)
                return nil
            } catch {
                return error as? StoreRuleFailure
                    ?? StoreRuleFailure(rule: rule, storeType: storeType, details: ["\(error)"])
            }
        }
    }
}
