import CoreData
import Foundation
import GRDB

/// Opens a store of 100 entities and counts the rows of one; closing is not timed.
struct OpenEntities: Workload {
    var name: String { "open" }
    var title: String { "open a store of 100 entities, count one" }
    var template: StoreTemplate { .entities }
    var outcome: String? { nil }

    func plain(_ store: URL) throws -> Work {
        return { try PlainDatabase(store).integer("SELECT COUNT(*) FROM ZENTITY7") }
    }

    func records(_ store: URL) throws -> Work {
        return {
            try RecordDatabase.open(store).read { database in
                try Int64.fetchOne(database, sql: "SELECT COUNT(*) FROM ZENTITY7") ?? 0
            }
        }
    }

    func coreData(_ store: URL) throws -> Work {
        // Making the model is an app's start; reading one is what another line measures. Opening lays it out.
        let model = RingModel.hundredEntities()
        return {
            let container = try BenchmarkModel.open(store, model: model)
            let context = container.newBackgroundContext()
            return try context.performAndWait {
                Int64(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Entity7")))
            }
        }
    }
}
