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
                #expect(try Data(contentsOf: url).isEmpty)
            }
            try? FileManager.default.removeItem(at: url)
        }
    }

    @Test(
        "What can't be read isn't destroyed or replaced, unless it is forced",
        .enabled(if: geteuid() != 0, "the superuser may read everything"),
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func unreadable(type: String) throws {
        let diary = Data("My diary, which is nobody's business.".utf8)
        try diary.write(to: url)
        let source = folder.url.appendingPathComponent("source")
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: source)
        coordinator.setMetadata(["made": 1], for: store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try context.save() }
        try coordinator.remove(store)
        for mode in [0o000, 0o200] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
            let destroying = #expect(throws: NSError.self) {
                try coordinator.destroyPersistentStore(at: url, ofType: type)
            }
            #expect(destroying?.code == CocoaError.fileReadNoPermission.rawValue, "\(String(describing: destroying))")
            #expect(throws: NSError.self) {
                try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: source, ofType: type)
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
            #expect(try Data(contentsOf: url) == diary)
        }
        if type != NSSQLiteStoreType {
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
            try coordinator.destroyPersistentStore(
                at: url, ofType: type, options: [NSPersistentStoreForceDestroyOption: true])
            #expect(!exists)
        }
    }

    @Test(
        "A read-only store that is to be replaced is named by the error",
        .enabled(if: geteuid() != 0, "the superuser may write everything"))
    func readOnlyDestination() throws {
        let source = folder.url.appendingPathComponent("source")
        for place in [url, source] {
            try coordinator.remove(
                coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: place))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: url.path)
        let error = #expect(throws: NSError.self) {
            try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType)
        }
        #expect(error?.code == CocoaError.fileWriteNoPermission.rawValue, "\(String(describing: error))")
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
    }

    @Test(
        "What the process has just failed to open is destroyed, and made anew: a damaged store is mended so",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func repair(type: String) throws {
        for isReplaced in [false, true] {
            try Data("NOT A STORE, or a damaged one".utf8).write(to: url)
            let opening = #expect(throws: NSError.self) {
                try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
            }
            #expect(opening?.code == CocoaError.fileReadCorruptFile.rawValue, "\(String(describing: opening))")
            // Another coordinator is as good, and a file that was written since isn't the one that was looked at.
            let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
            try Data("A letter to a friend, of today.".utf8).write(to: url)
            #expect(throws: NSError.self) { try other.destroyPersistentStore(at: url, ofType: type) }
            #expect(throws: NSError.self) {
                try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
            }
            if isReplaced {
                let backup = folder.url.appendingPathComponent("backup")
                let made = try other.addPersistentStore(ofType: type, configurationName: nil, at: backup)
                // The first save makes the file of an atomic store.
                other.setMetadata(["made": 1], for: made)
                let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
                context.persistentStoreCoordinator = other
                try context.save()
                try other.remove(made)
                try other.replacePersistentStore(at: url, withPersistentStoreFrom: backup, ofType: type)
            } else {
                try other.destroyPersistentStore(at: url, ofType: type)
            }
            try coordinator.remove(try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url))
            try? FileManager.default.removeItem(at: url)
        }
    }

    @Test(
        "So is what the process has just failed to read the metadata of, by whatever link",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType], [false, true])
    func repairAfterMetadata(type: String, isLink: Bool) throws {
        let file = isLink ? folder.url.appendingPathComponent("linked") : url
        if isLink { try FileManager.default.createSymbolicLink(at: url, withDestinationURL: file) }
        try Data(repeating: 0x42, count: 8192).write(to: file)
        let reading = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url, options: nil)
        }
        #expect(reading?.code == CocoaError.fileReadCorruptFile.rawValue, "\(String(describing: reading))")
        try coordinator.destroyPersistentStore(at: url, ofType: type)
        try coordinator.remove(try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url))
    }

    @Test(
        "A store that was taken for one of another type isn't destroyed as that, nor replaced",
        arguments: [true, false])
    func otherType(isOpened: Bool) throws {
        let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
        for (type, other) in types.flatMap({ type in types.filter { $0 != type }.map { (type, $0) } }) {
            let made = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
            coordinator.setMetadata(["made": 1], for: made)
            let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.save()
            try coordinator.remove(made)
            let before = try Data(contentsOf: url)
            #expect(throws: NSError.self) {
                if isOpened {
                    try coordinator.addPersistentStore(ofType: other, configurationName: nil, at: url)
                } else {
                    _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                        ofType: other, at: url, options: nil)
                }
            }
            #expect(throws: NSError.self, "\(type) as \(other)") {
                try coordinator.destroyPersistentStore(at: url, ofType: other)
            }
            #expect(try Data(contentsOf: url) == before)
            try coordinator.destroyPersistentStore(at: url, ofType: type)
            try? FileManager.default.removeItem(at: url)
        }
    }

    /// How files of the types begin, whatever else is wrong with them.
    private static let beginnings = [
        NSSQLiteStoreType: "SQLite format 3\0", NSXMLStoreType: "<?xml version=\"1.0\"?>\n<!DOCTYPE database ",
        NSBinaryStoreType: "CoreData",
    ]

    private static let foreignContents: [String: Data] = [
        "a picture": Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(repeating: 7, count: 5000),
        "a text": Data("A letter to a friend.".utf8),
        "other XML": Data("<?xml version=\"1.0\"?>\n<plist><dict/></plist>".utf8),
        "a property list": Data("bplist00".utf8) + Data(repeating: 1, count: 200),
    ]

    /// Neither destroying nor replacing touches what lies at the URL; both do where they are forced, unless it is no file.
    private func expectRefusal(_ type: String, from source: URL, _ what: String, contents: () throws -> Data?) throws {
        let before = try contents()
        for isReplaced in [false, true] {
            let error = #expect(throws: NSError.self, "\(type) over \(what)") {
                if isReplaced {
                    try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: source, ofType: type)
                } else {
                    try coordinator.destroyPersistentStore(at: url, ofType: type)
                }
            }
            #expect(error?.localizedDescription.contains(url.path) == true, "\(String(describing: error))")
            #expect(try contents() == before, "\(type) over \(what)")
        }
    }

    private func makeSource(_ type: String) throws -> URL {
        let source = folder.url.appendingPathComponent("source")
        let stack = try AtomicStack(source, type: type)
        stack.context.make("Author", ["name": "A"])
        try stack.context.save()
        try stack.close()
        return source
    }

    @Test(
        "What another program has made is neither destroyed nor replaced, unless it is forced",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func others(type: String) throws {
        let source = try makeSource(type)
        for (what, data) in Self.foreignContents {
            try data.write(to: url)
            try expectRefusal(type, from: source, what) { try Data(contentsOf: url) }
            try coordinator.replacePersistentStore(
                at: url, destinationOptions: [NSPersistentStoreForceDestroyOption: true],
                withPersistentStoreFrom: source, ofType: type)
            #expect(try AtomicStack.read(url, type: type) { try $0.all("Author").count } == 1)
            try FileManager.default.removeItem(at: url)
        }
        // Somebody's database, and stores of the other types.
        try Data().write(to: url)
        _ = try PlainSQLite.rows("CREATE TABLE mine (a)", in: url)
        try expectRefusal(type, from: source, "a database") { try Data(contentsOf: url) }
        try FileManager.default.removeItem(at: url)
        for other in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] where other != type {
            try FileManager.default.moveItem(at: source, to: url)
            let kept = folder.url.appendingPathComponent("kept")
            try FileManager.default.moveItem(at: url, to: kept)
            let foreign = try makeSource(other)
            try FileManager.default.moveItem(at: foreign, to: url)
            try FileManager.default.moveItem(at: kept, to: source)
            try expectRefusal(type, from: source, other) { try Data(contentsOf: url) }
            try FileManager.default.removeItem(at: url)
        }
    }

    @Test(
        "A folder or a pipe is neither destroyed nor replaced",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func noFiles(type: String) throws {
        let source = try makeSource(type)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let note = url.appendingPathComponent("note")
        try Data("note".utf8).write(to: note)
        try expectRefusal(type, from: source, "a folder") { try Data(contentsOf: note) }
        try FileManager.default.removeItem(at: url)
        #expect(mkfifo(url.path, 0o600) == 0)
        try expectRefusal(type, from: source, "a pipe") { nil }
        var status = stat()
        #expect(lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
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
        let damaged = Data("\(Self.beginnings[type] ?? "")damaged destination".utf8)
        try damaged.write(to: url)
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
        #expect(try Data(contentsOf: url) == damaged)
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

    @Test("A store that is refused for its model keeps its journal mode, and every byte")
    func otherModel() throws {
        let source = try makeSource(NSSQLiteStoreType)
        #expect(try PlainSQLite.rows("PRAGMA journal_mode = delete", in: source) == [["delete"]])
        let before = try Data(contentsOf: source)
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: source)
        }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(try Data(contentsOf: source) == before)
        #expect(try AtomicStack.read(source, type: NSSQLiteStoreType) { try $0.all("Author").count } == 1)
        #expect(try PlainSQLite.rows("PRAGMA journal_mode", in: source) == [["wal"]])
    }
}
