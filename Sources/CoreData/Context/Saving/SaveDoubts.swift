@_spi(Engine) import CoreDataRows
import Foundation

/// What a context is in the middle of.
enum SavePhase {
    case none
    /// Posting that it saves, where there is nothing to be saved.
    case nothing
    case changes
}

/// What changes have met that the next save has to look into. Both are rare, and would cost every save much to look for.
struct SaveDoubts {
    /// A relationship that only one end knows of, or a destination that has gone: the store settles it.
    var inversesMayDisagree = false
    /// A relationship that was made to lead to an object that isn't in the context.
    var hasMetStrangers = false
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

extension NSManagedObject {
    /// A destination of a relationship that the store won't have, where the object's changes lead to it.
    fileprivate final func danglingDestination(of property: PropertyLayout) -> NSManagedObject? {
        newDestinations(of: property).first { destination in
            if destination.ownContext == nil { return true }
            // What has no row any more, the store settles.
            if destination.flags.contains(.inaccessible) { return false }
            guard destination.isDeleted, destination.inverse(of: property)?.deleteRule != .noActionDeleteRule else {
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
