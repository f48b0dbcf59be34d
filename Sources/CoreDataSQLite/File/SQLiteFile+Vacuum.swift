@_spi(Engine) import CoreDataRows
import GRDB

extension SQLiteFile {
    /// Does what the store's options ask for once, when it is opened. A read-only store stays as it is.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` where others kept the file locked for too long.
    package func maintain(_ options: SQLiteOpenOptions) throws {
        guard !isReadOnly, options.analyzes || options.vacuums else { return }
        do {
            try connections.writeWithoutTransaction { database in
                if options.vacuums { try SQLiteConnection.vacuum(database) }
                if options.analyzes { try database.run("ANALYZE") }
            }
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
    }
}
