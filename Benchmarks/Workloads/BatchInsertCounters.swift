import CoreData
import Foundation

/// Inserts 50,000 counters by one batch request, whose handler fills in an object or a dictionary.
struct BatchInsertCounters: SizedWorkload {
    enum Form {
        case objects
        case dictionaries
    }

    let form: Form
    var count = 50_000
    private var insertion: InsertCounters { InsertCounters(access: .accessors, count: count) }

    var name: String { form == .objects ? "batch-insert" : "batch-insert-dictionaries" }
    var title: String {
        form == .objects ? "batch insert of 50,000, object handler" : "batch insert of 50,000, dictionary handler"
    }
    var growthTitle: String { form == .objects ? "batch insert, object handler" : "batch insert, dictionary handler" }
    var largestSize: Int { 10_000_000 }
    var template: StoreTemplate { .empty }
    var outcome: String? { insertion.outcome }

    func plain(_ store: URL) throws -> Work { try insertion.plain(store) }

    func records(_ store: URL) throws -> Work { try insertion.records(store) }

    func fastRecords(_ store: URL) throws -> Work { try insertion.fastRecords(store) }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        return {
            let context = container.newBackgroundContext()
            try context.performAndWait { _ = try context.execute(form == .objects ? objects : dictionaries) }
            return Int64(count)
        }
    }

    private var objects: NSBatchInsertRequest {
        var row = 0
        return NSBatchInsertRequest(entityName: "Counter") { (object: NSManagedObject) in
            guard row < count, let counter = object as? Counter else { return true }
            counter.fill(row: row)
            row += 1
            return false
        }
    }

    private var dictionaries: NSBatchInsertRequest {
        let keys = (0..<CounterValues.columns).map { "value\($0)" }
        var row = 0
        return NSBatchInsertRequest(entityName: "Counter") { (dictionary: NSMutableDictionary) in
            guard row < count else { return true }
            for column in 0..<CounterValues.columns {
                dictionary[keys[column]] = CounterValues.value(row: row, column: column)
            }
            row += 1
            return false
        }
    }
}
