import CoreData
import Foundation
import Synchronization
import Testing

/// A store that is a folder with one file in it, which holds its metadata.
final class FolderStore: NSAtomicStore {
    static let storeType = "Folder"

    private static func file(in url: URL) -> URL { url.appendingPathComponent("metadata.plist") }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        let data = try Data(contentsOf: file(in: url))
        return try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] ?? [:]
    }

    override var type: String { Self.storeType }

    override func load() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        metadata = try Self.metadataForPersistentStore(with: url)
    }

    static func make(at url: URL, named name: String) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let metadata: [String: Any] = [NSStoreUUIDKey: name, NSStoreTypeKey: storeType]
        try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
            .write(to: file(in: url))
    }
}

@Suite("A store that is a folder and is replaced")
struct FolderReplacementTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let other: URL
    private let coordinator: NSPersistentStoreCoordinator

    init() throws {
        NSPersistentStoreCoordinator.registerStoreClass(FolderStore.self, forStoreType: FolderStore.storeType)
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Store")
        other = folder.url.appendingPathComponent("Other")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Library.model())
        try FolderStore.make(at: url, named: "old")
        try FolderStore.make(at: other, named: "new")
    }

    private func replace() throws {
        try coordinator.replacePersistentStore(
            at: url, withPersistentStoreFrom: other, ofType: FolderStore.storeType)
    }

    private func name() throws -> String? {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: FolderStore.storeType, at: url)[
            NSStoreUUIDKey] as? String
    }

    private var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [])
    }

    @Test("has its name at every moment, and leaves nothing beside it")
    func everyMoment() throws {
        let isDone = Atomic(false)
        let missed = Atomic(0)
        let watched = DispatchSemaphore(value: 0)
        let path = url.path
        Thread {
            while !isDone.load(ordering: .relaxed) {
                if access(path, F_OK) != 0 { missed.add(1, ordering: .relaxed) }
            }
            watched.signal()
        }.start()
        for _ in 0..<200 { try replace() }
        isDone.store(true, ordering: .relaxed)
        watched.wait()
        #expect(missed.load(ordering: .relaxed) == 0)
        #expect(try name() == "new")
        #expect(names == ["Store", "Other"])
    }

    @Test("may be a file, and be replaced by one")
    func file() throws {
        try FileManager.default.removeItem(at: other)
        try Data("text".utf8).write(to: other)
        try replace()
        #expect(try Data(contentsOf: url) == Data("text".utf8))
        try FileManager.default.removeItem(at: other)
        try FolderStore.make(at: other, named: "new")
        try replace()
        #expect(try name() == "new")
        #expect(names == ["Store", "Other"])
    }

    /// What a process leaves that is killed between the two steps of a system that can't exchange names.
    private func moveAside() throws -> URL {
        let aside = folder.url.appendingPathComponent(".Store.\(UUID().uuidString).old")
        try FileManager.default.moveItem(at: url, to: aside)
        return aside
    }

    @Test("is back in its place when it is next looked for, where the process was ended before another one was there")
    func recovery() throws {
        _ = try moveAside()
        #expect(try name() == "old")
        _ = try moveAside()
        let store = try coordinator.addPersistentStore(ofType: FolderStore.storeType, configurationName: nil, at: url)
        #expect(store.identifier == "old")
        try coordinator.remove(store)
        _ = try moveAside()
        try replace()
        #expect(try name() == "new")
        _ = try moveAside()
        try coordinator.destroyPersistentStore(at: url, ofType: FolderStore.storeType)
        #expect(names == ["Other"])
    }

    @Test("stays aside while the process is at work that replaces it, and where there is another one")
    func noRecovery() throws {
        let aside = try moveAside()
        let descriptor = open(aside.path, O_RDONLY | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: (any Error).self) { try name() }
        close(descriptor)
        try FolderStore.make(at: url, named: "another")
        #expect(try name() == "another")
        #expect(names.contains(aside.lastPathComponent))
    }

    @Test("a file of a similar name isn't taken for it")
    func others() throws {
        try FileManager.default.removeItem(at: url)
        for name in [".Store.notes.old", ".Store.\(UUID().uuidString)", ".Store.\(UUID().uuidString).new", ".Storeold"]
        {
            try FolderStore.make(at: folder.url.appendingPathComponent(name), named: name)
        }
        #expect(throws: (any Error).self) { try name() }
    }
}
