import CoreData
import Foundation

/// A store that workloads begin with. Made once by this package, so that each side has the same schema, and copied.
enum StoreTemplate: Hashable {
    case empty
    case counters(Int)
    /// With an index over the attribute that groups the counters.
    case indexedCounters(Int)
    /// With five volumes each.
    case shelves(Int)
    /// Of a hundred entities, without rows.
    case entities
    /// Not a store, but a model in a file.
    case model(LargestModel.Form)

    var isIndexed: Bool {
        if case .indexedCounters = self { true } else { false }
    }

    private var fileName: String {
        switch self {
        case .empty: "empty.sqlite"
        case .counters(let count): "counters-\(count).sqlite"
        case .indexedCounters(let count): "indexed-\(count).sqlite"
        case .shelves(let count): "shelves-\(count).sqlite"
        case .entities: "entities.sqlite"
        case .model(let form): "largest.\(form.rawValue)"
        }
    }

    /// Makes the store, in one file, unless the folder has it.
    func make(in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent(fileName)
        guard !FileManager.default.fileExists(atPath: url.path) else { return url }
        if case .model(let form) = self {
            try LargestModel.write(form, to: url)
            return url
        }
        let container = try BenchmarkModel.open(
            url, model: self == .entities ? RingModel.hundredEntities() : BenchmarkModel.make(isIndexed: isIndexed))
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let database = try PlainDatabase(url)
        switch self {
        case .empty, .entities, .model: break
        case .shelves(let count): try PlainShelves.insert(count, into: database)
        case .counters(let count), .indexedCounters(let count): try PlainCounters.insert(count, into: database)
        }
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return url
    }
}
