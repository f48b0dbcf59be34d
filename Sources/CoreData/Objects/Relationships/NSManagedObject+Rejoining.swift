@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// How an object that is there again gets back into the relationships of others.
extension NSManagedObject {
    /// Adds the object to its destinations again, from which its deletion had removed it.
    final func rejoinToOnes() {
        for property in layout.relationships where property.kind == .toOne {
            guard let destination = toOne(property), !destination.isToBeDeleted else { continue }
            if let inverse = destination.inverse(of: property) { destination.link(inverse, to: self) }
        }
    }

    /// Makes both ends of the relationships agree of an object that was inserted again. What others have been given meanwhile
    /// stays theirs.
    final func rejoinDestinations() {
        rejoinMembers()
        for property in layout.relationships where property.kind == .toOne {
            guard let destination = toOne(property), let inverse = destination.inverse(of: property) else { continue }
            let other = inverse.kind == .toOne ? destination.toOne(inverse) : nil
            if destination.isGone || other != nil && other !== self {
                observably(property) { setPrimitiveToOne(nil, of: property) }
            } else {
                destination.link(inverse, to: self)
            }
        }
        // Of members that weren't read the context knows one end.
        ownContext?.doubts.inversesMayDisagree = true
    }

    /// Makes the members lead back here, also those that became members while the object was deleted. A member that has another
    /// owner keeps that. Members that aren't loaded are checked when they are read.
    final func rejoinMembers() {
        for property in layout.relationships where property.kind == .toMany && property.inverse != nil {
            rejoinMembers(of: property)
        }
    }

    private func rejoinMembers(of property: PropertyLayout) {
        guard let members = state?.toManys[property.index], members.isLoaded else { return }
        for member in members.ordered {
            guard let inverse = member.inverse(of: property) else { continue }
            if member.isHeld(by: property) { continue }
            if member.isGone || inverse.kind == .toOne && member.toOne(inverse).map({ $0 !== self }) ?? false {
                members.remove(member)
                reportChange()
            } else {
                member.link(inverse, to: self)
            }
        }
    }

    /// Whether the object is deleted or has left its context, so that nothing can lead to it again.
    final var isGone: Bool { isToBeDeleted || ownContext == nil }

    /// Whether the object, which is about to be deleted, stays what a relationship leads to: its own rule leaves that alone.
    final func isHeld(by property: PropertyLayout) -> Bool {
        guard isToBeDeleted, ownContext != nil, let inverse = inverse(of: property) else { return false }
        return inverse.deleteRule == .denyDeleteRule || inverse.deleteRule == .noActionDeleteRule
    }

    /// The same after the object got a newer row, whose destinations may have lost the object by this context's
    /// changes. Destinations that aren't loaded need nothing: they will be read from the store.
    ///
    /// - Parameter prefersChanges: whether a partner that this context has given to another object stays with that one.
    final func rejoinToOnesInMemory(exceptTakenByChanges prefersChanges: Bool) {
        for property in layout.relationships where property.kind == .toOne {
            guard let destination = toOne(property), !destination.isToBeDeleted, !destination.isFault,
                let inverse = destination.inverse(of: property), destination.hasGivenUp(self, as: inverse)
            else { continue }
            if inverse.kind == .toOne, !hasChanged(property) {
                guard destination.hasChanged(inverse) else {
                    // It is as it was read, before others gave it to this object.
                    ownContext?.outdatedNeighbours.append(destination)
                    continue
                }
                if prefersChanges {
                    observably(property) { setPrimitiveToOne(nil, of: property) }
                    reportChange()
                    continue
                }
            }
            destination.link(inverse, to: self)
        }
    }

    private func hasGivenUp(_ object: NSManagedObject, as property: PropertyLayout) -> Bool {
        guard property.kind == .toMany else { return toOne(property) !== object }
        guard let members = state?.toManys[property.index] else { return false }
        return members.isLoaded ? !members.contains(object) : members.removed.contains(object)
    }
}
