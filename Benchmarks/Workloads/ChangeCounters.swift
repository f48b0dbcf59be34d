import CoreData
import Foundation
import GRDB
import GRDBSQLite

/// Fetches 20,000 counters and changes two values of each, or deletes them all, in one save.
struct ChangeCounters: SizedWorkload {
    enum Change: String {
        case update, delete
    }

    let change: Change
    var count = 20_000

    var name: String { change.rawValue }
    var title: String { "\(change.rawValue) 20,000, one save" }
    var growthTitle: String { "\(change.rawValue), one save" }
    var template: StoreTemplate { .counters(count) }
    var outcome: String? {
        "SELECT COUNT(*) + IFNULL(SUM(Z_OPT + \(PlainCounters.columns.joined(separator: " + "))), 0) FROM ZCOUNTER"
    }

    func plain(_ store: URL) throws -> Work {
        let database = try PlainDatabase(store)
        return {
            let counters = try PlainCounters.all(database)
            let sql =
                change == .update
                ? "UPDATE ZCOUNTER SET ZVALUE1 = ?, ZVALUE2 = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ? AND Z_OPT = 1"
                : "DELETE FROM ZCOUNTER WHERE Z_PK = ? AND Z_OPT = 1"
            try database.transaction {
                try database.prepare(sql) { statement in
                    for counter in counters {
                        var place: Int32 = 1
                        if change == .update {
                            sqlite3_bind_int64(statement, 1, counter.values.1 + 1)
                            sqlite3_bind_int64(statement, 2, counter.values.2 + 2)
                            place = 3
                        }
                        sqlite3_bind_int64(statement, place, counter.key)
                        try database.run(statement)
                    }
                }
            }
            return Int64(counters.count)
        }
    }

    func records(_ store: URL) throws -> Work { try work(store, by: CounterRecord.self) }

    func fastRecords(_ store: URL) throws -> Work { try work(store, by: FastCounterRecord.self) }

    private func work<Record: CounterRecording>(_ store: URL, by record: Record.Type) throws -> Work {
        let pool = try RecordDatabase.open(store)
        return {
            try pool.write { database in
                let counters = try Record.fetchAll(database)
                for var counter in counters {
                    if change == .delete {
                        try counter.delete(database)
                        continue
                    }
                    counter.value1 = (counter.value1 ?? 0) + 1
                    counter.value2 = (counter.value2 ?? 0) + 2
                    counter.version += 1
                    try counter.update(database, columns: [Column("ZVALUE1"), Column("ZVALUE2"), Column("Z_OPT")])
                }
                return Int64(counters.count)
            }
        }
    }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        return {
            let context = container.newBackgroundContext()
            return try context.performAndWait {
                let counters = try context.fetch(NSFetchRequest<Counter>(entityName: "Counter"))
                for counter in counters {
                    if change == .delete {
                        context.delete(counter)
                    } else {
                        counter.value1 += 1
                        counter.value2 += 2
                    }
                }
                try context.save()
                return Int64(counters.count)
            }
        }
    }
}
