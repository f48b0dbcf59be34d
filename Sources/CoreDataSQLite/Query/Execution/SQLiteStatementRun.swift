import CoreDataSQL
import Foundation
import GRDB
import GRDBSQLite

/// A translated statement with its parameters bound, ready to be stepped through.
package struct SQLiteStatementRun {
    /// The compiled statement, on the row that the loop is at.
    package var handle: OpaquePointer { statement.handle }
    private let statement: SQLiteStatement
    private let url: URL

    /// - Parameter url: where the store is, for errors.
    package init(_ translated: SQLStatement, in db: Database, at url: URL) throws {
        self.url = url
        do {
            try QueryPlan.log(translated.fragment, in: db)
            statement = try SQLiteStatement(db, translated.fragment)
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
    }

    /// Steps through all rows. However it ends, the statement is left reset, so that it holds no lock.
    package func forEachRow(_ body: (OpaquePointer) throws -> Void) throws {
        defer { statement.reset() }
        while try next() { try body(statement.handle) }
    }

    /// How many rows were looked at one after the other, for want of an index, since the last call; starts counting anew.
    func drainScannedRowCount() -> Int {
        Int(sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
    }

    private func next() throws -> Bool {
        do {
            return try statement.next()
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
    }
}
