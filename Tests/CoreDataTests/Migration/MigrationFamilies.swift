import CoreData
import Foundation
import Testing

/// Stores of the fixtures, with the other versions of their models.
enum MigrationFamilies {
    struct Step: CustomTestStringConvertible, Sendable {
        var store: SQLiteSchemaFixtures.Store
        var destination: URL

        var testDescription: String { "\(store.path) to \(destination.path.suffix(60))" }
    }

    private static let names = [
        "objcio__core-data", "hwaxxer__BookMigration", "richardpiazza__XCServerCoreData", "artsy__energy",
        "alemar11__CoreDataPlus", "Karim-ezzedine__CartKit",
    ]

    /// Each store of a family with each model of the family.
    static let steps: [Step] = {
        guard let folder = SQLiteSchemaFixtures.folder else { return [] }
        return names.flatMap { name -> [Step] in
            let stores = SQLiteSchemaFixtures.stores.filter { $0.path.hasPrefix("files/sqlite/\(name)/") }
            let models = ["xcdatamodel", "momd"].flatMap { kind in
                files(in: folder.appendingPathComponent("files/\(kind)/\(name)"))
            }
            return stores.flatMap { store in models.map { Step(store: store, destination: $0) } }
        }
    }()

    private static func files(in folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter {
            $0.pathExtension == "mom" || $0.lastPathComponent == "contents"
        }.sorted { $0.path < $1.path }
    }
}
