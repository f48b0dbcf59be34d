import CoreData
import Foundation
import Testing

/// A store that does nothing about reservations itself; an empty one takes no bytes.
private class PlainStore: NSAtomicStore {
    override var type: String { "Plain" }
    override func load() throws {}
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID() }
    override func save() throws {
        guard let url else { return }
        try Data(cacheNodes().map { _ in 0x2A }).write(to: url)
    }
}

private final class UnloadableStore: PlainStore {
    override var type: String { "Unloadable" }
    override func load() throws { throw CocoaError(.fileReadCorruptFile) }
}

private final class PlainIncrementalStore: NSIncrementalStore {
    override var type: String { "PlainIncremental" }
}

@Suite("A file of zero length reserves the place of a new store, and goes with a store that was never saved")
struct ReservationTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("reserved") }
    private var size: Int? {
        (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue
    }

    init() throws {
        folder = try TemporaryFolder()
        for (storeClass, type) in [
            (PlainStore.self, "Plain"), (UnloadableStore.self, "Unloadable"),
            (PlainIncrementalStore.self, "PlainIncremental"),
        ] as [(NSPersistentStore.Type, String)] {
            NSPersistentStoreCoordinator.registerStoreClass(storeClass, forStoreType: type)
        }
        try Data().write(to: url)
    }

    private static let types = [NSXMLStoreType, NSBinaryStoreType, "Plain", "PlainIncremental"]

    @Test("It goes when the store is removed, and when the coordinator ends", arguments: types)
    func leaving(type: String) throws {
        let stack = try AtomicStack(url, type: type)
        #expect(size == 0)
        try stack.coordinator.remove(stack.store)
        #expect(size == nil)
        try Data().write(to: url)
        do { _ = try AtomicStack(url, type: type) }
        #expect(size == nil)
    }

    @Test("It goes when the store can't be loaded")
    func failedLoad() throws {
        #expect(throws: CocoaError.self) { try AtomicStack(url, type: "Unloadable") }
        #expect(size == nil)
    }

    @Test("It stays when the store was saved, however few bytes that took, and with a store that is read-only")
    func staying() throws {
        let stack = try AtomicStack(url, type: "Plain")
        let genre = stack.context.make("Genre", ["name": "SF"])
        try stack.context.save()
        #expect(size == 1)
        stack.context.delete(genre)
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        #expect(size == 0)
        let readOnly = try AtomicStack(url, type: "Plain", options: [NSReadOnlyPersistentStoreOption: true])
        try readOnly.coordinator.remove(readOnly.store)
        #expect(size == 0)
    }

    @Test("A SQLite store is made there at once, and stays a store")
    func sqlite() throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType)
        let identifier = stack.store.identifier
        try stack.coordinator.remove(stack.store)
        #expect(try #require(size) > 0)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        #expect(metadata[NSStoreUUIDKey] as? String == identifier)
    }

    @Test("A store in memory has nothing to do with the file at its URL")
    func memory() throws {
        let stack = try AtomicStack(url, type: NSInMemoryStoreType)
        try stack.coordinator.remove(stack.store)
        #expect(size == 0)
    }
}
