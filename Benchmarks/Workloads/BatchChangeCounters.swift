import CoreData
import Foundation
import GRDB
import GRDBSQLite

/// Updates or deletes a tenth of 200,000 counters by one batch request.
struct BatchChangeCounters: SizedWorkload {
    enum Change {
        case update
        case delete
    }

    let change: Change
    var count = 200_000
    private var changed: Int { count / 10 }
    /// Counters of these groups are changed: groups are the values of the first column.
    private var firstGroup: Int { (count - changed) / CounterValues.groupSize }

    var name: String { change == .update ? "batch-update" : "batch-delete" }
    var title: String {
        change == .update ? "batch update of 20,000 of 200,000" : "batch delete of 20,000 of 200,000"
    }
    var growthTitle: String { change == .update ? "batch update of a tenth" : "batch delete of a tenth" }
    var largestSize: Int { 10_000_000 }
    var template: StoreTemplate { .counters(count) }
    var outcome: String? { "SELECT COUNT(*) + SUM(Z_OPT) + SUM(ZVALUE1) FROM ZCOUNTER" }

    private var sql: String {
        change == .update
            ? "UPDATE ZCOUNTER SET ZVALUE1 = ZVALUE1 + 1, Z_OPT = Z_OPT + 1 WHERE ZVALUE0 >= ?"
            : "DELETE FROM ZCOUNTER WHERE ZVALUE0 >= ?"
    }

    func plain(_ store: URL) throws -> Work {
        let database = try PlainDatabase(store)
        return {
            try database.transaction {
                try database.prepare(sql) { statement in
                    sqlite3_bind_int64(statement, 1, Int64(firstGroup))
                    try database.run(statement)
                }
            }
            return Int64(sqlite3_changes(database.connection))
        }
    }

    func records(_ store: URL) throws -> Work {
        let pool = try RecordDatabase.open(store)
        return {
            try pool.write { database in
                try database.execute(sql: sql, arguments: [firstGroup])
                return Int64(database.changesCount)
            }
        }
    }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        let predicate = NSPredicate(format: "value0 >= %d", firstGroup)
        return {
            let context = container.newBackgroundContext()
            return try context.performAndWait {
                switch change {
                case .update:
                    let request = NSBatchUpdateRequest(entityName: "Counter")
                    request.predicate = predicate
                    request.propertiesToUpdate = ["value1": NSExpression(format: "value1 + 1")]
                    request.resultType = .updatedObjectsCountResultType
                    let result = try context.execute(request) as? NSBatchUpdateResult
                    return Int64(result?.result as? Int ?? 0)
                case .delete:
                    let fetch = NSFetchRequest<NSManagedObject>(entityName: "Counter")
                    fetch.predicate = predicate
                    let request = NSBatchDeleteRequest(fetchRequest: fetch)
                    request.resultType = .resultTypeCount
                    let result = try context.execute(request) as? NSBatchDeleteResult
                    return Int64(result?.result as? Int ?? 0)
                }
            }
        }
    }
}
