@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import GRDB
import Testing

@testable import CoreData

@Suite("Opening store files")
struct SQLiteFileTests {
    /// The files of a folder with their contents.
    private static func contents(of folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }

    private static func inTemporaryFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("SQLiteFile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test(
        "reading changes no byte and leaves no file, with a log or without",
        .enabled(if: SQLiteSchemaFixtures.folder != nil), arguments: SQLiteSchemaFixtures.stores)
    func reading(_ store: SQLiteSchemaFixtures.Store) throws {
        try Self.inTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a store? 100%#.sqlite")
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.url.path + suffix) {
                try FileManager.default.copyItem(atPath: store.url.path + suffix, toPath: url.path + suffix)
            }
            let before = try Self.contents(of: folder)
            let file = try SQLiteFile.openForReading(url)
            let metadata = try file.read { try SQLiteMetadata.read($0) }
            #expect(metadata["NSStoreUUID"] is String)
            #expect(try !file.layout().entities.isEmpty)
            #expect(try Self.contents(of: folder) == before)
            try file.close()
            #expect(try Self.contents(of: folder) == before)
        }
    }

    @Test("a file that another connection has open is read with what is in its log")
    func inUse() throws {
        let store = try SQLiteSchemaStore()
        try store.file.write { try $0.execute(sql: "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1)") }
        let reader = try SQLiteFile.openForReading(store.url)
        #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZTAG") } == 1)
        // The look at the file must not have dropped the locks of the connection that writes.
        try store.file.write { try $0.execute(sql: "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (2, 3, 1)") }
        #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZTAG") } == 2)
        #expect {
            try reader.write { try $0.execute(sql: "DELETE FROM ZTAG") }
        } throws: { ($0 as NSError).code == 513 }
    }

    enum Damage: String, CaseIterable, Sendable {
        case missing, empty, text, foreign, truncated, headerOnly, garbage, badMetadata, noMetadataRow

        var code: Int { self == .missing ? 260 : 259 }

        var cause: String {
            switch self {
            case .missing: "no such file"
            case .empty: "empty"
            case .text: "not a database"
            case .foreign: "not a Core Data store"
            case .truncated: "truncated"
            case .headerOnly: "cut off"
            case .garbage: "malformed"
            case .badMetadata: "property list"
            case .noMetadataRow: "no row"
            }
        }

        func inflict(on url: URL) throws {
            switch self {
            case .missing: try FileManager.default.removeItem(at: url)
            case .empty: try Data().write(to: url)
            case .text: try Data(repeating: 65, count: 5000).write(to: url)
            case .foreign:
                try FileManager.default.removeItem(at: url)
                let queue = try DatabaseQueue(path: url.path)
                try queue.write { try $0.execute(sql: "CREATE TABLE t (x)") }
                try queue.close()
            case .truncated: try Data(contentsOf: url).prefix(9000).write(to: url)
            case .headerOnly: try Data(contentsOf: url).prefix(40).write(to: url)
            case .garbage:
                var data = try Data(contentsOf: url)
                data.replaceSubrange(100..<4096, with: Data(repeating: 0xA5, count: 3996))
                try data.write(to: url)
            case .badMetadata, .noMetadataRow:
                let queue = try DatabaseQueue(path: url.path)
                try queue.write {
                    try $0.execute(
                        sql: self == .badMetadata
                            ? "UPDATE Z_METADATA SET Z_PLIST = X'62706C6973743030FF'" : "DELETE FROM Z_METADATA")
                }
                try queue.close()
            }
        }
    }

    @Test(
        "what can't be opened is an error that names the file and the cause, and stays as it was",
        arguments: Damage.allCases)
    func damage(_ damage: Damage) throws {
        let store = try SQLiteSchemaStore()
        try store.file.close()
        try damage.inflict(on: store.url)
        let before = try Self.contents(of: store.folder)
        for isReadOnly in [true, false] {
            if !isReadOnly, damage == .missing || damage == .empty {
                #expect(try SQLiteFile.openForWriting(store.url) == nil)
                continue
            }
            #expect {
                let file =
                    isReadOnly
                    ? try SQLiteFile.openForReading(store.url) : try SQLiteFile.openForWriting(store.url)
                _ = try file?.read { try SQLiteMetadata.read($0) }
            } throws: { error in
                let error = error as NSError
                #expect(error.domain == NSCocoaErrorDomain)
                #expect(error.code == damage.code)
                #expect(error.localizedDescription.contains(store.url.path))
                #expect(error.localizedDescription.contains(damage.cause), "\(error.localizedDescription)")
                return true
            }
        }
        guard damage != .badMetadata, damage != .noMetadataRow else { return }
        #expect(try Self.contents(of: store.folder) == before)
    }

    @Test("a file whose making was cut off is blank, and is made again")
    func blank() throws {
        try Self.inTemporaryFolder { folder in
            let url = folder.appendingPathComponent("Blank.sqlite")
            let file = try SQLiteFile.connectForWriting(url, options: SQLiteOpenOptions())
            try file.close()
            #expect(try SQLiteFile.openForWriting(url) == nil)
            #expect(throws: (any Error).self) { try SQLiteFile.openForReading(url) }
        }
    }

    @Test("a store that many make at the same time is made once")
    func race() async throws {
        let store = try SQLiteSchemaStore()
        let schema = store.schema
        let url = store.folder.appendingPathComponent("Race.sqlite")
        let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let file = try SQLiteFile.create(
                        url, schema: schema, metadata: SQLiteMetadata.initial(schema: schema), historyTracking: false)
                    defer { try? file.close() }
                    return try file.read { try SQLiteMetadata.read($0) }[SQLiteMetadata.Key.uuid] as? String ?? ""
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(identifiers.count == 1)
    }

    @Test("a store that was left with a log opens with what is in it", .enabled(if: SQLiteSchemaFixtures.folder != nil))
    func leftLog() throws {
        let logged = SQLiteSchemaFixtures.stores.filter {
            FileManager.default.fileExists(atPath: $0.url.path + "-wal")
        }
        for store in logged {
            try Self.inTemporaryFolder { folder in
                let url = folder.appendingPathComponent("Left.sqlite")
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: store.url.path + suffix, toPath: url.path + suffix)
                    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path + suffix)
                }
                let read = try SQLiteFile.openForReading(store.url)
                let written = try #require(try SQLiteFile.openForWriting(url))
                #expect(try written.layout().columns == read.layout().columns)
                for table in try read.layout().columns.keys.sorted() {
                    let sql = "SELECT COUNT(*) FROM \"\(table)\""
                    let counts = try (
                        read.read { try Int.fetchOne($0, sql: sql) }, written.read { try Int.fetchOne($0, sql: sql) }
                    )
                    #expect(counts.0 == counts.1, "\(store) \(table)")
                }
                try written.close()
            }
        }
    }

    @Test("pragmas are set, and what isn't one is refused")
    func pragmas() throws {
        let options = SQLiteOpenOptions(pragmas: [
            "journal_mode": "DELETE", "synchronous": "FULL", "cache_size": "-100",
        ])
        let store = try SQLiteSchemaStore(options: options)
        #expect(try store.values("PRAGMA journal_mode") == ["\"delete\""])
        #expect(try store.values("PRAGMA synchronous") == ["2"])
        #expect(try store.values("PRAGMA cache_size") == ["-100"])
        #expect(throws: (any Error).self) {
            try SQLiteOpenOptions(pragmas: ["cache_size": "1; DROP TABLE ZTAG"]).pragmaStatements()
        }
    }

    @Test("metadata is read as it was written")
    func metadata() throws {
        let store = try SQLiteSchemaStore()
        var metadata = try store.file.read { try SQLiteMetadata.read($0) }
        metadata["mine"] = ["a": [1, 2.5, true], "d": Data([1])] as [String: Any]
        try store.file.write { try SQLiteMetadata.write(metadata, to: $0) }
        try store.reopen()
        let read = try store.file.read { try SQLiteMetadata.read($0) }
        #expect(NSDictionary(dictionary: read) == NSDictionary(dictionary: metadata))
        metadata["bad"] = URL(string: "x:y")
        #expect(throws: (any Error).self) { try store.file.write { try SQLiteMetadata.write(metadata, to: $0) } }
    }

    @Test("compressed data comes back, and hostile data is refused")
    func deflate() throws {
        var generator = SeededGenerator(seed: 1)
        for size in [0, 1, 1000, 300_000] {
            let data = Data((0..<size).map { _ in UInt8.random(in: 0...3, using: &generator) })
            let packed = try RawDeflate.deflate(data)
            #expect(try RawDeflate.inflate(packed, limit: size) == data)
            #expect(throws: (any Error).self) { try RawDeflate.inflate(packed.dropLast(2), limit: size) }
        }
        let bomb = try RawDeflate.deflate(Data(count: 10_000_000))
        #expect(throws: (any Error).self) { try RawDeflate.inflate(bomb, limit: 1_000_000) }
    }
}
