@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// How the other end of a relationship follows what the program does to one.
extension NSManagedObject {
    /// Adds an object as a destination because the program has changed the other end.
    final func follow(_ property: PropertyLayout, to object: NSManagedObject) {
        fireIfNeeded()
        guard isRead(property), toOne(property) === object else { return link(property, to: object) }
        confirm(property)
    }

    /// Removes an object as a destination because the program has changed the other end.
    final func follow(_ property: PropertyLayout, awayFrom object: NSManagedObject) {
        fireIfNeeded()
        guard isRead(property), property.inverse?.kind == .toMany, toOne(property) !== object else {
            return unlink(property, from: object)
        }
        confirm(property)
    }

    private func isRead(_ property: PropertyLayout) -> Bool {
        property.kind == .toOne && !wasNeverSaved && !isToBeDeleted && !flags.contains(.inaccessible)
    }

    /// Makes what a to-one leads to a change of this context, as the program has made one of its other end: what the context has
    /// read of the two ends differs, so another writer has changed one of them meanwhile. The save compares versions, and what is
    /// shown is what is saved.
    private func confirm(_ property: PropertyLayout) {
        setPrimitiveToOne(toOne(property), of: property)
        writableState.confirmed.insert(property.rowSlot)
        reportChange()
    }

    /// Whether another writer has changed the object's destination since the row was read whose to-one leads here.
    final func hasMovedOn(from other: NSManagedObject, _ property: PropertyLayout) -> Bool {
        guard let inverse = inverse(of: property), inverse.kind == .toOne else { return false }
        fireIfNeeded()
        guard !flags.contains(.inaccessible), toOne(inverse) !== other else { return false }
        return !isSame(.destination(other), committedField(inverse), of: inverse)
    }

    /// Gives up the change by which the object followed another end away from it: it has been given elsewhere meanwhile.
    final func takeBackParting(of property: PropertyLayout) {
        guard let inverse = inverse(of: property), let state, isChanged(inverse, in: state), toOne(inverse) == nil
        else {
            return
        }
        guard let owner = committedValue(of: inverse) as? NSManagedObject, let state = owner.state,
            owner.isChanged(property, in: state)
        else {
            // The other end says so already, or will when it is read.
            return observably(inverse) {
                setPrimitiveToOne(committedValue(of: inverse) as? NSManagedObject, of: inverse)
            }
        }
        // A merge has parted it in favour of this context's change.
        if owner.toOne(property) == nil { setValue(owner, of: inverse) }
    }

    /// Gives the object, which this context has made the partner of another, back to the one that it had, where that has no other by
    /// now: the other's change is dropped.
    final func returnToFormerPartner(from other: NSManagedObject, _ property: PropertyLayout) {
        guard !isGone, let inverse = inverse(of: property), inverse.kind == .toOne, property.kind == .toOne,
            toOne(inverse) === other, hasChanged(inverse),
            let former = committedValue(of: inverse) as? NSManagedObject, former !== other, !former.isGone,
            let place = former.inverse(of: inverse), former.toOne(place) == nil
        else { return }
        setValue(former, of: inverse)
    }

    /// The same for all that the object's deletion, which is taken back, has parted from it.
    final func takeBackPartings() {
        for property in layout.relationships where property.kind == .toOne {
            guard let destination = committedValue(of: property) as? NSManagedObject,
                destination.hasMovedOn(from: self, property)
            else { continue }
            destination.takeBackParting(of: property)
        }
    }

    /// Undoes the change of the other end that has confirmed a to-one.
    final func takeBackConfirmation(of property: PropertyLayout) {
        guard let destination = toOne(property), let inverse = destination.inverse(of: property) else { return }
        destination.unlink(inverse, from: self)
    }
}
