import CSwiftRuntime
@_spi(Engine) import CoreDataRows
import Foundation
import GRDB

/// What is found beside a database by its name, and written to: SQLite's own files, of which it also believes the names that a
/// journal has of files to be removed, and the folder of external values.
enum SQLiteSideFiles {
    /// What a rollback journal begins with, and what ends the name of a super-journal:
    /// <https://www.sqlite.org/fileformat.html#the_rollback_journal>.
    static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Refuses what a stranger may have laid beside a database, before SQLite looks at it.
    ///
    /// - Throws: an error where one of SQLite's files is a link, a folder or a pipe, or has another name, as SQLite would write into
    ///   another's file; where the folder of external values is a link, as what no row names is removed from it; and where a journal
    ///   names another journal, as SQLite would remove the file of that name. Only a transaction over several attached databases,
    ///   which Core Data never has, makes such a journal.
    static func check(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        let files = SQLiteStoreFiles(url)
        for file in files.sideFiles {
            guard let status = RegularFile.status(of: file.path) else { continue }
            guard status.isRegular else {
                throw SQLiteStoreError.error(
                    .open, "what lies beside it as \(file.lastPathComponent) is no file; move it away", url: url)
            }
            // In a copy of a folder that was made by hard links, the database has several names as well.
            guard !status.hasOtherName || RegularFile.status(of: path)?.hasOtherName == true else {
                throw SQLiteStoreError.error(
                    .open,
                    "what lies beside it as \(file.lastPathComponent) has another name, too, and may be another's; put a copy in its "
                        + "place", url: url)
            }
        }
        for folder in SQLiteFile.isInMemory(url) ? [] : [files.supportFolder, files.externalValues] {
            guard RegularFile.status(of: folder.path)?.isLink == true else { continue }
            throw SQLiteStoreError.error(
                .open,
                "the folder of its external values, \(folder.lastPathComponent), is a link; put the folder in its place",
                url: url)
        }
        // The length of the name, a checksum, and the mark.
        guard let end = RegularFile.lastBytes(of: files.journal.path, count: 16),
            end.suffix(8).elementsEqual(journalMagic),
            end.prefix(4).contains(where: { $0 != 0 })
        else { return }
        throw SQLiteStoreError.error(
            .fileReadCorrupt,
            "the journal beside it, \(files.journal.lastPathComponent), names a file to be removed, which no journal of Core Data's "
                + "does; move it away", url: url)
    }

    /// The same for the database of a connection that hasn't read from it yet.
    static func check(besides database: Database) throws {
        guard let path = main_database_path(database.sqliteConnection).map({ String(cString: $0) }), !path.isEmpty
        else { return }
        try check(path)
    }

    /// Whether something lies beside a database that SQLite takes for its own: it may play it back, overwrite it or remove it as soon
    /// as the database is opened for writing.
    static func exist(besides path: String) -> Bool {
        SQLiteStoreFiles(URL(fileURLWithPath: path)).sideFiles.contains { RegularFile.status(of: $0.path) != nil }
    }

    /// Removes SQLite's own files: beside another database they would be taken for that one's.
    static func remove(besides url: URL) throws {
        for file in SQLiteStoreFiles(url).sideFiles where FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }
}
