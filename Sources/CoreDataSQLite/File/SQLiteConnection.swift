import Foundation
import GRDB

/// The configuration of every connection to a database. Configurations are made nowhere else.
package enum SQLiteConnection {
    /// For a connection to a store: hardened, with the functions of translated predicates and what the store's options ask for.
    ///
    /// - Parameter check: looks at a file that is opened for writing, before anything of it changes.
    package static func configuration(
        options: SQLiteOpenOptions, path: String, check: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) throws -> Configuration {
        var configuration = hardened(timeout: options.timeout)
        configuration.maximumReaderCount = max(1, options.readerCount)
        let pragmas = try options.pragmaStatements()
        let (journalMode, usesPool) = (options.journalMode, options.usesPool)
        let trace = StatementTrace([StatementLog.observer, options.statementObserver].compactMap { $0 })
        configuration.prepareDatabase { database in
            trace?.install(in: database)
            options.recomputedRows.register(SQLiteDerivationTriggers.functions, in: database)
            try SQLiteQueryFunctions.register(in: database)
            if !database.configuration.readonly {
                try check(database)
                // Without a journal, which the program may ask for, a connection isn't defensive in SQLite's sense.
                try withWritableSchema(database) { try prepareFile(database, at: path, journalMode: journalMode) }
                if usesPool { try fillLog(of: database, at: path) }
            }
            trustSpatialIndexes(in: database)
            try run(pragmas, in: database)
        }
        return configuration
    }

    package static func isBlank(_ database: Database) throws -> Bool {
        try database.value(Int.self, "SELECT COUNT(*) FROM sqlite_master") == 0
    }
}
