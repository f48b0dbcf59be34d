@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// The changes that a deletion has made to other objects. They are taken back where the deletion loses a conflict, as an owner would
/// stay without its members (our choice: Apple says nothing of a deletion that a merge policy takes back).
extension NSManagedObject {
    /// Takes back what the delete rules have done. The object is no longer deleted, and has its members of before.
    ///
    /// What the program itself has done to a destination stays.
    final func takeBackDeleteRules() {
        guard let context = ownContext else { return }
        for property in layout.relationships where !property.isTransient {
            for destination in destinationsBeforeDeletion(of: property) {
                if property.deleteRule == .cascadeDeleteRule, destination.isToBeDeleted,
                    destination.flags.contains(.deletedByRule)
                {
                    context.undelete(destination)
                    destination.takeBackDeleteRules()
                }
                if !destination.isToBeDeleted, let inverse = destination.inverse(of: property) {
                    destination.takeBackNullifying(inverse, of: self)
                }
            }
        }
    }

    /// Takes back what the delete rules have done to objects that others have given to this one while it was deleted. What belongs
    /// to an event comes back with that event.
    final func takeBackDeletionsByMerges() {
        guard let context = ownContext, !isToBeDeleted else { return }
        for property in layout.relationships where property.deleteRule == .cascadeDeleteRule && !property.isTransient {
            for destination in destinationsBeforeDeletion(of: property).union(destinationsOfLostRow(property))
            where destination.flags.contains(.deletedByMerge) && !destination.isDeletedWithAnother(than: self) {
                if destination.flags.contains(.invalidated) {
                    if context.hasAnotherInstance(of: destination) { continue }
                    context.revive(destination)
                    destination.rejoinDestinations()
                } else if destination.isToBeDeleted {
                    context.undelete(destination)
                } else {
                    continue
                }
                destination.takeBackDeletionsByMerges()
            }
        }
    }

    /// Whether another owner is to be deleted still, whose rule deletes the object too.
    private func isDeletedWithAnother(than owner: NSManagedObject) -> Bool {
        layout.relationships.contains { property in
            guard property.inverse?.deleteRule == .cascadeDeleteRule, !property.isTransient else { return false }
            return destinationsBeforeDeletion(of: property).contains { $0 !== owner && $0.isToBeDeleted }
        }
    }

    private func destinationsBeforeDeletion(of property: PropertyLayout) -> Set<NSManagedObject> {
        guard property.kind == .toMany else {
            return (committedValue(of: property) as? NSManagedObject).map { [$0] } ?? []
        }
        return Set(members(property).saved)
    }

    /// Where the deletion was saved: what the object led to when it lost its row, which is all to be written anew.
    private func destinationsOfLostRow(_ property: PropertyLayout) -> Set<NSManagedObject> {
        guard isInserted else { return [] }
        guard property.kind == .toMany else { return toOne(property).map { [$0] } ?? [] }
        return members(property).added
    }

    /// Makes the object lead back, where its row does and only the rule has parted it.
    private func takeBackNullifying(_ property: PropertyLayout, of object: NSManagedObject) {
        guard let state else { return }
        if property.kind == .toOne {
            guard toOne(property) == nil, isChanged(property, in: state),
                isSame(.destination(object), committedField(property), of: property)
            else { return }
            observably(property) { setPrimitiveToOne(object, of: property) }
        } else if let members = state.toManys[property.index], members.removed.contains(object) {
            _ = observably(property) { members.add(object) }
        }
    }
}
