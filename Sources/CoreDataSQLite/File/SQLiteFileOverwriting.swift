@_spi(Engine) import CoreDataRows
import Foundation
import GRDB

/// Empties store files and replaces their contents, by SQLite's locks, with the files that belong to them.
package enum SQLiteFileOverwriting {
    /// What a file is that is neither a database nor looks like what is left of one; nil for the others.
    static func foreignContents(_ probe: SQLiteFileProbe) -> String? {
        guard probe.size > 0, !probe.header.starts(with: Array("SQLite".utf8)), !RefusedFiles.contains(probe.url) else {
            return nil
        }
        // A header that a crash has left empty, or that was cut off.
        if probe.header.allSatisfy({ $0 == 0 }) || Array("SQLite format 3\0".utf8).starts(with: probe.header) {
            return nil
        }
        if probe.hasSQLiteFileBeside { return nil }
        if let folder = SQLiteExternalData(store: probe.url).folder, exists(folder) { return nil }
        return "isn't a SQLite database"
    }

    static let otherProgram = "is a database of another program: it has tables, and none of Core Data's"

    static func refusal(_ purpose: String, _ what: String, _ url: URL) -> NSError {
        SQLiteStoreError.error(
            .operation,
            "the file \(what), so it isn't \(purpose); check the path, or set \(NSPersistentStoreForceDestroyOption)",
            url: url)
    }

    static func removeFiles(_ url: URL) throws {
        try SQLiteSideFiles.remove(besides: url)
        if exists(url) { try FileManager.default.removeItem(at: url) }
    }

    static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    /// Whether there are tables, and none that Core Data makes. A store that lacks some of them is damaged.
    static func isForeign(_ database: Database) throws -> Bool {
        let names = try database.values(
            String.self, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        return !names.isEmpty && !names.contains { $0.hasPrefix("Z") }
    }
}
