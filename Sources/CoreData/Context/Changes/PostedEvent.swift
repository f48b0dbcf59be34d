/// What an event has changed, for the observers that are told of it.
final class PostedEvent {
    private var entries: ContiguousArray<(object: NSManagedObject, changes: ObjectState.EventChanges)> = []
    /// The places of the objects, once one was asked for: mostly none is.
    private var places: [ObjectIdentifier: Int]?

    init(expecting count: Int) { entries.reserveCapacity(count) }

    func add(_ object: NSManagedObject, _ changes: ObjectState.EventChanges) {
        if !changes.isEmpty { entries.append((object, changes)) }
    }

    func changes(of object: NSManagedObject) -> ObjectState.EventChanges? {
        let places =
            places
            ?? Dictionary(
                entries.enumerated().map { (ObjectIdentifier($1.object), $0) }, uniquingKeysWith: { _, last in last })
        self.places = places
        return places[ObjectIdentifier(object)].map { entries[$0].changes }
    }
}
