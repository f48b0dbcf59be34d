import Foundation
import GRDB

/// The library of `Examples/Library`, made by SQLite from its SQL text, in a folder that goes away with it.
final class LibraryStore {
    static let uuid = "2F6E1B7A-8C34-4D59-9E02-5A7B1C3D4E5F"

    let folder: URL
    let path: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("Library.sqlite").path
        let sql = try PackageFiles.text("Examples/Library/Library.sql")
        let queue = try DatabaseQueue(path: path)
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    static func uri(_ key: String) -> String {
        "x-coredata://\(uuid)/\(key)"
    }

    /// Leaves a write-ahead log with a row of its own beside the file, as an app that was killed does.
    func leaveRowInLog() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.inDatabase { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0; UPDATE ZGENRE SET ZNAME = 'Verse' WHERE Z_PK = 6")
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: path + suffix + ".kept")
            }
        }
        try queue.close()
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
            try FileManager.default.moveItem(atPath: path + suffix + ".kept", toPath: path + suffix)
        }
    }

    /// Every file of the folder with its bytes.
    func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }

    /// A single value, asked of SQLite and not of this package.
    func value<Value: DatabaseValueConvertible>(_ sql: String) throws -> Value? {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { try Value.fetchOne($0, sql: sql) }
    }

    /// Changes this database, or another one in the folder, by SQLite alone.
    func execute(_ sql: String, in path: String? = nil) throws {
        let queue = try DatabaseQueue(path: path ?? self.path)
        defer { try? queue.close() }
        try queue.inDatabase { try $0.execute(sql: sql) }
    }
}
