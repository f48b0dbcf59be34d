import CoreData
import Foundation
import GRDB
import GRDBSQLite

/// Fetches a million counters, 10,000 at a time, reads all values, and lets each batch go before the next. The memory at the
/// peak has to be that of a batch, not that of the store.
struct FetchMillion: SizedWorkload {
    var count = 1_000_000
    private let groupsInBatch: Int64 = 100

    var name: String { "million" }
    var title: String { "fetch 1,000,000 in batches of 10,000, read all values, let go" }
    var growthTitle: String { "fetch in batches of 10,000, let go" }
    var largestSize: Int { 10_000_000 }
    var template: StoreTemplate { .indexedCounters(count) }
    var outcome: String? { nil }

    /// The first group of each batch.
    private var batches: [Int64] {
        Array(stride(from: 0, to: Int64(count / CounterValues.groupSize), by: Int64.Stride(groupsInBatch)))
    }

    func plain(_ store: URL) throws -> Work {
        let database = try PlainDatabase(store)
        let columns = PlainCounters.columns.joined(separator: ", ")
        let sql = "SELECT Z_PK, \(columns) FROM ZCOUNTER WHERE ZVALUE0 >= ? AND ZVALUE0 < ?"
        return {
            try database.prepare(sql) { statement in
                try batches.reduce(0) { sum, first in
                    sqlite3_bind_int64(statement, 1, first)
                    sqlite3_bind_int64(statement, 2, first + groupsInBatch)
                    let counters = try PlainCounters.rows(statement, database)
                    sqlite3_reset(statement)
                    return counters.reduce(sum) { $0 &+ $1.sum }
                }
            }
        }
    }

    func records(_ store: URL) throws -> Work { try work(store, by: CounterRecord.self) }

    func fastRecords(_ store: URL) throws -> Work { try work(store, by: FastCounterRecord.self) }

    private func work<Record: CounterRecording>(_ store: URL, by record: Record.Type) throws -> Work {
        let pool = try RecordDatabase.open(store)
        return {
            try batches.reduce(0) { sum, first in
                let group = Column("ZVALUE0")
                let counters = try pool.read { database in
                    try Record.filter(group >= first && group < first + groupsInBatch).fetchAll(database)
                }
                return counters.reduce(sum) { $0 &+ $1.sum }
            }
        }
    }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store, isIndexed: true)
        return {
            let context = container.newBackgroundContext()
            return try context.performAndWait {
                try batches.reduce(0) { sum, first in
                    let request = NSFetchRequest<Counter>(entityName: "Counter")
                    request.predicate = NSPredicate(
                        format: "value0 >= %lld AND value0 < %lld", first, first + groupsInBatch)
                    return try context.fetch(request).reduce(sum) { $0 &+ $1.sum }
                }
            }
        }
    }
}
