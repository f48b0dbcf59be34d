@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import ManagedObjectModel
import Synchronization
import Testing

@testable import CoreData

/// The stores that Apple's framework wrote, with their models, where the fixtures are present.
enum SQLiteSchemaFixtures {
    struct Store: CustomTestStringConvertible, Sendable {
        /// The path below the fixtures.
        var path: String
        var url: URL
        /// Models beside the store, by the certainty that they are its own.
        var models: [URL]

        var testDescription: String { path }

        /// The layout of ``model()``, read once for all tests.
        func layout() throws -> ModelLayout? {
            try SQLiteSchemaFixtures.layouts.withLock { layouts in
                if let known = layouts[path] { return known }
                let layout = try model().map { ModelLayout.of($0) }
                layouts[path] = .some(layout)
                return layout
            }
        }

        /// The model that the store keeps of itself, or one that lies beside it.
        private func model() throws -> NSManagedObjectModel? {
            let file = try SQLiteFile.openForReading(url)
            if let cached = try file.read({ try SQLiteModelCache.read($0) }) { return cached }
            return try pairedModel()
        }

        private func pairedModel() throws -> NSManagedObjectModel? {
            for url in models {
                let data = try Data(contentsOf: url)
                if url.pathExtension == "mom" || url.lastPathComponent == "elements" {
                    return try? NSManagedObjectModel(archivedData: data)
                }
                let model = NSManagedObjectModel()
                try XMLModelReader.read(data, into: model)
                return model
            }
            return nil
        }
    }

    fileprivate static let layouts = Mutex<[String: ModelLayout?]>([:])

    static let folder: URL? = {
        let folder = TestFiles.fixtures
        return FileManager.default.fileExists(atPath: folder.appendingPathComponent("oracle.json").path) ? folder : nil
    }()

    static let stores: [Store] = {
        guard let folder,
            let oracle = try? JSONSerialization.jsonObject(
                with: Data(contentsOf: folder.appendingPathComponent("oracle.json"))) as? [String: [String: Any]]
        else { return [] }
        let pairs = (try? String(contentsOf: folder.appendingPathComponent("pairs.tsv"), encoding: .utf8)) ?? ""
        var models: [String: [URL]] = [:]
        for line in pairs.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 5, fields[0] == "store", !fields[4].hasPrefix("approximate") else { continue }
            models[fields[2], default: []].append(folder.appendingPathComponent(fields[3]))
        }
        return oracle.keys.sorted().map { path in
            Store(path: path, url: folder.appendingPathComponent(path), models: models[path] ?? [])
        }
    }()
    /// The stores whose model is known. One whose model can't be read is among them, so that its tests fail with the reason.
    static let withModel = stores.filter { store in
        do { return try store.layout() != nil } catch { return true }
    }
}
