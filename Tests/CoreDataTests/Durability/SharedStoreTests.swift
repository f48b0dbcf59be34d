import CoreData
import Foundation
import GRDBSQLite
import Testing

@Suite("A store that others use at the same time")
struct SharedStoreTests {
    /// How long the processes write; 60 by hand.
    private static let seconds = ProcessInfo.processInfo.environment["COREDATA_TEST_WRITING_SECONDS"] ?? "3"

    @Test("two processes with four writers each lose nothing")
    func processes() throws {
        let stack = try TrackedStack()
        stack.context.makeBook("The counter", ["pages": 1])
        try stack.context.save()
        let model = Library.packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld").path
        let children = try (0..<2).map { _ in try ChildProcess(["count", stack.url.path, model, "4", Self.seconds]) }
        var counted = 0
        for child in children {
            let (lines, endedWell) = child.finish(within: 60 + (Double(Self.seconds) ?? 0))
            #expect(endedWell && lines.count == 4, "\(lines)")
            #expect(lines.allSatisfy { Int($0) != nil }, "\(lines)")
            counted += lines.compactMap { Int($0) }.reduce(0, +)
        }
        #expect(counted > 0)
        #expect(try stack.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try stack.rows("SELECT ZPAGES, Z_OPT FROM ZBOOK") == [["\(counted + 1)", "\(counted + 1)"]])
        #expect(
            try stack.rows(
                "SELECT COUNT(*), MAX(Z_PK) <= (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Genre') FROM ZGENRE")
                == [["\(counted)", "1"]])
        #expect(
            try stack.rows("SELECT COUNT(*), COUNT(DISTINCT ZTRANSACTIONID) FROM ACHANGE") == [
                ["\(2 * counted + 1)", "\(counted + 1)"]
            ])
    }

    @Test("two processes with four writers each that want the same unique values make one object of each value")
    func uniqueValues() throws {
        let stack = try TrackedStack()
        let model = Library.packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld").path
        let children = try (0..<2).map { _ in try ChildProcess(["claim", stack.url.path, model, "4", Self.seconds]) }
        var books = 0
        for child in children {
            let (lines, endedWell) = child.finish(within: 60 + (Double(Self.seconds) ?? 0))
            #expect(endedWell && lines.count == 4 && lines.allSatisfy { Int($0) != nil }, "\(lines)")
            books += lines.compactMap { Int($0) }.reduce(0, +)
        }
        #expect(books > 0)
        #expect(try stack.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try stack.rows("SELECT COUNT(*), COUNT(DISTINCT ZTITLE) FROM ZBOOK") == [["\(books)", "\(books)"]])
        #expect(try stack.rows("SELECT COUNT(*) - COUNT(DISTINCT ZNAME), COUNT(*) <= 12 FROM ZGENRE") == [["0", "1"]])
        // Every book has one genre, which is there.
        #expect(
            try stack.rows(
                "SELECT COUNT(*), COUNT(DISTINCT Z_2BOOKS), SUM(Z_4GENRES NOT IN (SELECT Z_PK FROM ZGENRE)) FROM Z_2GENRES"
            )
                == [["\(books)", "\(books)", "0"]])
    }

    @Test("reads of several contexts go on while another connection writes")
    func readersBesideWriter() throws {
        let stack = try TrackedStack(tracksHistory: false)
        for number in 0..<50 { stack.context.make("Author", ["name": "\(number)"]) }
        try stack.context.save()
        let lock = try WriteLock(stack.url)
        try lock.write("INSERT INTO ZGENRE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1000, 4, 1, 'Unseen')")
        for _ in 0..<8 {
            let reader = stack.anotherContext()
            #expect(try reader.all("Author").count == 50)
            #expect(try reader.all("Genre").isEmpty)
        }
        lock.release()
    }

    @Test("a lock that lasts longer than the timeout is an error, and saving again saves")
    func timeout() throws {
        let stack = try TrackedStack(options: [NSPersistentStoreTimeoutOption: NSNumber(value: 0.2)])
        let lock = try WriteLock(stack.url)
        stack.context.make("Author", ["name": "Waiting"])
        #expect(thrownCode { try stack.context.save() } == NSPersistentStoreTimeoutError)
        let insert = NSBatchInsertRequest(entityName: "Genre", objects: [["name": "x"]])
        #expect(thrownCode { try stack.context.execute(insert) } == NSPersistentStoreTimeoutError)
        #expect(stack.context.insertedObjects.count == 1)
        lock.release()
        try stack.context.save()
        #expect(try stack.rows("SELECT ZNAME FROM ZAUTHOR") == [["Waiting"]])
    }

    @Test("a lock that ends in time is waited for")
    func waiting() throws {
        let stack = try TrackedStack(options: [NSPersistentStoreTimeoutOption: NSNumber(value: 30)])
        let lock = try WriteLock(stack.url)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { lock.release() }
        stack.context.make("Author", ["name": "Patient"])
        try stack.context.save()
        #expect(try stack.rows("SELECT ZNAME FROM ZAUTHOR") == [["Patient"]])
    }

    @Test("a file that was replaced or removed isn't written any more", arguments: [true, false])
    func replaced(_ byAnother: Bool) throws {
        let stack = try TrackedStack(tracksHistory: false)
        stack.context.make("Author", ["name": "Old"])
        try stack.context.save()
        let other = try TrackedStack(tracksHistory: false)
        other.context.make("Author", ["name": "Other"])
        try other.context.save()
        try other.coordinator.remove(other.store)
        let away = stack.folder.url.appendingPathComponent("Away.sqlite")
        try FileManager.default.moveItem(at: stack.url, to: away)
        if byAnother { try FileManager.default.copyItem(at: other.url, to: stack.url) }
        stack.context.make("Author", ["name": "New"])
        #expect(thrownText { try stack.context.save() }.contains(byAnother ? "replaced" : "removed"))
        #expect(stack.context.insertedObjects.count == 1)
        if byAnother { #expect(try Data(contentsOf: stack.url) == Data(contentsOf: other.url)) }
    }
}

/// A connection that holds the write lock of a store.
private final class WriteLock: @unchecked Sendable {
    private var database: OpaquePointer?

    init(_ url: URL) throws {
        guard sqlite3_open(url.path, &database) == SQLITE_OK,
            sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
        else { throw PlainSQLite.Failure(text: "can't lock \(url.path)") }
    }

    func write(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw PlainSQLite.Failure(text: String(cString: sqlite3_errmsg(database)))
        }
    }

    func release() {
        sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
        sqlite3_close_v2(database)
        database = nil
    }

    deinit { if database != nil { release() } }
}
