import CoreData
import Foundation
import Testing

@Suite("Files that are no stores")
struct BadFileTests {
    enum Kind: String, CaseIterable, Sendable {
        case text, foreignDatabase, blankDatabase, directory, truncatedInHeader, truncatedInPages, garbageBehindHeader
        case garbageInPages, zeros, xmlStore

        func make(at url: URL) throws {
            switch self {
            case .text: try Data("Not a database at all, but long enough to be one.\n".utf8).write(to: url)
            case .foreignDatabase: try database(at: url, ["CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"])
            case .blankDatabase: try database(at: url, ["CREATE TABLE t (a)", "DROP TABLE t", "VACUUM"])
            case .directory: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            case .truncatedInHeader: try sound(at: url) { Array($0.prefix(50)) }
            case .truncatedInPages: try sound(at: url) { Array($0.prefix($0.count / 2)) }
            case .garbageBehindHeader:
                try sound(at: url) { $0.prefix(100) + [UInt8](repeating: 0xA5, count: $0.count - 100) }
            case .garbageInPages:
                try sound(at: url) { $0.prefix(4096) + [UInt8](repeating: 0xA5, count: $0.count - 4096) }
            case .zeros: try Data(count: 8192).write(to: url)
            case .xmlStore:
                try Data("<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"file:///x.dtd\">\n<database/>\n".utf8)
                    .write(to: url)
            }
        }

        private func database(at url: URL, _ statements: [String]) throws {
            try Data().write(to: url)
            let database = try PlainDatabase(url)
            for statement in statements { try database.execute(statement) }
        }

        private func sound(at url: URL, _ damage: ([UInt8]) -> [UInt8]) throws {
            try DamagedStore.sound(at: url, books: 6)
            try Data(damage([UInt8](Data(contentsOf: url)))).write(to: url)
        }
    }

    @Test(
        "are an error that names the file, for reading and for metadata, and stay as they are", arguments: Kind.allCases
    )
    func reading(_ kind: Kind) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Bad.sqlite")
        try kind.make(at: url)
        let before = try FixtureCopy.contents(of: folder.url)
        let model = try Library.model()
        Self.expectError(naming: url) {
            let stack = try StoreStack(url, model: model, isReadOnly: true)
            for entity in model.entities { _ = try stack.context.all(entity.name!) }
        }
        // What destroying a store leaves has metadata, too.
        if kind != .garbageInPages, kind != .blankDatabase {
            Self.expectError(naming: url) {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
            }
        }
        #expect(try FixtureCopy.contents(of: folder.url) == before)
    }

    /// A database in which nothing has been made becomes a store; everything else is left alone.
    @Test(
        "are an error for writing, and stay as they are",
        arguments: Kind.allCases.filter { $0 != .blankDatabase && $0 != .garbageInPages })
    func writing(_ kind: Kind) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Bad.sqlite")
        try kind.make(at: url)
        let before = try FixtureCopy.contents(of: folder.url)
        let model = try Library.model()
        Self.expectError(naming: url) { _ = try StoreStack(url, model: model) }
        #expect(try FixtureCopy.contents(of: folder.url) == before)
    }

    @Test("a missing or empty file can't be read, and isn't made")
    func missing() throws {
        let folder = try TemporaryFolder()
        let (missing, empty) = (folder.url.appendingPathComponent("A"), folder.url.appendingPathComponent("B"))
        try Data().write(to: empty)
        let model = try Library.model()
        for url in [missing, empty] {
            Self.expectError(naming: url) { _ = try StoreStack(url, model: model, isReadOnly: true) }
        }
        Self.expectError(naming: missing) {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: missing)
        }
        let nowhere = folder.url.appendingPathComponent("no/such/folder/C.sqlite")
        Self.expectError(naming: nowhere) { _ = try StoreStack(nowhere, model: model, isReadOnly: true) }
        #expect(try FixtureCopy.contents(of: folder.url) == ["B": Data()])
    }

    @Test("a store opened read-only refuses a save and stays as it is")
    func readOnlyStore() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store.sqlite")
        try DamagedStore.sound(at: url, books: 3)
        let before = try FixtureCopy.contents(of: folder.url)
        let stack = try StoreStack(url, model: Library.model(), isReadOnly: true)
        let author = try #require(try stack.context.all("Author").first)
        author.setValue("Other", forKey: "name")
        #expect(throws: NSError.self) { try stack.context.save() }
        #expect(author.text("name") == "Other")
        try stack.close()
        #expect(try FixtureCopy.contents(of: folder.url) == before)
    }

    @Test(
        "a file without permission to write is an error for writing, and can be read",
        .enabled(if: geteuid() != 0, "the superuser may write everything"))
    func withoutPermission() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store.sqlite")
        try DamagedStore.sound(at: url, books: 3)
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
        try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path) }
        let before = try FixtureCopy.contents(of: folder.url)
        let model = try Library.model()
        Self.expectError(naming: url) { _ = try StoreStack(url, model: model) }
        let stack = try StoreStack(url, model: model, isReadOnly: true)
        #expect(try stack.context.all("Book").count == 3)
        try stack.close()
        #expect(try FixtureCopy.contents(of: folder.url) == before)
    }

    private static func expectError(naming url: URL, _ body: () throws -> Void) {
        do {
            try body()
            Issue.record("no error for \(url.lastPathComponent)")
        } catch {
            let error = error as NSError
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.localizedDescription.contains(url.lastPathComponent), "\(error)")
        }
    }

    @Test(
        "A database of another program is refused with all that lies beside it as it was",
        arguments: ["wal", "delete"],
        ["-journal", "-wal", "-shm", "-journal of zeros", "-wal of nothing", "nothing"])
    func besides(journalMode: String, neighbour: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Bad.sqlite")
        try Data().write(to: url)
        do {
            let database = try PlainDatabase(url)
            for statement in ["PRAGMA journal_mode = \(journalMode)", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"]
            {
                try database.execute(statement)
            }
        }
        let words = neighbour.split(separator: " ")
        if neighbour != "nothing" {
            let contents =
                words.last == "zeros"
                ? Data(count: 600) : words.last == "nothing" ? Data() : Data("Notes of mine, no journal.".utf8)
            try contents.write(to: URL(fileURLWithPath: url.path + words[0]))
        }
        let before = try FixtureCopy.contents(of: folder.url)
        Self.expectError(naming: url) { _ = try StoreStack(url, model: Library.model()) }
        #expect(try FixtureCopy.contents(of: folder.url) == before)
    }

    @Test("A database that another program is just making keeps its journal mode")
    func inTheMaking() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Bad.sqlite")
        try Data().write(to: url)
        let other = try PlainDatabase(url)
        for statement in ["BEGIN IMMEDIATE", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"] {
            try other.execute(statement)
        }
        async let refusal: Void = Task.detached {
            Self.expectError(naming: url) { _ = try StoreStack(url, model: Library.model()) }
        }.value
        try await Task.sleep(for: .milliseconds(300))
        try other.execute("COMMIT")
        await refusal
        let header = try [UInt8](Data(contentsOf: url).prefix(20))
        // https://www.sqlite.org/fileformat.html: 1 is a rollback journal, 2 a write-ahead log.
        #expect(header.suffix(2) == [1, 1])
    }
}
