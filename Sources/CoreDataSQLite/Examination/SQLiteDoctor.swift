@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import ManagedObjectModel

/// Examines stores that aren't open, and mends them.
package enum SQLiteDoctor {
    /// What is wrong with a store. Nothing on disk changes.
    package static func examine(_ url: URL, model: NSManagedObjectModel) throws -> [StoreFinding] {
        let file = try SQLiteFile.openForReading(url)
        // What was committed is in the file or its log.
        defer { try? file.close() }
        return try file.read { try problems(in: $0, url, model).map(\.finding) }
    }

    /// Mends what can be mended without losing a value, after a copy of the store was made beside it.
    ///
    /// - Returns: the copy, and what is still wrong.
    package static func repair(_ url: URL, model: NSManagedObjectModel) throws -> (backup: URL, left: [StoreFinding]) {
        let backup = try backUp(url)
        guard let file = try SQLiteFile.openForWriting(url) else {
            throw SQLiteStoreError.error(.fileReadNoSuchFile, "there is no store", url: url)
        }
        // What was committed is in the file or its log.
        defer { try? file.close() }
        let (files, left) = try file.write { database -> ([URL], [StoreFinding]) in
            let found = try problems(in: database, url, model)
            for problem in found where !problem.repairs.isEmpty { try mend(problem, in: database) }
            return (found.compactMap(\.file), try problems(in: database, url, model).map(\.finding))
        }
        let folder = backup.deletingPathExtension().appendingPathExtension("files")
        for orphan in files {
            try StoreFileMode.createFolder(folder, like: url)
            try FileManager.default.moveItem(at: orphan, to: folder.appendingPathComponent(orphan.lastPathComponent))
        }
        // What was moved just now isn't left; what something may name is.
        return (backup, left.filter { $0.kind != .orphanFile || !$0.isRepairable })
    }

    /// One by one: what other damage stands in the way of is left as it is.
    private static func mend(_ problem: SQLiteExamination.Problem, in database: Database) throws {
        do {
            try database.inSavepoint {
                for statement in problem.repairs { try database.run(statement) }
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {}
    }

    private static func problems(
        in database: Database, _ url: URL, _ model: NSManagedObjectModel
    ) throws -> [SQLiteExamination.Problem] {
        let layout = try SQLiteFileLayout(database)
        do {
            let schema = try SQLiteSchema(model: ModelLayout.of(model), configuration: nil, file: layout)
            return try SQLiteExamination(database: database, schema: schema, url: url).problems()
        } catch let error as NSError where error.code == NSPersistentStoreIncompatibleSchemaError {
            let differences = try SQLiteVersionComparison(database: database, model: model).problems()
            // Where the hashes are those of the model, the tables are damaged, and that is the error to report.
            guard !differences.isEmpty else { throw error }
            return differences + [
                SQLiteExamination.Problem(
                    finding: StoreFinding(
                        .schema, url.lastPathComponent,
                        "the tables are not those of the model, so that nothing else can be looked at: "
                            + error.localizedDescription, isRepairable: false))
            ]
        }
    }

    /// Copies the store's file, and a log that belongs to it.
    private static func backUp(_ url: URL) throws -> URL {
        // Where no other connection has the store open, closing it copies the log into the file.
        try SQLiteFile.openForWriting(url)?.close()
        let stamp = ISO8601DateFormatter().string(from: Date()).replacing(":", with: "")
        let backup = url.deletingLastPathComponent()
            .appendingPathComponent("\(url.lastPathComponent).\(stamp)-\(UUID().uuidString.prefix(4)).backup")
        for (file, copy) in SQLiteStoreFiles(url).pairsWithContents(of: SQLiteStoreFiles(backup))
        where FileManager.default.fileExists(atPath: file.path) {
            try StoreFileMode.copy(file, to: copy)
        }
        return backup
    }
}
