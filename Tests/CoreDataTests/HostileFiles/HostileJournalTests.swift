import CoreData
import Foundation
import Testing

@Suite("What lies beside a SQLite store can't lead to other files")
struct HostileJournalTests {
    private let folder: TemporaryFolder
    private let store: URL
    private let victim: URL

    init() throws {
        folder = try TemporaryFolder()
        store = folder.url.appendingPathComponent("Store.sqlite")
        victim = folder.url.appendingPathComponent("important.txt")
        try HostileStore.makeSound(at: store)
        // Whether the connection that made the store has left them or not.
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
        try Data("kept".utf8).write(to: victim)
    }

    /// Each way to open a stranger's file.
    private static let ways: [(String, @Sendable (URL) throws -> Void)] = [
        ("open", { try open($0, [:]) }), ("open to read", { try open($0, [NSReadOnlyPersistentStoreOption: true]) }),
        (
            "metadata",
            { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: $0) }
        ), ("cached model", { _ = try NSPersistentStoreCoordinator.cachedModel(forStoreAt: $0) }),
        (
            "replace",
            { url in
                let other = url.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
                try NSPersistentStoreCoordinator(managedObjectModel: HostileStore.model()).replacePersistentStore(
                    at: other, withPersistentStoreFrom: url, ofType: NSSQLiteStoreType)
            }
        ),
    ]

    private static func open(_ url: URL, _ options: [AnyHashable: Any]) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HostileStore.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        try coordinator.remove(store)
    }

    /// A hot journal of the first page, with a super-journal's name at its end.
    private func journal(naming file: String) throws -> Data {
        func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        let database = [UInt8](try Data(contentsOf: store))
        let size = Int(database[16]) << 8 | Int(database[17])
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        var sum: UInt32 = 1
        for place in stride(from: size - 200, to: 0, by: -200) { sum &+= UInt32(database[place]) }
        var bytes = magic + word(1) + word(1) + word(UInt32(database.count / size)) + word(512) + word(UInt32(size))
        bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
        bytes += word(1) + database[0..<size] + word(sum)
        bytes += [UInt8](repeating: 0, count: 512 - bytes.count % 512)
        let name = Array(file.utf8)
        bytes += word(UInt32(0x4000_0000 / size + 1)) + name + word(UInt32(name.count))
        return Data(bytes + word(name.reduce(0) { $0 &+ UInt32($1) }) + magic)
    }

    @Test("A journal that names a file to be removed is refused, and the file stays", arguments: ways.indices)
    func superJournal(way: Int) throws {
        try journal(naming: victim.path).write(to: URL(fileURLWithPath: store.path + "-journal"))
        let before = try Data(contentsOf: store)
        let error = #expect(throws: NSError.self) { try Self.ways[way].1(store) }
        #expect(error?.code == CocoaError.Code.fileReadCorruptFile.rawValue, "\(Self.ways[way].0): \(error as Any)")
        #expect(try Data(contentsOf: victim) == Data("kept".utf8))
        #expect(try Data(contentsOf: store) == before)
    }

    @Test("A hot journal that names none is played back as ever")
    func plainJournal() throws {
        try journal(naming: "").write(to: URL(fileURLWithPath: store.path + "-journal"))
        try Self.open(store, [:])
        #expect(!FileManager.default.fileExists(atPath: store.path + "-journal"))
    }

    @Test("A log, index or journal that is a link is refused, and what it leads to stays", arguments: ways.indices)
    func links(way: Int) throws {
        for suffix in ["-wal", "-shm", "-journal"] {
            let link = store.path + suffix
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: victim.path)
            let error = #expect(throws: NSError.self) { try Self.ways[way].1(store) }
            #expect(error?.domain == NSCocoaErrorDomain)
            #expect(try Data(contentsOf: victim) == Data("kept".utf8), "\(suffix)")
            try FileManager.default.removeItem(atPath: link)
        }
    }

    @Test(
        "So is one that is another file by a second name, unless the database has one as well", arguments: ways.indices)
    func hardLinks(way: Int) throws {
        for suffix in ["-wal", "-shm", "-journal"] {
            let link = store.path + suffix
            try FileManager.default.linkItem(atPath: victim.path, toPath: link)
            let error = #expect(throws: NSError.self) { try Self.ways[way].1(store) }
            #expect(error?.domain == NSCocoaErrorDomain && error?.localizedDescription.contains("another name") == true)
            #expect(try Data(contentsOf: victim) == Data("kept".utf8), "\(suffix)")
            try FileManager.default.removeItem(atPath: link)
        }
        let snapshot = folder.url.appendingPathComponent("Snapshot.sqlite")
        let log = URL(fileURLWithPath: store.path + "-wal")
        try Data().write(to: log)
        try FileManager.default.linkItem(at: store, to: snapshot)
        try FileManager.default.linkItem(at: log, to: URL(fileURLWithPath: snapshot.path + "-wal"))
        try Self.ways[way].1(store)
    }

    @Test("A folder of external values that is a link is refused, and nothing goes from what it leads to")
    func linkedFolder() throws {
        let folder = folder.url
        let own = folder.appendingPathComponent("Own/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let value = own.appendingPathComponent(UUID().uuidString)
        try Data("kept".utf8).write(to: value)
        let support = folder.appendingPathComponent(".Store_SUPPORT")
        // A store without external values may have none.
        try? FileManager.default.removeItem(at: support)
        for isWhole in [true, false] {
            if isWhole {
                try FileManager.default.createSymbolicLink(
                    at: support, withDestinationURL: own.deletingLastPathComponent())
            } else {
                try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    at: support.appendingPathComponent("_EXTERNAL_DATA"), withDestinationURL: own)
            }
            for (name, way) in Self.ways {
                let error = #expect(throws: NSError.self, "\(name)") { try way(store) }
                #expect(error?.code == NSPersistentStoreOpenError)
            }
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HostileStore.model())
            #expect(throws: NSError.self) {
                try coordinator.destroyPersistentStore(at: store, ofType: NSSQLiteStoreType)
            }
            #expect(FileManager.default.fileExists(atPath: value.path))
            try FileManager.default.removeItem(at: support)
        }
    }

    @Test("Nobody waits for a pipe in the place of the lock of migrations", .timeLimit(.minutes(1)))
    func pipeForLock() throws {
        #expect(mkfifo(folder.url.appendingPathComponent(".Store.sqlite-migration.lock").path, 0o600) == 0)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HostileStore.model(version: 2))
        let opened = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store,
            options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
        try coordinator.remove(opened)
    }
}
