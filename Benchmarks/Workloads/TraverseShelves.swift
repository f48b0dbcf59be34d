import CoreData
import Foundation
import GRDB

/// Goes through the volumes of 10,000 shelves, five each, which were fetched along with the shelves.
struct TraverseShelves: SizedWorkload {
    /// How many shelves there are.
    private var shelves = 10_000
    /// How many volumes there are.
    var count: Int {
        get { shelves * PlainShelves.volumesEach }
        set { shelves = newValue / PlainShelves.volumesEach }
    }

    var name: String { "to-many" }
    var title: String { "go through a to-many of 10,000, prefetched, five objects each" }
    var growthTitle: String { "go through a to-many of five, prefetched" }
    var template: StoreTemplate { .shelves(shelves) }
    var outcome: String? { nil }

    func plain(_ store: URL) throws -> Work {
        let database = try PlainDatabase(store)
        return {
            try PlainShelves.all(database).reduce(0) { sum, shelf in shelf.volumes.reduce(sum) { $0 &+ $1.pages } }
        }
    }

    func records(_ store: URL) throws -> Work {
        let pool = try RecordDatabase.open(store)
        return {
            let shelves = try pool.read { database in
                try FilledShelfRecord.fetchAll(database, ShelfRecord.including(all: ShelfRecord.volumes))
            }
            return shelves.reduce(0) { sum, shelf in shelf.volumes.reduce(sum) { $0 &+ ($1.pages ?? 0) } }
        }
    }

    func fastRecords(_ store: URL) throws -> Work {
        let pool = try RecordDatabase.open(store)
        return {
            let shelves = try pool.read { database in
                try FastShelfRecord.including(all: FastShelfRecord.volumes).fetchAll(database)
            }
            return shelves.reduce(0) { sum, shelf in shelf.volumes.reduce(sum) { $0 &+ ($1.pages ?? 0) } }
        }
    }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        return {
            let context = container.newBackgroundContext()
            return try context.performAndWait {
                let request = NSFetchRequest<Shelf>(entityName: "Shelf")
                request.relationshipKeyPathsForPrefetching = ["volumes"]
                return try context.fetch(request).reduce(0) { sum, shelf in
                    shelf.volumes.reduce(sum) { $0 &+ $1.pages }
                }
            }
        }
    }
}
