import CoreData
import Foundation

/// Changes each of 100,000 counters, and undoes that.
struct UndoChanges: OwnWorkload, SizedWorkload {
    /// How the changes come to the undo manager.
    enum Events {
        /// All as one.
        case one
        /// Each by itself, all undone as a group.
        case many
    }

    let events: Events
    var count = 100_000

    var name: String { events == .one ? "undo" : "undo-events" }
    var title: String {
        events == .one ? "change 100,000 and undo, one event" : "change 100,000 and undo, an event for each"
    }
    var growthTitle: String { events == .one ? "change and undo, one event" : "change and undo, an event for each" }
    var isWriting: Bool { true }
    var largestSize: Int { events == .one ? 1_000_000 : 100_000 }
    var template: StoreTemplate { .counters(count) }
    var outcome: String? { nil }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        let context = container.newBackgroundContext()
        let counters = try context.performAndWait {
            try context.fetch(NSFetchRequest<Counter>(entityName: "Counter"))
        }
        return {
            try context.performAndWait {
                let manager = UndoManager()
                manager.groupsByEvent = false
                context.undoManager = manager
                manager.beginUndoGrouping()
                for counter in counters {
                    counter.value1 += 1
                    if events == .many { context.processPendingChanges() }
                }
                manager.endUndoGrouping()
                let changed = counters.reduce(0) { $0 &+ $1.value1 }
                context.undo()
                let undone = counters.reduce(0) { $0 &+ $1.value1 }
                guard changed == undone + Int64(count) else { throw BenchmarkError("the changes weren't undone") }
                return undone
            }
        }
    }
}
