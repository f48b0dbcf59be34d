import CoreData
import Foundation
import GRDB

/// Inserts 50,000 counters and saves them at once.
struct InsertCounters: SizedWorkload {
    /// How this package's side sets the values.
    enum Access {
        case keyValueCoding
        case accessors
    }

    let access: Access
    var count = 50_000

    var name: String { access == .accessors ? "insert" : "insert-kvc" }
    var title: String {
        access == .accessors
            ? "insert 50,000 by accessors, one save" : "insert 50,000 by key-value coding, one save"
    }
    var growthTitle: String {
        access == .accessors ? "insert by accessors, one save" : "insert by key-value coding, one save"
    }
    var template: StoreTemplate { .empty }
    var outcome: String? {
        """
        SELECT COUNT(*) + SUM(Z_PK + Z_ENT + Z_OPT) + SUM(\(PlainCounters.columns.joined(separator: " + ")))
            + (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Counter') FROM ZCOUNTER
        """
    }

    func plain(_ store: URL) throws -> Work {
        let database = try PlainDatabase(store)
        return {
            try PlainCounters.insert(count, into: database)
            return Int64(count)
        }
    }

    func records(_ store: URL) throws -> Work { try work(store, by: CounterRecord.self) }

    func fastRecords(_ store: URL) throws -> Work { try work(store, by: FastCounterRecord.self) }

    private func work<Record: CounterRecording>(_ store: URL, by record: Record.Type) throws -> Work {
        let pool = try RecordDatabase.open(store)
        return {
            try pool.write { database in
                let first = try RecordDatabase.reserveKeys(count, entity: "Counter", in: database)
                for row in 0..<count {
                    try Record(key: first.key + Int64(row), entity: first.entity, row: row).insert(database)
                }
            }
            return Int64(count)
        }
    }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        return {
            let context = container.newBackgroundContext()
            try context.performAndWait {
                switch access {
                case .keyValueCoding: insertByKeys(into: context)
                case .accessors: insertByAccessors(into: context)
                }
                try context.save()
            }
            return Int64(count)
        }
    }

    private func insertByKeys(into context: NSManagedObjectContext) {
        let keys = (0..<CounterValues.columns).map { "value\($0)" }
        for row in 0..<count {
            let counter = NSEntityDescription.insertNewObject(forEntityName: "Counter", into: context)
            for column in 0..<CounterValues.columns {
                counter.setValue(CounterValues.value(row: row, column: column), forKey: keys[column])
            }
        }
    }

    private func insertByAccessors(into context: NSManagedObjectContext) {
        for row in 0..<count {
            Counter(context: context).fill(row: row)
        }
    }
}
