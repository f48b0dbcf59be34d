@_spi(Engine) import CoreDataRows
import Foundation
import GRDB

/// Copies the rows of a store together with the files that they name, while others may go on saving: a save removes the files whose
/// values it has replaced.
///
/// The files come before the rows that name them, and those that are left over are taken away last, so that at no time a row leads to
/// a file that isn't there.
final class SQLiteExternalDataCopy {
    private let source: SQLiteExternalData
    private let target: SQLiteExternalData
    /// The files that the copied rows name, and all others that the source had.
    private(set) var names: Set<String> = []
    /// The files that weren't there before.
    private(set) var new: [URL] = []
    /// Named files that weren't there when the last state was looked at: if a later one names them, they are missing for good.
    private var missing: Set<String> = []

    private static let attempts = 10

    /// A save has removed files of the state that was to be copied.
    private struct Outdated: Error {}

    init(of source: URL, to target: URL) {
        self.source = SQLiteExternalData(store: source)
        self.target = SQLiteExternalData(store: target)
    }

    /// - Parameter options: for the lock that keeps saves out where each attempt came too late.
    func run(from origin: SQLiteFile, into database: any DatabaseWriter, options: SQLiteOpenOptions) throws {
        for _ in 0..<Self.attempts {
            do {
                return try origin.copy(into: database, after: copyFiles)
            } catch is Outdated {
                continue
            }
        }
        let lock = try DatabaseQueue(
            path: source.store.path, configuration: SQLiteConnection.hardened(timeout: options.timeout))
        // It has written nothing.
        defer { try? lock.close() }
        try lock.writeWithoutTransaction { locked in
            try locked.inTransaction(.immediate) {
                try origin.copy(into: database, after: copyFiles)
                return .rollback
            }
        }
    }

    /// Takes away the copies of an attempt that has failed.
    func undo() { SQLiteExternalData.remove(new) }

    private func copyFiles(namedIn state: Database) throws {
        guard let from = source.folder, let to = target.folder else { return }
        let named = try source.namedFiles(in: state)
        // What no row names may stand in other tables.
        names = named.union(source.fileNames())
        guard !names.isEmpty else { return }
        try StoreFileMode.createFolder(to, like: target.store)
        var gone: Set<String> = []
        for name in names.sorted()
        where try !copy(from.appendingPathComponent(name), to: to.appendingPathComponent(name)) {
            gone.insert(name)
        }
        try Disk.synchronize(to)
        gone.formIntersection(named)
        let isOutdated = !gone.isSubset(of: missing)
        missing = gone
        if isOutdated { throw Outdated() }
    }

    /// - Returns: false where there is no such file, or a link, which may lead anywhere.
    private func copy(_ file: URL, to copy: URL) throws -> Bool {
        if FileManager.default.fileExists(atPath: copy.path) { return true }
        guard RegularFile.status(of: file.path)?.isRegular == true else { return false }
        new.append(copy)
        do {
            try StoreFileMode.copy(file, to: copy, within: target.store)
            try Disk.synchronize(copy)
            return true
        } catch {
            new.removeLast()
            SQLiteExternalData.remove([copy])
            // A save may have removed it just now.
            if RegularFile.status(of: file.path) == nil { return false }
            throw error
        }
    }
}

extension SQLiteExternalData {
    /// The names of the files that any row names, whichever model the tables are of.
    func namedFiles(in database: Database) throws -> Set<String> {
        var names: Set<String> = []
        for (table, column) in try Self.columnsOfBytes(database) {
            try collectFiles(named: .name(column), in: table, database, into: &names)
        }
        return names
    }

    /// The columns of objects' tables that may name files.
    static func columnsOfBytes(_ database: Database) throws -> [(table: String, column: String)] {
        let tables = try database.values(
            String.self, "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name LIKE 'Z%'")
        return try tables.flatMap { table in
            try database.values(
                String.self, "SELECT name FROM pragma_table_info(\(bind: .text(table))) WHERE upper(type) = 'BLOB'"
            ).map { (table, $0) }
        }
    }
}
