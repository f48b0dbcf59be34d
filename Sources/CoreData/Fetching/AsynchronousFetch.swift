import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate

/// A fetch that reports its progress and can be cancelled.
struct AsynchronousFetch<Result> {
    private let request: NSFetchRequest<Result>
    private let context: NSManagedObjectContext
    private let progress: Progress?

    init(_ request: NSFetchRequest<Result>, in context: NSManagedObjectContext, _ progress: Progress?) {
        self.request = request
        self.context = context
        self.progress = progress
    }

    /// How many objects are read between two checks for cancellation.
    private var stride: Int { 500 }

    func run() throws -> [Result] {
        guard request.resultType == .managedObjectResultType else { return try runAtOnce() }
        while true {
            let known = context.adoptedExchanges
            let results = try context.followingExchanges(runInParts)
            // A store that has taken another one's place has other IDs.
            context.adoptExchanges()
            if context.adoptedExchanges == known { return results }
        }
    }

    private func runInParts() throws -> [Result] {
        let ids = try context.fetchIDs(request)
        try begin(expecting: ids.count)
        guard ids.count > stride else { return try runAtOnce() }
        var objects: [Result] = []
        objects.reserveCapacity(ids.count)
        for start in Swift.stride(from: 0, to: ids.count, by: stride) {
            objects += try self.objects(for: Array(ids[start..<min(start + stride, ids.count)]))
            try advance(to: objects.count)
        }
        if !objects.isEmpty { progress?.totalUnitCount = Int64(objects.count) }
        return objects
    }

    private func runAtOnce() throws -> [Result] {
        let results = try context.fetch(request)
        try begin(expecting: results.count)
        try advance(to: results.count)
        return results
    }

    /// The objects of some IDs, in their order; those that have been deleted meanwhile are left out.
    private func objects(for ids: [NSManagedObjectID]) throws -> [Result] {
        let part = request.copy() as! NSFetchRequest<Result>
        part.predicate = NSPredicate(format: "SELF IN %@", ids)
        part.sortDescriptors = nil
        part.fetchLimit = 0
        part.fetchOffset = 0
        let found = try context.fetch(part)
        let byID = Dictionary(found.map { (($0 as? NSManagedObject)?.objectID, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    private func begin(expecting count: Int) throws {
        // Foundation's progress on Linux divides by the number.
        if count > 0 { progress?.totalUnitCount = Int64(count) }
        try advance(to: 0)
    }

    private func advance(to count: Int) throws {
        progress?.completedUnitCount = Int64(count)
        if progress?.isCancelled == true { throw CocoaError(.userCancelled) }
    }
}
