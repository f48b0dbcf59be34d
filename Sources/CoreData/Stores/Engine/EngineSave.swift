@_spi(Engine) import CoreDataRows

/// One save of objects into a store over an engine: the objects become rows, and conflicts of rows those of objects.
struct EngineSave {
    private let changes: StoreChanges
    private let store: NSPersistentStore

    init(_ changes: StoreChanges, of store: NSPersistentStore) {
        self.changes = changes
        self.store = store
    }

    /// - Throws: `StoreConflicts`, or what the engine throws.
    func run(_ engine: some StoreEngine, metadata: [String: Any]?, _ others: () throws -> Void) throws {
        try ObjectIDAttributes.refuseValues(in: changes)
        if changes.isEmpty, metadata == nil { return try others() }
        // A further attempt of the same save takes new keys: those of the attempt before were rolled back.
        let new = changes.inserted.filter(\.expectsKey)
        do {
            try withoutActuallyEscaping(others) { others in
                changes.report.outcome = try engine.save(
                    StoreSave(
                        metadata: metadata,
                        author: HistoryAuthor(author: changes.author, contextName: changes.contextName),
                        newEntities: new.map(\.layout),
                        changes: { keys in
                            for (object, key) in zip(new, keys) {
                                object.reserve(key, storeIndex: object.savedStoreIndex)
                            }
                            return RowChanges(changes)
                        }, othersFollow: changes.othersFollow, beforeCommit: others))
            }
            if changes.settlesInverses { tellOfCorrections(engine) }
        } catch {
            // The keys are rolled back, and may be given to other objects.
            defer { for object in changes.inserted where object.storeIndex == 0 { object.expectAnotherKey() } }
            guard let found = error as? RowConflicts else { throw error }
            throw try conflicts(found, engine)
        }
    }

    /// The rows as they are, whatever state the context is pinned to.
    private var present: ReadView { ReadView(model: changes.context.model) }

    /// Gives saved objects the rows that the store has corrected.
    private func tellOfCorrections(_ engine: some StoreEngine) {
        let corrected = Set(changes.report.outcome.recomputed)
        for object in changes.inserted + changes.updated where corrected.contains(object.savedKey) {
            // A row that can't be read now gives an error when it is read next: the save itself is done.
            if let row = try? engine.loadRow(object.savedKey, in: present) { changes.correct(object, by: row) }
        }
    }

    /// What the context needs to know about conflicts: the objects, and the rows as they are now.
    private func conflicts(_ error: RowConflicts, _ engine: some StoreEngine) throws -> StoreConflicts {
        var objects: [ObjectKey: NSManagedObject] = [:]
        for object in changes.inserted + changes.updated + changes.deleted + changes.locked {
            objects[object.savedKey] = object
        }
        var conflicts: [StoreConflict] = []
        var constraints: [StoreConstraintConflict] = []
        for conflict in error.conflicts {
            guard let object = objects[conflict.key] else { continue }
            switch conflict {
            case .changed(let key, _):
                conflicts.append(StoreConflict(object: object, persisted: try engine.loadRow(key, in: present)))
            case .deleted: conflicts.append(StoreConflict(object: object, persisted: nil))
            case .notUnique(_, let properties, let existing):
                constraints.append(
                    StoreConstraintConflict(
                        object: object, properties: properties, existing: existing,
                        holder: objects[existing].flatMap { $0.wasNeverSaved ? $0 : nil }, store: store))
            }
        }
        return StoreConflicts(conflicts: conflicts, constraints: constraints)
    }
}
