import CoreData

/// Writes down what a controller tells it, and does the same to a copy of the controller's lists.
final class RecordingDelegate: NSObject, NSFetchedResultsControllerDelegate {
    /// Names and objects of the sections as the callbacks say they are.
    private(set) var sections: [(name: String, objects: [NSManagedObject])] = []
    /// What was told, as text: `willChange`, `insert section 0 Verne`, `move 0-1 to 1-0 …`, `didChange`.
    private(set) var events: [String] = []

    private var sectionChanges: [(name: String, index: Int, type: NSFetchedResultsChangeType)] = []
    private var objectChanges:
        [(object: NSManagedObject, old: IndexPath?, type: NSFetchedResultsChangeType, new: IndexPath?)] = []
    /// What can't be applied to the copy.
    private(set) var problems: [String] = []

    /// Begins with what a controller has.
    func copy(_ controller: NSFetchedResultsController<NSManagedObject>) {
        sections = (controller.sections ?? []).map { ($0.name, $0.objects as? [NSManagedObject] ?? []) }
    }

    func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        events.append("willChange")
        (sectionChanges, objectChanges) = ([], [])
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        if !objectChanges.isEmpty { problems.append("a section after an object") }
        sectionChanges.append((sectionInfo.name, sectionIndex, type))
        events.append("\(type) section \(sectionIndex) \(sectionInfo.name)")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard let object = anObject as? NSManagedObject else { return }
        objectChanges.append((object, indexPath, type, newIndexPath))
        let paths = [indexPath, newIndexPath].compactMap { $0.map { "\($0.section)-\($0.row)" } }
        events.append("\(type) \(paths.joined(separator: " to "))")
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        events.append("didChange")
        apply()
    }

    /// As a table view does: what goes, by the old places from behind; then what comes, by the new places from the front.
    private func apply() {
        let leaving = objectChanges.filter { $0.type == .delete || $0.type == .move }
        for change in leaving.sorted(by: { $1.old! < $0.old! }) {
            let path = change.old!
            let removed = sections[path.section].objects.remove(at: path.row)
            if removed !== change.object { problems.append("another object was at \(path)") }
        }
        for change in sectionChanges.filter({ $0.type == .delete }).sorted(by: { $0.index > $1.index }) {
            let removed = sections.remove(at: change.index)
            if !removed.objects.isEmpty { problems.append("section \(removed.name) had objects") }
            if removed.name != change.name { problems.append("section \(removed.name) is not \(change.name)") }
        }
        for change in sectionChanges.filter({ $0.type == .insert }).sorted(by: { $0.index < $1.index }) {
            sections.insert((change.name, []), at: change.index)
        }
        let coming = objectChanges.filter { $0.type == .insert || $0.type == .move }
        for change in coming.sorted(by: { $0.new! < $1.new! }) {
            let path = change.new!
            guard path.row <= sections[path.section].objects.count else {
                problems.append("no place \(path)")
                continue
            }
            sections[path.section].objects.insert(change.object, at: path.row)
        }
        for change in objectChanges where change.type == .update {
            if sections[change.new!.section].objects[change.new!.row] !== change.object {
                problems.append("an update of another object than is at \(change.new!)")
            }
        }
    }
}

/// Takes whole snapshots.
final class SnapshotDelegate: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var snapshots: [NSDiffableDataSourceSnapshotReference] = []
    private(set) var others = 0

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) { snapshots.append(snapshot) }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { others += 1 }
}

/// Takes differences, and applies them to a list of IDs.
final class DifferenceDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var ids: [NSManagedObjectID] = []
    private(set) var others = 0

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) { ids = ids.applying(diff) ?? [] }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { others += 1 }
}
