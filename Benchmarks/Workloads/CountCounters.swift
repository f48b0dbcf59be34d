import CoreData
import Foundation
import GRDB
import GRDBSQLite

/// Counts 200,000 counters, ten times.
struct CountCounters: SizedWorkload {
    var count = 200_000
    private let times = 10

    var name: String { "count" }
    var title: String { "count 200,000, ten times" }
    var growthTitle: String { "count, ten times" }
    var largestSize: Int { 10_000_000 }
    var template: StoreTemplate { .counters(count) }
    var outcome: String? { nil }

    func plain(_ store: URL) throws -> Work {
        let database = try PlainDatabase(store)
        return {
            try database.prepare("SELECT COUNT(*) FROM ZCOUNTER") { statement in
                var sum: Int64 = 0
                for _ in 0..<times {
                    guard sqlite3_step(statement) == SQLITE_ROW else { throw database.error("counting") }
                    sum += sqlite3_column_int64(statement, 0)
                    sqlite3_reset(statement)
                }
                return sum
            }
        }
    }

    func records(_ store: URL) throws -> Work {
        let pool = try RecordDatabase.open(store)
        return {
            var sum: Int64 = 0
            for _ in 0..<times { sum += try pool.read { Int64(try CounterRecord.fetchCount($0)) } }
            return sum
        }
    }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        return {
            let context = container.newBackgroundContext()
            return try context.performAndWait {
                var sum: Int64 = 0
                for _ in 0..<times {
                    sum += Int64(try context.count(for: NSFetchRequest<Counter>(entityName: "Counter")))
                }
                return sum
            }
        }
    }
}
