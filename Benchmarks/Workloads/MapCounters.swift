import CoreData
import Foundation

/// Migrates 200,000 counters by a mapping model and a manager, into a new store. Its memory matters more than its time.
struct MapCounters: OwnWorkload, SizedWorkload {
    var count = 200_000

    var name: String { "migrate-mapping" }
    var title: String { "migrate 200,000 by a mapping model" }
    var isWriting: Bool { true }
    var growthTitle: String { "migrate by a mapping model" }
    var template: StoreTemplate { .counters(count) }
    var outcome: String? { nil }

    func coreData(_ store: URL) throws -> Work {
        let source = BenchmarkModel.make(isIndexed: false)
        let destination = MigrateCounters.model(.end)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        let new = store.appendingPathExtension("new")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: new.path + suffix) }
        return {
            try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
                from: store, type: .sqlite, mapping: mapping, to: new, type: .sqlite)
            return try PlainDatabase(new).integer("SELECT COUNT(*) + SUM(ZVALUE3) FROM ZCOUNTING")
        }
    }
}
