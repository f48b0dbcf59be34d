import CoreDataSQL
import GRDB
import GRDBSQLite

/// How statements are run: each is a fragment, so that no text gets into one without its names quoted and its values bound.
extension Database {
    /// Runs one statement. GRDB's own `execute(sql:)` would run all that follow it as well, so nothing here calls that.
    ///
    /// What reads rows is prepared by GRDB or ``SQLiteStatement``, which take one statement only.
    ///
    /// - Throws: `SQLITE_MISUSE` where the text has more in it than one statement, of which nothing was run then; SQLite's errors.
    package func run(_ statement: SQLFragment) throws {
        // SQLite stops reading there.
        guard !statement.text.utf8.contains(0) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a statement has a NUL in it", sql: statement.text)
        }
        try makeStatement(sql: statement.text).execute(arguments: statement.arguments)
    }

    /// All rows of a query.
    package func rows(_ query: SQLFragment) throws -> [Row] {
        try Row.fetchAll(self, sql: query.text, arguments: query.arguments)
    }

    /// The rows of a query, one after the other.
    package func cursor(_ query: SQLFragment) throws -> RowCursor {
        try Row.fetchCursor(self, sql: query.text, arguments: query.arguments)
    }

    /// The first row of a query; nil where it has none.
    package func row(_ query: SQLFragment) throws -> Row? {
        try Row.fetchOne(self, sql: query.text, arguments: query.arguments)
    }

    /// The value in the first column of the first row; nil where there is no row, or no value.
    package func value<Value: DatabaseValueConvertible>(_ type: Value.Type, _ query: SQLFragment) throws -> Value? {
        try decoding(query) { try Value.fetchOne(self, sql: query.text, arguments: query.arguments) }
    }

    /// The values in the first column of all rows.
    package func values<Value: DatabaseValueConvertible>(_ type: Value.Type, _ query: SQLFragment) throws -> [Value] {
        try decoding(query) { try Value.fetchAll(self, sql: query.text, arguments: query.arguments) }
    }

    /// - Throws: 259 where a value of the file isn't of the type that it has to have, such as a text in the place of a number.
    private func decoding<Result>(_ query: SQLFragment, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw error
        } catch {
            throw SQLiteStoreError.error(
                .fileReadCorrupt, "a value isn't of the type that it has to have, in the answer to: \(query.text)")
        }
    }
}

extension Database {
    /// Writes the pages that the transaction has changed, which COMMIT would do otherwise: into the log, or into the file where there
    /// is none.
    ///
    /// - Throws: SQLite's error, such as that of a full disk; the transaction can be rolled back then.
    package func writeChangedPages() throws {
        let status = sqlite3_db_cacheflush(sqliteConnection)
        guard status == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: status), message: lastErrorMessage)
        }
    }
}

extension SQLFragment {
    fileprivate var arguments: StatementArguments { StatementArguments(bindings.map(\.databaseValue)) }
}

extension SQLBinding {
    package var databaseValue: DatabaseValue {
        switch self {
        case .null: return .null
        case .int(let value): return value.databaseValue
        case .double(let value): return value.databaseValue
        case .text(let value): return value.databaseValue
        case .blob(let value): return value.databaseValue
        }
    }
}
