import Foundation
import GRDB

/// Makes saves fail in a database that is open elsewhere.
enum SQLiteSaveBreaker {
    /// - Returns: what makes saving possible again.
    static func breakSaving(at url: URL) throws -> @Sendable () throws -> Void {
        try change(url, "CREATE TRIGGER broken BEFORE UPDATE ON ZITEM BEGIN SELECT RAISE(ABORT, 'broken'); END")
        return { try change(url, "DROP TRIGGER broken") }
    }

    private static func change(_ url: URL, _ sql: String) throws {
        let database = try DatabaseQueue(path: url.path)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }
}
