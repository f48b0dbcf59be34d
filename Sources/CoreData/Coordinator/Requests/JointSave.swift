import Foundation

/// One save into several stores.
///
/// Each store writes inside a transaction of its own, which stays open until the others have written: so a conflict in any of
/// them, or a failure, comes up before anything is there for good; stores of one file have written it beside the old one by
/// then. Stores that can't take anything back come last, when all others have agreed.
struct JointSave {
    private let parts: [StoreChanges]
    private let isJoint: Bool
    /// The stores that have written their part for good.
    private(set) var written: [NSPersistentStore]

    /// - Parameter written: the stores that did so in a try before, which are left out.
    init(_ parts: [StoreChanges], written: [NSPersistentStore]) {
        self.written = written
        isJoint = parts.count > 1
        // Always in one order: two saves that hold their stores while they wait for each other's would wait in vain.
        self.parts = parts.filter { part in !written.contains { $0 === part.store } }.sorted { left, right in
            let (first, second) = (left.store, right.store)
            if first.canTakeBackSaves != second.canTakeBackSaves { return first.canTakeBackSaves }
            return first.identifier ?? "" < second.identifier ?? ""
        }
    }

    // Safe: it is handed over with the error, which nobody changes.
    private struct Failure: Error, @unchecked Sendable {
        let part: StoreChanges
        let cause: any Error
    }

    /// - Throws: `StoreConflicts` of the first store that has any, or what a store throws; with several stores 134040.
    mutating func run() throws {
        do {
            try save(parts[...])
        } catch let failure as Failure {
            guard isJoint else { throw failure.cause }
            throw incompleteSave(failure)
        }
    }

    private mutating func save(_ rest: ArraySlice<StoreChanges>) throws {
        guard let part = rest.first else { return }
        let metadata = part.store.metadataRevision
        do {
            // Always in one order, so that two saves don't wait for each other's stores.
            try part.store.requests.withLock {
                try part.store.save(part) { try save(rest.dropFirst()) }
            }
        } catch let conflicts as StoreConflicts {
            throw conflicts
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(part: part, cause: error)
        }
        part.store.noteSave(metadata: metadata)
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
