import CoreDataSQL
import Foundation
import GRDB

extension SQLiteExternalData {
    /// Gives the files that the store's rows name new names, in a store that nobody has open.
    ///
    /// What rows of other tables say of them isn't changed, and leads nowhere then.
    func renameFiles() throws {
        guard let folder else { return }
        let queue = try DatabaseQueue(path: store.path, configuration: SQLiteConnection.hardened(timeout: 0))
        try queue.writeWithoutTransaction { database in
            // What they compute isn't computed of names of files.
            try SQLiteConnection.disableTriggers(database)
            try database.run("CREATE TEMP TABLE OCD_NAMES (OLD BLOB PRIMARY KEY, NEW BLOB)")
            try database.inTransaction {
                for name in try namedFiles(in: database) {
                    let new = UUID().uuidString
                    let file = folder.appendingPathComponent(name)
                    // A file that is missing stays so under either name.
                    guard FileManager.default.fileExists(atPath: file.path) else { continue }
                    try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent(new))
                    let (old, stored) = (Self.stored(name), Self.stored(new))
                    try database.run("INSERT INTO OCD_NAMES VALUES (\(bind: .blob(old)), \(bind: .blob(stored)))")
                }
                for (table, column) in try Self.columnsOfBytes(database) {
                    let (rows, value): (SQLFragment, SQLFragment) = (.name(table), .name(column))
                    try database.run(
                        """
                        UPDATE \(rows) SET \(value) = (SELECT NEW FROM OCD_NAMES WHERE OLD = \(value)) \
                        WHERE length(\(value)) = 38 AND \(value) IN (SELECT OLD FROM OCD_NAMES)
                        """)
                }
                return .commit
            }
        }
        try queue.close()
    }
}
