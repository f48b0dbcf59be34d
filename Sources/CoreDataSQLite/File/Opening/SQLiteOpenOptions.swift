@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// How a store file is to be opened.
package struct SQLiteOpenOptions: Sendable {
    package var isReadOnly = false
    /// How long to wait, in seconds, for another process that has the file locked. 240 is what Apple documents for
    /// `NSPersistentStoreTimeoutOption`.
    package var timeout: TimeInterval
    /// `NSSQLitePragmasOption`: names and values of pragmas for each connection.
    package var pragmas: [String: String]
    /// Records the rows that triggers change.
    package var recomputedRows = SQLiteRecomputedRows()
    /// The program's observer of statements.
    package var statementObserver: StatementObserver?
    /// How many reads run side by side, beside the writer; 0 where one connection does everything.
    package var readerCount = 4
    /// `NSSQLiteAnalyzeOption`: whether SQLite is to gather statistics about indexes when the store is opened.
    package var analyzes = false
    /// `NSSQLiteManualVacuumOption`: whether the file is to be rebuilt without free pages when the store is opened.
    package var vacuums = false

    package init(timeout: TimeInterval = 240, pragmas: [String: String] = [:]) {
        self.timeout = timeout
        self.pragmas = pragmas
    }

    /// For a single piece of work: one connection is opened in half the time.
    package var forOneTask: SQLiteOpenOptions {
        var options = self
        options.readerCount = 0
        return options
    }

    /// The usual options, for one piece of work.
    static let oneTask = SQLiteOpenOptions().forOneTask

    /// The journal mode asked for, in lower case; `wal` where none was.
    package var journalMode: String {
        pragmas.first { $0.key.lowercased() == "journal_mode" }?.value.lowercased() ?? "wal"
    }

    /// Whether readers have connections of their own. Only with a write-ahead log can they be used while another
    /// connection writes.
    var usesPool: Bool { journalMode == "wal" && readerCount > 0 && !locksExclusively }

    /// Whether the first connection keeps out all others, our own included.
    private var locksExclusively: Bool {
        pragmas.contains { $0.key.lowercased() == "locking_mode" && $0.value.lowercased() == "exclusive" }
    }
}
