@_spi(Engine) import CoreDataRows
import ManagedObjectModel

extension NSManagedObjectContext {
    /// The destinations of a to-many relationship, as faults if the context doesn't have them.
    ///
    /// When the relationship is read for one object of a fetch after the other, each statement reads it for more and
    /// more objects, up to a page of them (our choice: Apple's framework reads them one object at a time).
    func storedMembers(of property: PropertyLayout, from object: NSManagedObject) throws -> [NSManagedObject] {
        guard let store = registry.store(at: object.storeIndex) else { return [] }
        if let known = object.snapshotPage?.destinations(of: property, row: Int(object.snapshotRow)) {
            return known.map { self.object(for: $0, storeIndex: object.storeIndex) }
        }
        let key = object.key
        guard store.traits.contains(.readsManyAtOnce), let root = property.destination?.root else {
            return try coordinator.loadDestinations(of: property, from: key, in: store, context: self)
                .map { self.object(for: $0, storeIndex: object.storeIndex) }
        }
        let others = siblings(of: object, missingMembersOf: property)
        let owners = [key] + others.map(\.key)
        // A sibling whose relationship can't be read must not make the object that was asked fail.
        guard !others.isEmpty,
            // What can't be read ahead is read, and its error met, when it is asked for.
            let found = try? coordinator.loadDestinations(of: property, from: owners, in: store, context: self)
        else {
            let keys = try coordinator.loadDestinations(of: property, from: key, in: store, context: self).uniqued()
            relationshipRuns.recordDestinations(keys.count, of: property)
            if let diagnostic = relationshipRuns.countSingleRead(property) {
                coordinator.diagnostics.report(diagnostic)
            }
            return faults(for: keys, below: root, storeIndex: object.storeIndex, BatchedFaults(.growing))
        }
        // The destinations of all of them are one row of faults, which are read ahead across owners.
        let keys = owners.flatMap { found[$0.handle] ?? [] }
        relationshipRuns.recordDestinations(keys.count / owners.count, of: property)
        let distinct = property.inverse?.kind == .toMany ? keys.uniqued() : keys
        let faults = faults(for: distinct, below: root, storeIndex: object.storeIndex, BatchedFaults(.growing))
        var members: [Int64: NSManagedObject] = [:]
        for (key, fault) in zip(distinct, faults) { members[key.handle] = fault }
        for other in others {
            other.load((found[other.handle] ?? []).compactMap { members[$0.handle] }, asMembersOf: property)
        }
        return (found[key.handle] ?? []).compactMap { members[$0.handle] }
    }

    /// The objects behind one on its page of rows whose members of a relationship weren't read yet either, as many as
    /// seem to be wanted.
    func siblings(of object: NSManagedObject, missingMembersOf property: PropertyLayout) -> [NSManagedObject] {
        siblings(of: object, missing: property) { $0.state?.toManys[property.index]?.isLoaded != true }
    }
}
