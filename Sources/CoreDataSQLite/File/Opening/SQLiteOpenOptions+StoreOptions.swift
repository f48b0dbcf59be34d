@_spi(Engine) import CoreDataRows
import Foundation

extension SQLiteOpenOptions {
    /// Reads the options that a store is opened with.
    ///
    /// - Throws: `NSPersistentStoreOpenError` for a value that an option can't have. Options that there aren't are tolerated,
    ///   see ``StoreOptionNames``.
    package init(storeOptions: [AnyHashable: Any]?) throws {
        self.init()
        let options = storeOptions ?? [:]
        isReadOnly = options.isSet(NSReadOnlyPersistentStoreOption)
        if options[NSPersistentStoreTimeoutOption] != nil {
            guard let seconds = options.seconds(NSPersistentStoreTimeoutOption) else {
                throw SQLiteStoreError.error(.open, "\(NSPersistentStoreTimeoutOption) has to be a number of seconds")
            }
            timeout = min(seconds, Self.longestTimeout)
        }
        if let given = options[NSSQLitePragmasOption] { pragmas = try Self.pragmas(given) }
        if options[NSPersistentStoreConnectionPoolMaxSizeKey] != nil {
            // Zero is refused below.
            readerCount = options.seconds(NSPersistentStoreConnectionPoolMaxSizeKey).flatMap(Int.init(exactly:)) ?? 0
        }
        statementObserver = options[StatementObserverOption] as? StatementObserver
        analyzes = options.isSet(NSSQLiteAnalyzeOption)
        vacuums = options.isSet(NSSQLiteManualVacuumOption)
        if let protection = options[NSPersistentStoreFileProtectionKey] {
            CoreDataLog.write("file protection \(protection) means nothing here and is ignored", atLevel: 1)
        }
        guard timeout >= 0, timeout.isFinite else {
            throw SQLiteStoreError.error(.open, "\(NSPersistentStoreTimeoutOption) has to be a number of seconds")
        }
        guard readerCount > 0 else {
            throw SQLiteStoreError.error(.open, "\(NSPersistentStoreConnectionPoolMaxSizeKey) has to be 1 or more")
        }
    }

    /// As long as SQLite can count in milliseconds, which is more than three weeks.
    private static let longestTimeout = 2_000_000.0

    private static func pragmas(_ given: Any) throws -> [String: String] {
        guard let dictionary = given as? NSDictionary else {
            throw SQLiteStoreError.error(.open, "\(NSSQLitePragmasOption) has to be a dictionary of names and values")
        }
        var pragmas: [String: String] = [:]
        for (name, value) in dictionary {
            guard let name = name as? String, value is String || value is NSNumber else {
                throw SQLiteStoreError.error(
                    .open,
                    "\(NSSQLitePragmasOption) has to be a dictionary of names and values, not of \(name): \(value)")
            }
            pragmas[name] = "\(value)"
        }
        for name in try SQLitePragmaCheck.check(pragmas) {
            let hint = SQLitePragmaCheck.nearest(to: name).map { " Did you mean '\($0)'?" } ?? ""
            CoreDataLog.write(
                "SQLite has no pragma '\(name)' (\(NSSQLitePragmasOption)) and ignores it.\(hint)", atLevel: 0)
        }
        return pragmas
    }
}
