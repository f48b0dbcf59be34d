@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import Synchronization

@testable import CoreData

/// The models of the fixtures' stores, each read once for all tests.
enum FixtureModels {
    private struct Entry: @unchecked Sendable {
        var model: NSManagedObjectModel?
    }

    private static let known = Mutex<[String: Entry]>([:])

    /// The first of a store's models, its own first, whose hashes are those in the store's metadata.
    static func model(of store: SQLiteSchemaFixtures.Store) throws -> NSManagedObjectModel? {
        if let entry: Entry = known.withLock({ $0[store.path] }) { return entry.model }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: store.url)
        let found = Entry(
            model: try candidates(of: store).first {
                $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
            })
        let entry = known.withLock { known in
            if let entry = known[store.path] { return entry }
            // Layouts are made once a model; not by two tests at the same time.
            if let model = found.model { _ = ModelLayout.of(model) }
            known[store.path] = found
            return found
        }
        return entry.model
    }

    /// The stores that one of their models fits. One whose model can't be read is among them, so that its tests fail with the
    /// reason.
    static let stores = SQLiteSchemaFixtures.stores.filter { store in
        do { return try model(of: store) != nil } catch { return true }
    }

    /// The model in the store, and those that lie beside it.
    static func candidates(of store: SQLiteSchemaFixtures.Store) throws -> [NSManagedObjectModel] {
        try [EngineStore<SQLiteEngine>.modelCarried(byStoreAt: store.url)].compactMap { $0 }
            + store.models.map { try ModelFile.read($0) }
    }
}

/// A private copy of a fixture with everything that belongs to it, in a folder that goes with it.
final class FixtureCopy {
    let folder: URL
    let url: URL

    init(_ store: SQLiteSchemaFixtures.Store) throws {
        let manager = FileManager.default
        folder = manager.temporaryDirectory.appendingPathComponent("Fixture-\(UUID().uuidString)")
        url = folder.appendingPathComponent(store.url.lastPathComponent)
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] where manager.fileExists(atPath: store.url.path + suffix) {
            let target = url.path + suffix
            try manager.copyItem(atPath: store.url.path + suffix, toPath: target)
            try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target)
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Every file of the folder, and what is in it.
    static func contents(of folder: URL) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let file = folder.appendingPathComponent(name)
            contents[name] = (try? Data(contentsOf: file)) ?? Data()
        }
        return contents
    }
}

extension NSManagedObject {
    /// The key of the object's row.
    var rowKey: Int64 { Int64(objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? -1 }
}
