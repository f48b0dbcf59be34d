import Foundation

extension SQLiteOpenOptions {
    /// Reads the options that a store is opened with.
    ///
    /// - Throws: `NSPersistentStoreOpenError` for an option that this version doesn't have: it must not look as if it did.
    init(storeOptions: [AnyHashable: Any]?) throws {
        self.init()
        let options = storeOptions ?? [:]
        isReadOnly = (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        if let seconds = options[NSPersistentStoreTimeoutOption] as? NSNumber { timeout = seconds.doubleValue }
        if let given = options[NSSQLitePragmasOption] as? NSDictionary {
            for (name, value) in given {
                if let name = name as? String { pragmas[name] = "\(value)" }
            }
        }
        statementObserver = options[StatementObserverOption] as? StatementObserver
        for name in Self.unsupported {
            if (options[name] as? NSNumber)?.boolValue == true {
                throw SQLiteStoreError.error(.open, "the option \(name) isn't supported by this version")
            }
        }
    }

    private static let unsupported = [
        "NSPersistentStoreRemoteChangeNotificationOptionKey", "NSSQLiteAnalyzeOption",
        "NSSQLiteManualVacuumOption", "NSBinaryStoreInsecureDecodingCompatibilityOption",
    ]
}
