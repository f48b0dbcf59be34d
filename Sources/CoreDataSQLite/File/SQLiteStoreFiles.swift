@_spi(Engine) import CoreDataRows
import Foundation

/// The files of a store in an SQLite database: SQLite and Core Data name all of them after the database.
struct SQLiteStoreFiles {
    let database: URL

    init(_ database: URL) { self.database = database }

    /// What was committed and isn't in the database yet: <https://www.sqlite.org/walformat.html>.
    var log: URL { beside("-wal") }
    /// The index of the log, which processes share.
    var logIndex: URL { beside("-shm") }
    /// What a transaction that wasn't committed has overwritten: <https://www.sqlite.org/fileformat.html#the_rollback_journal>.
    var journal: URL { beside("-journal") }

    /// Those that SQLite makes beside the database and takes for its own.
    var sideFiles: [URL] { [log, logIndex, journal] }
    /// Those that what is in the store can be read from.
    var withContents: [URL] { [database, log, journal] }

    /// The folder of files that Core Data keeps beside the database.
    var supportFolder: URL {
        let name = database.deletingPathExtension().lastPathComponent
        return database.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
    }
    /// The folder of values that are too long for a row.
    var externalValues: URL { supportFolder.appendingPathComponent("_EXTERNAL_DATA", isDirectory: true) }

    /// The files with contents of another store, in the same order.
    func pairsWithContents(of other: SQLiteStoreFiles) -> [(URL, URL)] { Array(zip(withContents, other.withContents)) }

    private func beside(_ suffix: String) -> URL { URL(fileURLWithPath: database.path + suffix) }
}

/// What the files of a store look like from outside, which changes with whatever is written to them.
package struct SQLiteFileState: Equatable, Sendable {
    private let parts: [FileStamp?]

    package init(_ url: URL) { parts = SQLiteStoreFiles(url).withContents.map { FileStamp(path: $0.path) } }
}
