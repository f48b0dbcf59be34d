/// The objects of one event or one save, by what happened to them.
struct ChangeSets {
    var inserted: Set<NSManagedObject> = []
    var updated: Set<NSManagedObject> = []
    var deleted: Set<NSManagedObject> = []
    var refreshed: Set<NSManagedObject> = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

    init() {}

    /// Makes room for so many objects, which mostly are of one kind.
    init(expecting objects: ContiguousArray<NSManagedObject>) {
        let insertions = objects.reduce(0) { $0 + ($1.flags.contains(.insertedInEvent) ? 1 : 0) }
        inserted.reserveCapacity(insertions)
    }

    /// Sorts an object in by what the current event did to it.
    mutating func add(_ object: NSManagedObject) {
        let flags = object.flags
        if flags.contains(.deletedInEvent) {
            // What came and went in one event is told as gone, seen in a published suite (CoreDataStack's EntityMonitorTests): who
            // follows an object by its other notifications hears of it.
            deleted.insert(object)
        } else if !flags.isDisjoint(with: [.insertedInEvent, .reinsertedInEvent]) {
            inserted.insert(object)
        } else if flags.contains(.updatedInEvent) {
            updated.insert(object)
        } else if flags.contains(.refreshedInEvent) {
            refreshed.insert(object)
        }
    }
}
