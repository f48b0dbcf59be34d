import Foundation
import FoundationCompat
import Synchronization

/// The options of stores that have an effect here.
enum StoreOptionNames {
    private enum Kind {
        case boolean, number, dictionary, stages, anything
    }

    /// What every kind of store goes by.
    private static let general: [String: Kind] = [
        NSReadOnlyPersistentStoreOption: .boolean, NSIgnorePersistentStoreVersioningOption: .boolean,
        NSMigratePersistentStoresAutomaticallyOption: .boolean, NSInferMappingModelAutomaticallyOption: .boolean,
        NSPersistentStoreForceDestroyOption: .boolean, NSPersistentStoreFileProtectionKey: .anything,
        NSPersistentStoreStagedMigrationManagerOptionKey: .stages, NSPersistentStoreTimeoutOption: .number,
    ]
    /// What only SQLite stores have a use for.
    private static let ofSQLite: [String: Kind] = [
        NSSQLitePragmasOption: .dictionary, NSSQLiteAnalyzeOption: .boolean, NSSQLiteManualVacuumOption: .boolean,
        NSPersistentStoreConnectionPoolMaxSizeKey: .number,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: .boolean,
        NSPersistentHistoryTrackingKey: .boolean,
        NSPersistentStoreDeferredLightweightMigrationOptionKey: .boolean, StatementObserverOption: .anything,
    ]
    private static let logged = Mutex<Set<String>>([])

    /// Looks the options of one of the framework's own stores over. Those that it has no use for are tolerated, as on Apple's
    /// platforms, but the log names each once: a misspelt one would otherwise look as if it did something. Other classes of
    /// stores have options of their own.
    ///
    /// - Throws: `NSPersistentStoreOpenError` for a value that an option can't have, whatever the kind of store.
    static func check(_ options: [AnyHashable: Any]?, _ storeClass: NSPersistentStore.Type) throws {
        let range = storeClass.optionRange
        guard let options, range != .own else { return }
        let known = general.merging(ofSQLite) { first, _ in first }
        for (key, value) in options {
            let name = key.base as? String ?? "\(key)"
            guard let kind = known[name] else {
                let hint = Spelling.nearest(to: name, among: Array(known.keys)).map { " Did you mean '\($0)'?" } ?? ""
                logOnce("the store option '\(name)' means nothing here and is ignored.\(hint)", of: name)
                continue
            }
            try check(value, of: name, kind)
            if range == .general, ofSQLite[name] != nil, options.isOn(name) {
                logOnce("the store option '\(name)' is for SQLite stores; others ignore it.", of: name)
            }
        }
    }

    private static func check(_ value: Any, of name: String, _ kind: Kind) throws {
        let isRight =
            switch kind {
            case .boolean: value is NSNumber || value is String || (value as? [String: Any])?[name] is NSNumber
            case .number: value is NSNumber || (value as? String).flatMap(Double.init) != nil
            case .dictionary: value is NSDictionary
            case .stages: value is NSStagedMigrationManager
            case .anything: true
            }
        guard isRight else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError,
                "The store option '\(name)' has to be \(expectation(kind)), and not \(value) (\(type(of: value))).")
        }
        if kind == .boolean, let text = value as? String,
            !["yes", "no", "true", "false", "1", "0"].contains(text.lowercased())
        {
            logOnce(
                "the store option '\(name)' is '\(text)', which counts as \((text as NSString).boolValue).", of: name)
        }
    }

    private static func expectation(_ kind: Kind) -> String {
        switch kind {
        case .boolean: "a Boolean"
        case .number: "a number"
        case .dictionary: "a dictionary of names and values"
        case .stages: "an NSStagedMigrationManager"
        case .anything: "anything"
        }
    }

    private static func logOnce(_ text: @autoclosure () -> String, of name: String) {
        if logged.withLock({ $0.insert(name).inserted }) { CoreDataLog.write(text(), atLevel: 0) }
    }
}

extension [AnyHashable: Any] {
    /// Whether an option asks for something: a Boolean that is false doesn't.
    fileprivate func isOn(_ option: String) -> Bool { (self[option] as? NSNumber)?.boolValue ?? true }
}
