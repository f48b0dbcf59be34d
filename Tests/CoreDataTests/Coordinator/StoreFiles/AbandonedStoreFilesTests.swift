import CoreData
import Foundation
import Testing

@Suite("What ended processes have left beside a store")
struct AbandonedStoreFilesTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let dead: URL
    private let alive: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store")
        dead = folder.url.appendingPathComponent(".store-work-\(UUID().uuidString)")
        alive = folder.url.appendingPathComponent(".store-work-\(UUID().uuidString)")
        for place in [dead, alive] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data("half".utf8).write(to: place.appendingPathComponent("store"))
        }
    }

    private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    @Test(
        "is removed when it is opened for writing, and stays as long as its owner is alive",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func removed(type: String) throws {
        let stack = try AtomicStack(folder.url.appendingPathComponent("first"), type: type)
        stack.context.make("Author", ["name": "A"])
        try stack.context.save()
        try stack.close()
        try FileManager.default.moveItem(at: folder.url.appendingPathComponent("first"), to: url)
        let lock = open(alive.path, O_RDONLY)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        // What only looks alike is somebody else's.
        let other = folder.url.appendingPathComponent(".store-work-notes")
        let neighbour = folder.url.appendingPathComponent(".store2-work-\(UUID().uuidString)")
        for place in [other, neighbour] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        let lockFile = folder.url.appendingPathComponent(".store-migration.lock")
        let aside = folder.url.appendingPathComponent(".store.\(UUID().uuidString).old")
        for file in [lockFile, aside] { try Data().write(to: file) }
        let reader = try AtomicStack(url, type: type, options: [NSReadOnlyPersistentStoreOption: true])
        try reader.close()
        for place in [dead, alive, other, neighbour, lockFile, aside] { #expect(exists(place)) }
        for _ in 0..<2 {
            let writer = try AtomicStack(url, type: type)
            try writer.close()
        }
        for place in [dead, lockFile, aside] { #expect(!exists(place), "\(place.lastPathComponent)") }
        for place in [alive, other, neighbour] { #expect(exists(place), "\(place.lastPathComponent)") }
        close(lock)
        let writer = try AtomicStack(url, type: type)
        try writer.close()
        #expect(!exists(alive))
    }

    @Test("isn't left by those that end well", arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func nothingIsLeft(type: String) throws {
        let stack = try AtomicStack(url, type: type)
        for number in 0..<3 {
            stack.context.make("Author", ["name": "Author \(number)"])
            try stack.context.save()
        }
        try stack.close()
        let copy = folder.url.appendingPathComponent("copy")
        for _ in 0..<2 {
            try stack.coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: url, ofType: type)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix(".") } == [])
    }
}
