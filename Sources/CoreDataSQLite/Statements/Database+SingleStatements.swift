import GRDB

extension Database {
    /// Runs one statement. GRDB's own `execute(sql:)` would run all that follow it as well, so nothing here calls that.
    ///
    /// What reads rows is prepared by GRDB or ``SQLiteStatement``, which take one statement only.
    ///
    /// - Throws: `SQLITE_MISUSE` where the text has more in it than one statement, of which nothing was run then; SQLite's errors.
    package func run(_ sql: String, arguments: StatementArguments = StatementArguments()) throws {
        // SQLite stops reading there.
        guard !sql.utf8.contains(0) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a statement has a NUL in it", sql: sql)
        }
        try makeStatement(sql: sql).execute(arguments: arguments)
    }
}
