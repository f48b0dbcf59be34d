import CoreData
import Foundation
import Synchronization

/// Makes 3,200 fetches of 100 counters by an index: one reader alone, or 16 at once while a writer saves again and again. On n cores
/// the second is to take an nth of the time of the first.
struct ReadBesideWriter: OwnWorkload {
    let readers: Int
    private let count = 100_000
    private let fetches = 3200

    var name: String { "readers-\(readers)" }
    var title: String {
        readers == 1
            ? "3,200 fetches of 100 by an index, one reader"
            : "3,200 fetches of 100 by an index, \(readers) readers beside a writer"
    }
    var template: StoreTemplate { .indexedCounters(count) }
    // The writer writes as often as it can.
    var outcome: String? { "SELECT COUNT(*) FROM ZCOUNTER" }

    private var groups: Int { count / CounterValues.groupSize }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store, isIndexed: true)
        return {
            let state = State()
            let writing = DispatchGroup()
            if readers > 1 {
                start(in: writing) { while !state.isDone { state.attempt { try write(state.nextSave(), container) } } }
            }
            let reading = DispatchGroup()
            for reader in 0..<readers {
                start(in: reading) { state.attempt { state.add(try read(reader, container)) } }
            }
            reading.wait()
            state.finish()
            writing.wait()
            return try state.result()
        }
    }

    /// Not on the pool of threads that dispatch keeps, which has no more of them than cores.
    private func start(in group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        group.enter()
        Thread {
            work()
            group.leave()
        }.start()
    }

    private func read(_ reader: Int, _ container: NSPersistentContainer) throws -> Int64 {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            var sum: Int64 = 0
            for fetch in stride(from: reader, to: fetches, by: readers) {
                sum &+= try group(fetch * 37 % groups, in: context).reduce(0) { $0 &+ $1.value1 }
            }
            return sum
        }
    }

    /// Changes a value that no reader looks at.
    private func write(_ save: Int, _ container: NSPersistentContainer) throws {
        let context = container.newBackgroundContext()
        try context.performAndWait {
            for counter in try group(save % groups, in: context) { counter.value9 += 1 }
            try context.save()
        }
    }

    private func group(_ group: Int, in context: NSManagedObjectContext) throws -> [Counter] {
        let request = NSFetchRequest<Counter>(entityName: "Counter")
        request.predicate = NSPredicate(format: "value0 == %d", group)
        return try context.fetch(request)
    }
}

/// What the threads share.
private final class State: Sendable {
    private let sum = Atomic<Int64>(0)
    private let saves = Atomic<Int>(0)
    private let done = Atomic<Bool>(false)
    private let failure = Mutex<(any Error)?>(nil)

    var isDone: Bool { done.load(ordering: .relaxed) }

    func finish() { done.store(true, ordering: .relaxed) }

    func nextSave() -> Int { saves.wrappingAdd(1, ordering: .relaxed).oldValue }

    func add(_ value: Int64) { sum.wrappingAdd(value, ordering: .relaxed) }

    /// Keeps the error, after which nobody has to go on.
    func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            failure.withLock { $0 = error }
            finish()
        }
    }

    func result() throws -> Int64 {
        if let error = failure.withLock({ $0 }) { throw error }
        return sum.load(ordering: .relaxed)
    }
}
