import Foundation

/// One save into several stores.
///
/// Each store writes inside a transaction of its own, which stays open until the others have written: so a conflict or
/// failure in any of them comes up before any has committed. A store with more work at its commit commits sooner:
/// first the stores that can't roll back, then those of a program's own that write a file, then databases, whose pages but for the
/// last ones are on the disk by then, and at the end those that have written a new file and only give it its name, or are in memory.
struct JointSave {
    private let parts: [StoreChanges]
    private let isJoint: Bool
    /// The stores that have committed their part.
    private(set) var written: [NSPersistentStore]
    private let requireOpen: (NSPersistentStore) throws -> Void

    /// - Parameters:
    ///   - written: the stores that committed their part in an earlier attempt, which are left out.
    ///   - requireOpen: throws where a store has been removed.
    init(
        _ parts: [StoreChanges], written: [NSPersistentStore],
        requireOpen: @escaping (NSPersistentStore) throws -> Void
    ) {
        self.written = written
        self.requireOpen = requireOpen
        isJoint = parts.count > 1
        // Always in the same order: otherwise two saves could deadlock, each holding a store that the other waits for.
        self.parts = parts.filter { part in !written.contains { $0 === part.store } }.sorted { left, right in
            (Self.depth(left.store), left.store.identifier ?? "")
                < (Self.depth(right.store), right.store.identifier ?? "")
        }
    }

    /// How deep inside of the others a store's transaction lies: the innermost commits first.
    private static func depth(_ store: NSPersistentStore) -> Int {
        if store.traits.contains(.commitsSurely) { return 0 }
        if store.traits.contains(.takesBackSaves) { return 1 }
        return store.traits.contains(.waitsForOthers) ? 2 : 3
    }

    // Safe: it is handed over with the error, which is constant.
    private struct Failure: Error, @unchecked Sendable {
        let part: StoreChanges
        let cause: any Error
    }

    /// - Throws: `StoreConflicts` of the first store that has any, or what a store throws; with several stores 134040.
    mutating func run() throws {
        // One that has left since the plan was made would take its changes with it, and the others aren't to be written then.
        for part in parts { try requireOpen(part.store) }
        do {
            try save(parts[...])
        } catch let failure as Failure {
            guard isJoint else { throw failure.cause }
            throw incompleteSave(failure)
        }
    }

    private mutating func save(_ rest: ArraySlice<StoreChanges>) throws {
        guard var part = rest.first else { return }
        part.othersFollow = rest.count > 1
        do {
            // Always in one order, so that two saves don't wait for each other's stores.
            try part.store.serving {
                // One that was removed while this waited for it has let go of what it had, and would write a file without it.
                try requireOpen(part.store)
                let metadata = part.store.metadataRevision
                try part.store.save(part) { try save(rest.dropFirst()) }
                part.store.markSaved(metadata: metadata)
            }
        } catch let conflicts as StoreConflicts {
            throw conflicts
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(part: part, cause: error)
        }
        written.append(part.store)
    }

    private func incompleteSave(_ failure: Failure) -> NSError {
        let part = failure.part
        let others =
            written.isEmpty
            ? "nothing was written to the others"
            : "these were: \(written.map(\.place).joined(separator: ", "))"
        return CoreDataError.make(
            NSPersistentStoreIncompleteSaveError,
            "\(part.store.place) could not be saved; \(others). \(failure.cause.localizedDescription)",
            [
                NSAffectedStoresErrorKey: [part.store], NSUnderlyingErrorKey: failure.cause,
                NSAffectedObjectsErrorKey: part.inserted + part.updated + part.deleted,
            ])
    }
}
