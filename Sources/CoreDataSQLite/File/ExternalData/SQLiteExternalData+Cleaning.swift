@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB

extension SQLiteExternalData {
    /// Removes the files that no row of any table names: what a process left that ended between writing a file and saving the row, or
    /// between saving and removing.
    ///
    /// Only files with names of our form are removed. A save writes its files inside its transaction, so a process that
    /// holds the write lock sees no files of an unfinished save. Where another process is writing at the moment, the
    /// next opening removes them.
    package func removeOrphans(schema: SQLiteSchema, in store: SQLiteFile) throws {
        guard let folder, !isShared else { return }
        let candidates = fileNames()
        guard !candidates.isEmpty else { return }
        var unnamed: Set<String> = []
        try store.writeIfFree { database in
            let rest = candidates.subtracting(try namedFiles(schema, database))
            if rest.isEmpty { return }
            let tables = Set(schema.entities.compactMap { $0?.table })
            let mentions = SQLiteFileMentions(candidates: rest, database: database)
            guard let others = try mentions.find(exactlyIn: tables), try isWhole(schema, database, files: candidates)
            else { return }
            unnamed = rest.subtracting(others.keys)
        }
        // No later row names them, as each value's file has a name of its own.
        store.removeObsolete(unnamed.map { folder.appendingPathComponent($0) })
    }

    /// Whether nothing shows that rows are damaged: the files of such rows are what is left of their values, and wait for the doctor. It
    /// is asked only where files would be removed, as the whole database is read for it.
    private func isWhole(_ schema: SQLiteSchema, _ database: Database, files: Set<String>) throws -> Bool {
        for (table, column) in Self.columns(schema) {
            let value: SQLFragment = .name(column)
            let stored = try database.cursor(
                """
                SELECT \(value) FROM \(.name(table)) WHERE typeof(\(value)) = 'blob' AND length(\(value)) > 0 \
                AND substr(\(value), 1, 1) <> X'01'
                """)
            while let row = try stored.next() {
                let data: Data = row[0]
                // One that isn't there may be one whose name is damaged.
                guard let file = data.withUnsafeBytes({ file(named: $0) }), files.contains(file.lastPathComponent)
                else {
                    return false
                }
            }
        }
        return try database.value(String.self, "PRAGMA quick_check(1)") == "ok"
    }

    /// The files in the folder with names of our form. Others don't belong to the store.
    package func fileNames() -> Set<String> {
        guard let folder else { return [] }
        // A folder that isn't there has no files.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return Set(names.filter { UUID(uuidString: $0)?.uuidString == $0 })
    }

    /// Whether another database has the same folder for its files.
    package var isShared: Bool { !sharers.isEmpty }

    /// The other databases in the store's folder that have the same name but for its extension, and so the same folder for
    /// their files.
    var sharers: [URL] {
        let place = store.deletingLastPathComponent()
        let name = store.deletingPathExtension().lastPathComponent
        // Where the folder can't be listed, no neighbour can be found.
        let neighbours = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return neighbours.map(place.appendingPathComponent).filter { file in
            // The files that SQLite keeps beside a database aren't databases themselves.
            guard file.deletingPathExtension().lastPathComponent == name,
                file.lastPathComponent != store.lastPathComponent
            else { return false }
            // This process may have it open in SQLite. What can't be read isn't known to be a database.
            return SQLiteFileLocks.inspect(file.path, count: Self.databaseHeader.count)?.header == Self.databaseHeader
        }
    }

    private static let databaseHeader = Array("SQLite format 3\0".utf8)

    /// The names of the files that rows of the store name.
    func namedFiles(_ schema: SQLiteSchema, _ database: Database) throws -> Set<String> {
        var names: Set<String> = []
        for (table, column) in Self.columns(schema) {
            try collectFiles(named: .name(column), in: table, database, into: &names)
        }
        return names
    }

    /// Adds the files that the rows of a table name in one column.
    func collectFiles(named value: SQLFragment, in table: String, _ database: Database, into names: inout Set<String>)
        throws
    {
        // The length alone needs no look at the value's pages.
        let rows = try database.cursor(
            "SELECT \(value) FROM \(.name(table)) WHERE typeof(\(value)) = 'blob' AND length(\(value)) = 38")
        while let row = try rows.next() {
            let data: Data = row[0]
            if let file = data.withUnsafeBytes({ file(named: $0) }) { names.insert(file.lastPathComponent) }
        }
    }

    /// Each column that may name files, once.
    private static func columns(_ schema: SQLiteSchema) -> [(table: String, column: String)] {
        var seen: Set<[String]> = []
        return schema.entities.compactMap { $0 }.flatMap { entity in
            entity.layout.storedLeaves.compactMap { property in
                guard property.attribute?.allowsExternalBinaryDataStorage ?? false,
                    let column = entity.column(of: property)?.name, seen.insert([entity.table, column]).inserted
                else { return nil }
                return (entity.table, column)
            }
        }
    }
}
