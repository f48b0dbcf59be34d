@_spi(Engine) import CoreDataRows
import Foundation

/// What changes have met that the next save has to look into. Both are rare, and would cost every save much to look for.
struct SaveDoubts {
    /// A relationship that only one end knows of, or a destination that has gone: the store settles it.
    var inversesMayDisagree = false
    /// A relationship that was made to lead to an object that isn't in the context.
    var hasMetStrangers = false
    /// An object that is to be written under an identity which had a row before: others may have brought the row back meanwhile.
    var insertsAgain = false
    /// New objects that a merge policy has given up for others with the same unique values.
    var absorbed: [AbsorbedObject] = []
}

/// A new object that a merge policy has given up, and the one that stays in its place.
struct AbsorbedObject {
    let object: NSManagedObject
    let kept: NSManagedObject
}

extension NSManagedObjectContext {
    /// The objects whose versions the next save compares although they aren't changed: what has left the context or wasn't read has none.
    var comparable: [NSManagedObject] {
        locked.filter { $0.ownContext === self && !$0.isFault && $0.snapshotPage != nil }
    }

    /// Refuses to save what leads to an object that isn't in the context, or won't be after the save: one that was deleted, or
    /// was never inserted. Its row isn't in the store, or won't be.
    ///
    /// - Throws: `NSManagedObjectValidationError`, as Apple's "Dangling reference to an invalid object.", for each object and
    ///   relationship.
    func refuseDanglingReferences() throws {
        guard doubts.hasMetStrangers || !deleted.isEmpty else { return }
        var failures: [NSError] = []
        for object in inserted.objects + updated.objects {
            for property in object.layout.relationships where !property.isTransient {
                guard let stranger = object.danglingDestination(of: property) else { continue }
                failures.append(
                    ValidationError.make(
                        .managedObject, object: object, property: property, value: stranger,
                        reason: "leads to an object that isn't in the context: it was deleted, or never inserted"))
            }
        }
        try ObjectValidation.throwCombined(failures)
    }
}

extension NSManagedObjectContext {
    /// Leaves the relationships of those that stay, where they lead to what is being changed although its row has gone.
    func forgetReferencesToInaccessible() {
        guard deleted.objects.contains(where: { $0.flags.contains(.inaccessible) }) else { return }
        forgetReferences(toDeletedElsewhere: Set(deleted.objects.filter { $0.flags.contains(.inaccessible) }))
    }

    /// Finds the objects that this context writes as new ones, under the identity that they had, and whose rows others have brought back.
    ///
    /// - Throws: `StoreConflicts`, for the merge policy, or what reading throws.
    func refuseSecondRows() throws {
        guard doubts.insertsAgain else { return }
        let again = inserted.objects.filter { $0.flags.contains(.insertedAgain) && canBeLookedUp($0) }
        if again.isEmpty { return }
        let rows = try parentStore.currentRows(of: again.map(\.identity), in: self)
        let conflicts = zip(again, rows).compactMap { object, row in
            row.flatMap { object.canBeRead(from: $0) ? StoreConflict(object: object, persisted: $0) : nil }
        }
        if !conflicts.isEmpty { throw StoreConflicts(conflicts: conflicts) }
    }

    /// Counts an object that was to be inserted again as one that the store has, all of whose values are changed.
    func countAsStored(_ object: NSManagedObject) {
        guard object.flags.contains(.inserted), object.flags.contains(.insertedAgain), let state = object.state else {
            return
        }
        inserted.remove(object)
        object.flags.remove([.inserted, .insertedAgain])
        for property in object.layout.storedLeaves { state.changed.insert(property.rowSlot) }
        object.flags.insert(.updated)
        updated.append(object)
    }
}

extension NSManagedObject {
    /// A destination of a relationship that the store won't have, where the object's changes lead to it.
    fileprivate final func danglingDestination(of property: PropertyLayout) -> NSManagedObject? {
        newDestinations(of: property).first { destination in
            if destination.ownContext == nil { return true }
            // What has no row any more, the store settles.
            if destination.flags.contains(.inaccessible) { return false }
            guard destination.isToBeDeleted, destination.inverse(of: property)?.deleteRule != .noActionDeleteRule else {
                return false
            }
            // What was saved before, and whose other end doesn't lead here, is as it was.
            return property.kind == .toMany || wasNeverSaved || hasChanged(property)
        }
    }

    /// What a relationship leads to that the store may not know of: the destination, or the members that were added. Those that
    /// stay were looked at when they were added.
    final func newDestinations(of property: PropertyLayout) -> [NSManagedObject] {
        property.rowSlot >= 0
            ? field(property).destination.map { [$0] } ?? []
            : state?.toManys[property.index].map { Array($0.added) } ?? []
    }
}
