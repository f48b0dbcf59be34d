import Foundation
import GRDB

/// SQLite stores that Apple's framework wrote, where the machine has them (see CONTRIBUTING.md).
enum FixtureStores {
    static let folder = TestFiles.fixtures

    static var arePresent: Bool { !paths.isEmpty }

    /// Paths of the stores below the folder, without those of which the catalog says nothing.
    static let paths: [String] = {
        guard let catalog = try? String(contentsOf: folder.appendingPathComponent("oracle.json"), encoding: .utf8),
            let stores = try? JSONSerialization.jsonObject(with: Data(catalog.utf8)) as? [String: Any]
        else { return [] }
        return stores.keys.sorted()
    }()

    /// Those that carry their model. One that can't be read is among them, so that its tests fail with the reason.
    static let pathsWithModel = paths.filter { path in
        do { return try StoreCopy(of: path).read(PlainStore.init).hasModel } catch { return true }
    }
}

/// A copy of a store with its write-ahead log, in a folder of its own that goes away with it.
final class StoreCopy {
    let folder: URL
    let path: String

    init(of relativePath: String) throws {
        let original = FixtureStores.folder.appendingPathComponent(relativePath)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appendingPathComponent(original.lastPathComponent)
        path = copy.path
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original.path + suffix) {
            try FileManager.default.copyItem(atPath: original.path + suffix, toPath: copy.path + suffix)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Reads the copy of this copy with SQLite alone, so that looking doesn't touch the files under test.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let twin = folder.appendingPathExtension("plain")
        try FileManager.default.copyItem(at: folder, to: twin)
        defer { try? FileManager.default.removeItem(at: twin) }
        let queue = try DatabaseQueue(
            path: twin.appendingPathComponent(URL(fileURLWithPath: path).lastPathComponent).path)
        defer { try? queue.close() }
        return try queue.read(body)
    }
}
