@_spi(Engine) import CoreDataRows
import Foundation

/// A private copy of a store and its journal, for reading what is in a log that no connection has open.
///
/// SQLite can't read a write-ahead log, or a database that has to be rolled back, without writing beside it.
package final class SQLiteTemporaryCopy: Sendable {
    package let url: URL
    private let folder: URL

    package init(of original: URL) throws {
        let manager = FileManager.default
        folder = manager.temporaryDirectory.appendingPathComponent("CoreData-\(UUID().uuidString)", isDirectory: true)
        url = folder.appendingPathComponent("store.sqlite")
        do {
            try manager.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for (file, copy) in SQLiteStoreFiles(original).pairsWithContents(of: SQLiteStoreFiles(url))
            where manager.fileExists(atPath: file.path) {
                try StoreFileMode.copy(file, to: copy)
                try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
            }
        } catch {
            // The failure that is thrown is the one that matters.
            try? manager.removeItem(at: folder)
            throw SQLiteStoreError.error(
                .open, "it has changes in a log, and a copy to read them in can't be made", url: original,
                underlying: error)
        }
    }

    deinit {
        // It lies in the system's folder for what may go.
        try? FileManager.default.removeItem(at: folder)
    }
}
