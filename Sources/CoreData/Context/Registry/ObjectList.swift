/// The inserted, updated or deleted objects of a context, in the order in which they became so.
///
/// An object is in at most one such list and knows its place, so that removing one takes no search.
struct ObjectList {
    private var slots: ContiguousArray<NSManagedObject?> = []
    private(set) var count = 0
    /// The objects as a set, where one was made and none has come or gone since.
    private var known: Set<NSManagedObject>?

    var isEmpty: Bool { count == 0 }

    mutating func append(_ object: NSManagedObject) {
        object.changeIndex = Int32(slots.count)
        slots.append(object)
        known = nil
        count += 1
    }

    mutating func remove(_ object: NSManagedObject) {
        let index = Int(object.changeIndex)
        guard index >= 0, index < slots.count, slots[index] === object else { return }
        slots[index] = nil
        known = nil
        object.changeIndex = -1
        count -= 1
        if count == 0 {
            slots.removeAll()
        } else if slots.count > 64, count < slots.count / 2 {
            compact()
        }
    }

    mutating func removeAll() {
        for case let object? in slots { object.changeIndex = -1 }
        slots.removeAll()
        known = nil
        count = 0
    }

    /// Whether the position that the object has noted is its position in the list.
    func holds(_ object: NSManagedObject) -> Bool {
        let index = Int(object.changeIndex)
        return slots.indices.contains(index) && slots[index] === object
    }

    var objects: ContiguousArray<NSManagedObject> {
        var objects = ContiguousArray<NSManagedObject>()
        objects.reserveCapacity(count)
        for case let object? in slots { objects.append(object) }
        return objects
    }

    /// Keeps a set of the objects that a caller has made already, so that the save needn't make it again.
    mutating func adopt(_ set: Set<NSManagedObject>) {
        guard count > 0, set.count == count, set.allSatisfy(holds) else { return }
        known = set
    }

    var set: Set<NSManagedObject> {
        if let known { return known }
        var set = Set<NSManagedObject>(minimumCapacity: count)
        for case let object? in slots { set.insert(object) }
        return set
    }

    private mutating func compact() {
        slots.removeAll { $0 == nil }
        for (index, object) in slots.enumerated() { object?.changeIndex = Int32(index) }
    }
}
