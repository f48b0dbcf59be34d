@_spi(Engine) import CoreDataRows

/// What undoing couldn't restore, since it concerns an object whose deletion was saved: an earlier event, which brings that object
/// back, is undone later.
struct DeferredRestorations {
    /// A place that led to an object which isn't there.
    struct Reference: Hashable {
        let owner: NSManagedObject
        let property: Int
    }

    private var references: [NSManagedObject: Set<Reference>] = [:]
    private var changes: [NSManagedObject: [UndoableEvent.Change]] = [:]

    mutating func add(_ property: PropertyLayout, of owner: NSManagedObject, leadingTo object: NSManagedObject) {
        references[object, default: []].insert(Reference(owner: owner, property: property.index))
    }

    mutating func add(_ change: UndoableEvent.Change) { changes[change.object, default: []].append(change) }

    /// The changes of objects that are there again, in the order in which they were to be taken back.
    mutating func takeChanges(of objects: [NSManagedObject]) -> [UndoableEvent.Change] {
        changes.isEmpty ? [] : objects.flatMap { changes.removeValue(forKey: $0) ?? [] }
    }

    /// The places that led to an object which is there again.
    mutating func takeReferences(to object: NSManagedObject) -> Set<Reference> {
        references.isEmpty ? [] : references.removeValue(forKey: object) ?? []
    }
}
