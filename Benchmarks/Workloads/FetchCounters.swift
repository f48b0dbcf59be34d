import CoreData
import Foundation
import GRDB

/// Fetches 200,000 counters into a new context over a store that has just been opened.
struct FetchCounters: SizedWorkload {
    /// What is read of the counters that were fetched.
    enum Reading {
        case accessors
        case keyValueCoding
        /// Nothing: in this package they stay faults. The other sides have nothing like it, and do the same without
        /// looking at the values.
        case nothing
    }

    let reading: Reading
    var count = 200_000

    var name: String {
        switch reading {
        case .accessors: "fetch"
        case .keyValueCoding: "fetch-kvc"
        case .nothing: "fetch-faults"
        }
    }
    var title: String {
        switch reading {
        case .accessors: "fetch 200,000, read all values by accessors"
        case .keyValueCoding: "fetch 200,000, read all values by key-value coding"
        case .nothing: "fetch 200,000 as faults"
        }
    }
    var growthTitle: String {
        switch reading {
        case .accessors: "fetch, read all values by accessors"
        case .keyValueCoding: "fetch, read all values by key-value coding"
        case .nothing: "fetch as faults"
        }
    }
    var largestSize: Int { 10_000_000 }
    var template: StoreTemplate { .counters(count) }
    var outcome: String? { nil }

    func plain(_ store: URL) throws -> Work {
        let database = try PlainDatabase(store)
        return {
            let counters = try PlainCounters.all(database)
            return reading == .nothing ? Int64(counters.count) : counters.reduce(0) { $0 &+ $1.sum }
        }
    }

    func records(_ store: URL) throws -> Work { try work(store, by: CounterRecord.self) }

    func fastRecords(_ store: URL) throws -> Work { try work(store, by: FastCounterRecord.self) }

    private func work<Record: CounterRecording>(_ store: URL, by record: Record.Type) throws -> Work {
        let pool = try RecordDatabase.open(store)
        return {
            let counters = try pool.read { try Record.fetchAll($0) }
            return reading == .nothing ? Int64(counters.count) : counters.reduce(0) { $0 &+ $1.sum }
        }
    }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        return {
            let context = container.newBackgroundContext()
            return try context.performAndWait {
                let counters = try context.fetch(NSFetchRequest<Counter>(entityName: "Counter"))
                switch reading {
                case .accessors: return counters.reduce(0) { $0 &+ $1.sum }
                case .keyValueCoding: return sumByKeys(counters)
                case .nothing: return Int64(counters.count)
                }
            }
        }
    }

    private func sumByKeys(_ counters: [Counter]) -> Int64 {
        let keys = (0..<CounterValues.columns).map { "value\($0)" }
        var sum: Int64 = 0
        for counter in counters {
            for key in keys { sum &+= (counter.value(forKey: key) as? NSNumber)?.int64Value ?? 0 }
        }
        return sum
    }
}
