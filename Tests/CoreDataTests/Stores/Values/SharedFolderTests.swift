import CoreData
import Foundation
import Testing

@Suite("Stores whose names differ after the last dot share a folder for external values, and each keeps its own")
struct SharedFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let pairs = [
        ["Store.sqlite", "Store.sqlite_old"], ["Store.sqlite", "Store.bak"], ["Store", "Store.sqlite"],
        ["Store.db", "Store.db3"], ["Store.sqlite", "Store.sqlite~"],
    ]

    private func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private static func portrait(_ byte: UInt8) -> Data { Data(repeating: byte, count: 200_000) }

    private func make(_ name: String, _ byte: UInt8) throws {
        let stack = try open(name)
        for number in 0..<3 { stack.context.make("Author", ["name": "\(number)", "portrait": Self.portrait(byte)]) }
        try stack.context.save()
        try stack.close()
    }

    private func open(_ name: String) throws -> AtomicStack {
        try AtomicStack(url(name), type: NSSQLiteStoreType, model: Library.model(withFiles: true))
    }

    /// The first bytes of the portraits.
    private func portraits(_ name: String) throws -> [UInt8?] {
        let stack = try open(name)
        let found = try stack.context.all("Author").map { ($0.value(forKey: "portrait") as? Data)?.first }
        try stack.close()
        return found
    }

    private var files: Set<String> {
        let place = folder.url.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        return Set((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [])
    }

    private func coordinator() throws -> NSPersistentStoreCoordinator {
        NSPersistentStoreCoordinator(managedObjectModel: try Library.model(withFiles: true))
    }

    @Test("Opening, destroying and replacing one leaves the other's", arguments: pairs)
    func others(pair: [String]) throws {
        for name in pair { try make(name, 1) }
        for name in pair + pair { #expect(try portraits(name) == [1, 1, 1]) }
        try make("Other.sqlite", 9)
        for name in pair { try coordinator().replaceStore(at: url(name), withCopyOf: url("Other.sqlite")) }
        #expect(try portraits(pair[0]) == [9, 9, 9] && portraits(pair[1]) == [9, 9, 9])
        try coordinator().destroyPersistentStore(at: url(pair[0]), ofType: NSSQLiteStoreType)
        #expect(try portraits(pair[1]) == [9, 9, 9])
    }

    @Test("A copy beside a store has files of its own, whatever becomes of the store", arguments: pairs)
    func backups(pair: [String]) throws {
        try make(pair[0], 1)
        for round in UInt8(1)...3 {
            try coordinator().replaceStore(at: url(pair[1]), withCopyOf: url(pair[0]))
            // Of the copy before nothing is left.
            #expect(files.count == 6)
            let stack = try open(pair[0])
            for author in try stack.context.all("Author") {
                author.setValue(Self.portrait(round + 1), forKey: "portrait")
            }
            try stack.context.save()
            try stack.close()
            #expect(try portraits(pair[1]) == [round, round, round])
            #expect(try portraits(pair[0]) == [round + 1, round + 1, round + 1])
        }
        // And back.
        try coordinator().replaceStore(at: url(pair[0]), withCopyOf: url(pair[1]))
        try coordinator().destroyPersistentStore(at: url(pair[1]), ofType: NSSQLiteStoreType)
        #expect(try portraits(pair[0]) == [3, 3, 3])
    }
}

extension NSPersistentStoreCoordinator {
    fileprivate func replaceStore(at url: URL, withCopyOf source: URL) throws {
        try replacePersistentStore(at: url, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType)
    }
}
