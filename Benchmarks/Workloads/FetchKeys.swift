import CoreData
import Foundation
import GRDB
import GRDBSQLite

/// Fetches the identities of 200,000 counters.
struct FetchKeys: SizedWorkload {
    var count = 200_000

    var name: String { "fetch-ids" }
    var title: String { "fetch the IDs of 200,000" }
    var growthTitle: String { "fetch the IDs" }
    var largestSize: Int { 10_000_000 }
    var template: StoreTemplate { .counters(count) }
    var outcome: String? { nil }

    func plain(_ store: URL) throws -> Work {
        let database = try PlainDatabase(store)
        return {
            let keys = try database.prepare("SELECT Z_ENT, Z_PK FROM ZCOUNTER") { statement in
                var keys: [PlainKey] = []
                while sqlite3_step(statement) == SQLITE_ROW {
                    keys.append(
                        PlainKey(entity: sqlite3_column_int64(statement, 0), key: sqlite3_column_int64(statement, 1)))
                }
                return keys
            }
            return Int64(keys.count)
        }
    }

    func records(_ store: URL) throws -> Work { try work(store, by: KeyRecord.self) }

    func fastRecords(_ store: URL) throws -> Work { try work(store, by: FastKeyRecord.self) }

    private func work<Record: FetchableRecord & TableRecord>(_ store: URL, by record: Record.Type) throws -> Work {
        let pool = try RecordDatabase.open(store)
        return {
            let keys = try pool.read { database in
                try Record.fetchAll(database)
            }
            return Int64(keys.count)
        }
    }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        return {
            let context = container.newBackgroundContext()
            return try context.performAndWait {
                let request = NSFetchRequest<NSManagedObjectID>(entityName: "Counter")
                request.resultType = .managedObjectIDResultType
                return Int64(try context.fetch(request).count)
            }
        }
    }
}

private struct PlainKey {
    var entity: Int64
    var key: Int64
}

private struct KeyRecord: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = CounterRecord.databaseTableName
    static var databaseSelection: [any SQLSelectable] { [Column(CodingKeys.entity), Column(CodingKeys.key)] }

    var entity: Int64
    var key: Int64

    enum CodingKeys: String, CodingKey {
        case entity = "Z_ENT"
        case key = "Z_PK"
    }
}

private struct FastKeyRecord: FetchableRecord, TableRecord {
    static let databaseTableName = CounterRecord.databaseTableName
    static var databaseSelection: [any SQLSelectable] { [Column("Z_ENT"), Column("Z_PK")] }

    var entity: Int64
    var key: Int64

    init(row: Row) {
        entity = row[0]
        key = row[1]
    }
}
