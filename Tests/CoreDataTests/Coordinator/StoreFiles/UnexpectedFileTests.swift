import CoreData
import Foundation
import Testing

@Suite("What lies where a store's file is expected is looked at before it is read or replaced")
struct UnexpectedFileTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store.sqlite")
    }

    private func makeStore(at url: URL) throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType)
        stack.context.make("Author", ["name": "A"])
        try stack.context.save()
        try stack.close()
    }

    @Test("A database of another program isn't replaced, unless it is forced")
    func replacing() throws {
        let source = folder.url.appendingPathComponent("other.sqlite")
        try makeStore(at: source)
        try Data().write(to: url)
        _ = try PlainSQLite.rows("CREATE TABLE mine (a)", in: url)
        let before = try Data(contentsOf: url)
        func replace(_ options: [AnyHashable: Any]?) throws {
            try coordinator.replacePersistentStore(
                at: url, destinationOptions: options, withPersistentStoreFrom: source, sourceOptions: nil,
                ofType: NSSQLiteStoreType)
        }
        let error = #expect(throws: NSError.self) { try replace(nil) }
        #expect(error?.localizedDescription.contains("replaced") == true)
        #expect(try Data(contentsOf: url) == before)
        try replace([NSPersistentStoreForceDestroyOption: true])
        #expect(try PlainSQLite.rows("SELECT ZNAME FROM ZAUTHOR", in: url) == [["A"]])
    }

    @Test("A text is no store because a file beside it is named like a log", arguments: ["-wal", "-shm"])
    func falseLog(suffix: String) throws {
        try Data("A letter to a friend.".utf8).write(to: url)
        let beside = URL(fileURLWithPath: url.path + suffix)
        try Data("Another letter.".utf8).write(to: beside)
        #expect(throws: NSError.self) { try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType) }
        #expect(FileManager.default.fileExists(atPath: url.path))
        #expect(FileManager.default.fileExists(atPath: beside.path))
    }

    @Test("Nobody waits for a pipe beside a store", .timeLimit(.minutes(1)), arguments: ["-wal", "-journal", "-shm"])
    func pipeBeside(suffix: String) throws {
        try makeStore(at: url)
        let pipe = url.path + suffix
        try? FileManager.default.removeItem(atPath: pipe)
        try #require(mkfifo(pipe, 0o600) == 0)
        let error = #expect(throws: NSError.self) { _ = try AtomicStack(url, type: NSSQLiteStoreType) }
        #expect(error?.localizedDescription.contains("store.sqlite\(suffix)") == true)
    }

    @Test("Nobody waits for a pipe that shares a store's name", .timeLimit(.minutes(1)))
    func pipeOfSameName() throws {
        try makeStore(at: url)
        try #require(mkfifo(folder.url.appendingPathComponent("store.other").path, 0o600) == 0)
        try makeStore(at: url)
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
    }
}
