/// What an event has changed, for the observers that are told of it.
final class PostedEvent {
    private var objects: ContiguousArray<NSManagedObject> = []
    private var changes: ContiguousArray<ObjectState.EventChanges> = []
    /// The places of the objects, once one was asked for: mostly none is.
    private var places: [ObjectIdentifier: Int]?

    init(expecting count: Int) {
        objects.reserveCapacity(count)
        changes.reserveCapacity(count)
    }

    func add(_ object: NSManagedObject, _ changes: ObjectState.EventChanges) {
        if changes.isEmpty { return }
        objects.append(object)
        self.changes.append(changes)
    }

    func changes(of object: NSManagedObject) -> ObjectState.EventChanges? {
        if places == nil {
            places = Dictionary(
                zip(objects.lazy.map(ObjectIdentifier.init), objects.indices), uniquingKeysWith: { _, last in last })
        }
        return places?[ObjectIdentifier(object)].map { changes[$0] }
    }
}
