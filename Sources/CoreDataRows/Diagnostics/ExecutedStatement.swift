import Foundation

/// A SQL statement that a store has run.
public struct ExecutedStatement: Sendable {
    /// The text, with question marks for the values.
    public let sql: String
    /// The text with the values in place of the question marks.
    public let expandedSQL: String
    /// How long it took, in seconds, from its first row to its last.
    public let duration: TimeInterval
    /// How many rows it gave.
    public let rowCount: Int

    package init(sql: String, expandedSQL: String, duration: TimeInterval, rowCount: Int) {
        self.sql = sql
        self.expandedSQL = expandedSQL
        self.duration = duration
        self.rowCount = rowCount
    }
}

/// Receives each SQL statement that a store runs: for logs, and for tests that count statements.
///
///     description.setOption(StatementObserver { print($0.sql) }, forKey: StatementObserverOption)
///
/// An addition to Apple's API, for SQLite stores. It's called on the thread that runs the statement, several threads at a
/// time, and must not use the store.
public final class StatementObserver: NSObject, Sendable {
    package let note: @Sendable (ExecutedStatement) -> Void

    /// Makes an observer that calls a closure after each statement, on the thread that ran it.
    public init(_ note: @escaping @Sendable (ExecutedStatement) -> Void) {
        self.note = note
        super.init()
    }
}

/// The option of a SQLite store that names a ``StatementObserver``. An addition to Apple's API.
public let StatementObserverOption = "CoreDataStatementObserver"
