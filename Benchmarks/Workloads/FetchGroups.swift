import CoreData
import Foundation
import GRDB
import GRDBSQLite

/// Fetches by a predicate over an indexed attribute, which 100 of 200,000 counters fulfil, and reads all values; 100
/// times, each time another hundred counters.
struct FetchGroups: SizedWorkload {
    var count = 200_000
    private let times = 100

    var name: String { "predicate" }
    var title: String { "fetch 100 of 200,000 by an index, read all values, 100 times" }
    var growthTitle: String { "fetch 100 by an index, 100 times" }
    var largestSize: Int { 10_000_000 }
    var objects: Int { times * CounterValues.groupSize }
    var template: StoreTemplate { .indexedCounters(count) }
    var outcome: String? { nil }

    /// The groups, from all over the table.
    private var groups: [Int64] { (0..<times).map { Int64($0 * 37 % (count / CounterValues.groupSize)) } }

    func plain(_ store: URL) throws -> Work {
        let database = try PlainDatabase(store)
        let sql = "SELECT Z_PK, \(PlainCounters.columns.joined(separator: ", ")) FROM ZCOUNTER WHERE ZVALUE0 = ?"
        return {
            try database.prepare(sql) { statement in
                try groups.reduce(0) { sum, group in
                    sqlite3_bind_int64(statement, 1, group)
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
            try groups.reduce(0) { sum, group in
                let counters = try pool.read { database in
                    try Record.filter(Column("ZVALUE0") == group).fetchAll(database)
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
                try groups.reduce(0) { sum, group in
                    let request = NSFetchRequest<Counter>(entityName: "Counter")
                    request.predicate = NSPredicate(format: "value0 == %lld", group)
                    return try context.fetch(request).reduce(sum) { $0 &+ $1.sum }
                }
            }
        }
    }
}
