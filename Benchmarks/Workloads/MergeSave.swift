import CoreData
import Foundation

/// Merges a save that changed 10,000 counters into ten contexts that have all of them, with their values.
struct MergeSave: OwnWorkload, SizedWorkload {
    var count = 10_000
    private let contexts = 10

    var name: String { "merge" }
    var title: String { "merge a save of 10,000 into 10 contexts" }
    var growthTitle: String { "merge a save into 10 contexts" }
    var isWriting: Bool { true }
    // The contexts have ten times as many objects.
    var largestSize: Int { 100_000 }
    var objects: Int { count * contexts }
    var template: StoreTemplate { .counters(count) }
    var outcome: String? { "SELECT SUM(ZVALUE1) FROM ZCOUNTER" }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        let readers = try (0..<contexts).map { _ in try Reader(container) }
        let saved = try save(by: container.newBackgroundContext())
        return { readers.reduce(0) { $0 &+ $1.merge(saved) } }
    }

    /// Saves a change of each counter.
    private func save(by writer: NSManagedObjectContext) throws -> Notification {
        nonisolated(unsafe) var saved: Notification?
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
        ) { saved = $0 }
        defer { NotificationCenter.default.removeObserver(observer) }
        try writer.performAndWait {
            for counter in try writer.fetch(NSFetchRequest<Counter>(entityName: "Counter")) { counter.value1 += 1 }
            try writer.save()
        }
        guard let saved else { throw BenchmarkError("nobody was notified of the save") }
        return saved
    }
}

/// A context that has all counters.
private struct Reader {
    let context: NSManagedObjectContext
    let counters: [Counter]

    init(_ container: NSPersistentContainer) throws {
        let context = container.newBackgroundContext()
        self.context = context
        counters = try context.performAndWait {
            let counters = try context.fetch(NSFetchRequest<Counter>(entityName: "Counter"))
            // An object is no fault from when a value was read.
            for counter in counters { _ = counter.value1 }
            return counters
        }
    }

    func merge(_ saved: Notification) -> Int64 {
        context.performAndWait {
            context.mergeChanges(fromContextDidSave: saved)
            return counters.last?.value1 ?? 0
        }
    }
}
