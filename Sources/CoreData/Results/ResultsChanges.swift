import Foundation

/// How one event has changed the results of a controller.
struct ResultsChanges {
    struct ObjectChange {
        let object: NSManagedObject
        let type: NSFetchedResultsChangeType
        /// Where it was before all changes.
        let old: IndexPath?
        /// Where it is after all changes.
        let new: IndexPath?
    }

    struct SectionChange {
        let section: ResultsSection
        let type: NSFetchedResultsChangeType
        let index: Int
    }

    /// Deletions first, then insertions, each by index.
    var sections: [SectionChange] = []
    /// Deletions, insertions, moves, updates, each by index path.
    var objects: [ObjectChange] = []

    var isEmpty: Bool { sections.isEmpty && objects.isEmpty }

    /// The changes of a controller without sections, as the difference of two lists of IDs.
    var difference: CollectionDifference<NSManagedObjectID>? {
        var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
        for change in objects {
            let id = change.object.objectID
            let isBoth = change.old != nil && change.new != nil
            if let old = change.old {
                changes.append(.remove(offset: old.row, element: id, associatedWith: isBoth ? change.new?.row : nil))
            }
            if let new = change.new {
                changes.append(.insert(offset: new.row, element: id, associatedWith: isBoth ? change.old?.row : nil))
            }
        }
        return CollectionDifference(changes)
    }
}
