@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSManagedObjectContext {
    /// Applies the delete rules of all deleted objects, and of those that these delete.
    ///
    /// They are applied again by the next save where something that they need can't be read.
    func propagateDeletes() {
        deleteRuleFailures = []
        var pending = deleted.objects.filter { !$0.flags.contains(.deletePropagated) }
        guard !pending.isEmpty else { return }
        appliesDeleteRules = true
        var propagated: [NSManagedObject] = []
        defer {
            appliesDeleteRules = false
            // The end of the event lets those go that were deleted in it.
            for object in propagated where object.flags.isDisjoint(with: .changedInEvent) { forgetIfNeverSaved(object) }
        }
        while let object = pending.popLast() {
            guard object.flags.insert(.deletePropagated).inserted else { continue }
            propagated.append(object)
            let failures = deleteRuleFailures.count
            defer { if deleteRuleFailures.count > failures { object.flags.remove(.deletePropagated) } }
            // The save needs the version of the row.
            object.fireIfNeeded()
            guard !object.flags.contains(.inaccessible) else { continue }
            for property in object.layout.relationships {
                pending += applyDeleteRule(of: property, to: object)
            }
        }
    }

    /// Returns the objects that the rule deletes in turn.
    private func applyDeleteRule(of property: PropertyLayout, to object: NSManagedObject) -> [NSManagedObject] {
        if property.deleteRule == .noActionDeleteRule { return [] }
        if property.inverse == nil, property.deleteRule != .cascadeDeleteRule { return [] }
        let destinations = object.destinations(of: property)
        var cascaded: [NSManagedObject] = []
        // What a deny rule leads to from an object that was never saved goes on leading back, which the save refuses (seen in the
        // tests of The Blue Alliance's app).
        switch property.deleteRule {
        case .cascadeDeleteRule:
            for destination in destinations where !destination.isToBeDeleted {
                markDeleted(destination)
                destination.flags.insert(.deletedByRule)
                appliesDeleteRules = false
                destination.prepareForDeletion()
                appliesDeleteRules = true
                cascaded.append(destination)
            }
        case .nullifyDeleteRule:
            for destination in destinations where !destination.isToBeDeleted {
                if let inverse = destination.inverse(of: property) { destination.unlink(inverse, from: object) }
            }
        default:
            break
        }
        return cascaded
    }
}
