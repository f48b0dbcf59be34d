@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// The members of to-many relationships, which are read when they are first asked for.
extension NSManagedObject {
    /// The members of a to-many relationship, read from the store when first asked for.
    final func members(_ property: PropertyLayout) -> ToManyValue {
        let value = toMany(property)
        if value.isLoaded { return value }
        guard let context = ownContext, !wasNeverSaved else {
            value.load([])
            return value
        }
        do {
            load(try context.destinations(of: property, from: self), asMembersOf: property)
        } catch {
            context.recordReadFailure(error, of: "the relationship '\(property.name)' of '\(objectID)'")
            return .empty(isOrdered: property.isOrdered)
        }
        return value
    }

    /// The members for a caller that may have kept a live collection of them since the object was made a fault.
    final func firedMembers(_ property: PropertyLayout) -> ToManyValue {
        fireIfNeeded(property.name)
        return members(property)
    }

    /// Sets the members that the store or the parent holds, and lays the context's own changes over them.
    final func load(_ members: [NSManagedObject], asMembersOf property: PropertyLayout) {
        let value = toMany(property)
        value.forget(staleChanges(of: value, property))
        value.load(members)
        guard let inverse = property.inverse, ownContext?.holdsChanges ?? false else { return }
        // Another writer may have added objects that this context has changed or deleted.
        let others = members.filter {
            $0 !== self && !$0.flags.isDisjoint(with: .changed) && !$0.canBe(memberOf: self, inverse.name)
        }
        guard !others.isEmpty else { return }
        // What the present event deletes or moves elsewhere leaves by that event, which can be undone.
        let leaving = others.filter { $0.flags.contains(.deletedInEvent) || $0.ledHereBeforeEvent(inverse.name, self) }
        for object in leaving { value.remove(object) }
        value.leaveOut(Set(others).subtracting(leaving))
        if !leaving.isEmpty, !isToBeDeleted { reportChange() }
    }

    /// Has the members read anew of relationships of an unchanged object from which objects were left out that the context was about to
    /// delete: it may no longer be.
    final func readMembersThatWereLeftOut() {
        guard !hasChanges, let state, state.toManys.contains(where: { $0.value.hasChanges }) else { return }
        for (index, value) in state.toManys where value.hasChanges {
            observably(layout.properties[index]) { state.toManys[index] = nil }
        }
        ownContext?.recordEvent(.refreshedInEvent, of: self)
    }

    /// The objects that this context has added or removed and that got another destination by a merge since: what their to-one
    /// says is so.
    private func staleChanges(of value: ToManyValue, _ property: PropertyLayout) -> Set<NSManagedObject> {
        guard property.inverse?.kind == .toOne, !value.added.isEmpty || !value.removed.isEmpty else { return [] }
        func isStale(_ member: NSManagedObject, unless leadsHere: Bool) -> Bool {
            guard !member.isToBeDeleted, let inverse = member.inverse(of: property) else { return false }
            // The store knows of what isn't changed.
            return member.isFault || (member.toOne(inverse) === self) != leadsHere
        }
        return value.added.filter { isStale($0, unless: true) }.union(
            value.removed.filter { isStale($0, unless: false) })
    }

    /// Whether an object that is a member in the store is one in this context too, which may have changed it.
    private func canBe(memberOf owner: NSManagedObject, _ inverse: String) -> Bool {
        guard let inverse = layout.property(named: inverse) else { return true }
        if isToBeDeleted { return !flags.contains(.deletePropagated) || inverse.deleteRule == .noActionDeleteRule }
        guard inverse.kind == .toOne, let state, isChanged(inverse, in: state) else { return true }
        return toOne(inverse) === owner
    }

    private func ledHereBeforeEvent(_ name: String, _ owner: NSManagedObject) -> Bool {
        guard flags.contains(.updatedInEvent), let inverse = layout.property(named: name), inverse.kind == .toOne,
            let state, !state.current.isEmpty
        else { return false }
        return isSame(.destination(owner), eventBaseField(inverse, in: state), of: inverse)
    }

    /// The relationship's changes, without reading the members.
    final func toMany(_ property: PropertyLayout) -> ToManyValue {
        let state = writableState
        if let value = state.toManys[property.index] { return value }
        let value: ToManyValue
        if wasNeverSaved || property.isTransient {
            value = .empty(isOrdered: property.isOrdered)
        } else {
            value = ToManyValue(isOrdered: property.isOrdered)
        }
        state.toManys[property.index] = value
        return value
    }
}
