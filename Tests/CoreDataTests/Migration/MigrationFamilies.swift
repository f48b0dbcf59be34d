import CoreData
import Foundation
import Testing

/// Families of fixtures: stores of one app, and the versions of its model.
enum MigrationFamilies {
    /// A version of a model, however many files of the family have it.
    struct Version: Sendable {
        var url: URL
        var hashes: [String: Data]
    }

    struct Family: Sendable {
        var name: String
        var stores: [SQLiteSchemaFixtures.Store]
        /// By name: where names have numbers, the older ones first.
        var versions: [Version]

        /// The version that a store's hashes are those of.
        func version(of store: SQLiteSchemaFixtures.Store) -> Version? {
            let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: store.url)
            let hashes = metadata?[NSStoreModelVersionHashesKey] as? [String: Data]
            return versions.first { $0.hashes == hashes }
        }
    }

    /// A store with a version of its model to bring it to.
    struct Step: CustomTestStringConvertible, Sendable {
        var store: SQLiteSchemaFixtures.Store
        /// The version that the store has.
        var source: URL?
        var destination: URL

        var testDescription: String { "\(store.path) to \(destination.path.suffix(60))" }
    }

    /// A version of a model that no store of the family has.
    struct VersionWithoutStore: CustomTestStringConvertible, Sendable {
        var model: URL
        /// The other versions.
        var others: [URL]

        var testDescription: String { "\(model.path.suffix(60)) to \(others.count) versions" }
    }

    static let all: [Family] = [
        "objcio__core-data", "hwaxxer__BookMigration", "richardpiazza__XCServerCoreData", "artsy__energy",
        "alemar11__CoreDataPlus", "Karim-ezzedine__CartKit",
    ].map { name in
        Family(
            name: name, stores: SQLiteSchemaFixtures.stores.filter { $0.path.hasPrefix("files/sqlite/\(name)/") },
            versions: versions(of: name))
    }

    /// Each store of a family with each version of the family.
    static let steps: [Step] = all.flatMap { family in
        family.stores.flatMap { store in
            let source = family.version(of: store)?.url
            return family.versions.map { Step(store: store, source: source, destination: $0.url) }
        }
    }

    static let versionsWithoutStore: [VersionWithoutStore] = all.flatMap { family in
        let stored = Set(family.stores.compactMap { family.version(of: $0)?.url })
        return family.versions.filter { !stored.contains($0.url) }.map { version in
            VersionWithoutStore(
                model: version.url, others: family.versions.map(\.url).filter { $0 != version.url })
        }
    }

    private static func versions(of name: String) -> [Version] {
        guard let folder = SQLiteSchemaFixtures.folder else { return [] }
        var seen: Set<[String: Data]> = []
        return ["xcdatamodel", "momd"].flatMap { files(in: folder.appendingPathComponent("files/\($0)/\(name)")) }
            .compactMap { url in
                guard let hashes = try? ModelFile.read(url).entityVersionHashesByName, seen.insert(hashes).inserted
                else { return nil }
                return Version(url: url, hashes: hashes)
            }
    }

    private static func files(in folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter {
            $0.pathExtension == "mom" || $0.lastPathComponent == "contents"
        }.sorted { $0.path.compare($1.path, options: .numeric) == .orderedAscending }
    }
}
