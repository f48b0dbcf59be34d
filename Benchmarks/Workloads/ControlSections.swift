import CoreData
import Foundation

/// Has a fetched results controller over 100,000 counters in 1,000 sections follow a save of 1,000 changes: a quarter each of values
/// that leave an object in its place, moves into another section, deletions and insertions.
struct ControlSections: OwnWorkload, SizedWorkload {
    var count = 100_000
    private let changes = 1000

    var name: String { "results-controller" }
    var title: String { "save 1,000 changes under a results controller of 100,000 in 1,000 sections" }
    var growthTitle: String { "1,000 changes under a results controller" }
    var objects: Int { changes }
    var template: StoreTemplate { .indexedCounters(count) }
    var outcome: String? { "SELECT COUNT(*) + SUM(ZVALUE0 + ZVALUE9) FROM ZCOUNTER" }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store, isIndexed: true)
        let context = container.newBackgroundContext()
        let listener = Listener()
        let controller = try context.performAndWait {
            let request = NSFetchRequest<Counter>(entityName: "Counter")
            request.sortDescriptors = ["value0", "value1"].map { NSSortDescriptor(key: $0, ascending: true) }
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "value0", cacheName: nil)
            controller.delegate = listener
            try controller.performFetch()
            return controller
        }
        let counters = controller.fetchedObjects ?? []
        return {
            try context.performAndWait {
                change(counters, in: context)
                try context.save()
                guard listener.told == changes else {
                    throw BenchmarkError("of \(changes) changes \(listener.told) were told")
                }
                return controller.sections?.reduce(0) { $0 + Int64($1.numberOfObjects) } ?? 0
            }
        }
    }

    private func change(_ counters: [Counter], in context: NSManagedObjectContext) {
        let sections = count / CounterValues.groupSize
        for number in 0..<changes {
            // From all over the sections.
            let place = number * (count / changes)
            let counter = counters[place]
            switch number % 4 {
            case 0: counter.value9 += 1
            case 1: counter.value0 = Int64((Int(counter.value0) + 1) % sections)
            case 2: context.delete(counter)
            default: Counter(context: context).fill(row: place)
            }
        }
    }
}

private final class Listener: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var told = 0

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        told += 1
    }
}
