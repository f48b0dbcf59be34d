import CoreData
import Foundation
import Testing

@Suite("Destroying and replacing leave alone what they shouldn't touch")
struct ForeignFileTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store")
    }

    private var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

    @Test("What is no store isn't destroyed, unless it is forced")
    func foreign() throws {
        for isDatabase in [false, true] {
            if isDatabase {
                try Data().write(to: url)
                _ = try PlainSQLite.rows("CREATE TABLE mine (a)", in: url)
                _ = try PlainSQLite.rows("INSERT INTO mine VALUES (1)", in: url)
            } else {
                try Data("A letter to a friend.".utf8).write(to: url)
            }
            let before = try Data(contentsOf: url)
            let error = #expect(throws: NSError.self) {
                try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
            }
            #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
            #expect(try Data(contentsOf: url) == before)
            try coordinator.destroyPersistentStore(
                at: url, ofType: NSSQLiteStoreType, options: [NSPersistentStoreForceDestroyOption: true])
            if isDatabase {
                #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM sqlite_master", in: url) == [["0"]])
            } else {
                #expect(!exists)
            }
            try? FileManager.default.removeItem(at: url)
        }
    }

    @Test("A damaged or empty store is destroyed", arguments: ["empty", "zeros", "cut", "garbage", "tables"])
    func damaged(how: String) throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType)
        stack.context.make("Author", ["name": "A"])
        try stack.context.save()
        try stack.close()
        var data = try Data(contentsOf: url)
        switch how {
        case "empty": data = Data()
        case "zeros": data.replaceSubrange(0..<4096, with: Data(count: 4096))
        case "cut": data = data.prefix(10)
        case "garbage": data.replaceSubrange(100..<4096, with: Data(repeating: 0xA5, count: 3996))
        default: break
        }
        try data.write(to: url)
        if how == "tables" { _ = try PlainSQLite.rows("DROP TABLE Z_METADATA", in: url) }
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
        let again = try AtomicStack(url, type: NSSQLiteStoreType)
        #expect(try again.context.all("Author").isEmpty)
    }

    @Test(
        "A store that is to be replaced is there as long as the copy isn't",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func replacing(type: String) throws {
        // A damaged destination, and a source that turns out to be damaged when it is copied.
        let source = folder.url.appendingPathComponent("source")
        try Data("damaged destination".utf8).write(to: url)
        if type == NSSQLiteStoreType {
            let stack = try AtomicStack(source, type: type)
            for number in 0..<2000 { stack.context.make("Author", ["name": "Author \(number)"]) }
            try stack.context.save()
            try stack.close()
            let handle = try FileHandle(forWritingTo: source)
            try handle.truncate(atOffset: 8192)
            try handle.close()
        }
        #expect(throws: NSError.self) {
            try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: source, ofType: type)
        }
        #expect(try Data(contentsOf: url) == Data("damaged destination".utf8))
        // With a sound source it is replaced.
        try? FileManager.default.removeItem(at: source)
        let sound = try AtomicStack(source, type: type)
        sound.context.make("Author", ["name": "A"])
        try sound.context.save()
        try sound.close()
        try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: source, ofType: type)
        #expect(try AtomicStack.read(url, type: type) { try $0.all("Author").count } == 1)
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path)).isSubset(of: ["store", "source"]))
    }
}
