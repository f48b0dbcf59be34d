import ArgumentParser
import CoreData

/// Carries out the assignments of `set` and `insert` on an object.
struct ObjectChanges {
    let store: OpenStore

    func apply(_ assignments: [Assignment], to object: NSManagedObject) throws {
        for assignment in assignments {
            switch try object.entity.property(named: assignment.key) {
            case let attribute as NSAttributeDescription:
                try apply(assignment, to: object, attribute)
            case let relationship as NSRelationshipDescription where relationship.isToMany:
                try apply(assignment, to: object, toMany: relationship)
            case let relationship as NSRelationshipDescription:
                try apply(assignment, to: object, toOne: relationship)
            default:
                throw CommandFailure(subject(object, assignment), "a fetched property can't be set.")
            }
        }
    }

    private func apply(_ assignment: Assignment, to object: NSManagedObject, _ attribute: NSAttributeDescription) throws
    {
        guard assignment.operation == .set else {
            throw CommandFailure(
                subject(object, assignment), "an attribute is set with =; += and -= are for to-many relationships.")
        }
        guard !(attribute is NSDerivedAttributeDescription) else {
            throw CommandFailure(subject(object, assignment), "a derived attribute is computed by the store.")
        }
        object.setValue(try AttributeText(attribute: attribute).value(from: assignment.text), forKey: assignment.key)
    }

    private func apply(
        _ assignment: Assignment, to object: NSManagedObject, toOne relationship: NSRelationshipDescription
    ) throws {
        guard assignment.operation == .set else {
            throw CommandFailure(
                subject(object, assignment), "a to-one relationship is set with =; += and -= are for to-many ones.")
        }
        let destination = assignment.text.isEmpty ? nil : try self.destination(assignment, of: relationship)
        object.setValue(destination, forKey: assignment.key)
    }

    private func apply(
        _ assignment: Assignment, to object: NSManagedObject, toMany relationship: NSRelationshipDescription
    ) throws {
        if assignment.operation == .set {
            guard assignment.text.isEmpty else {
                throw CommandFailure(
                    subject(object, assignment),
                    "a to-many relationship is changed with += and -=, or emptied with \(assignment.key)=.")
            }
            object.setValue(
                relationship.isOrdered ? NSOrderedSet() : Set<NSManagedObject>() as Any, forKey: assignment.key)
            return
        }
        let destination = try self.destination(assignment, of: relationship)
        if relationship.isOrdered {
            let members = object.mutableOrderedSetValue(forKey: assignment.key)
            assignment.operation == .add ? members.add(destination) : members.remove(destination)
        } else {
            let members = object.mutableSetValue(forKey: assignment.key)
            assignment.operation == .add ? members.add(destination) : members.remove(destination)
        }
    }

    private func destination(
        _ assignment: Assignment, of relationship: NSRelationshipDescription
    ) throws -> NSManagedObject {
        let destination = try store.object(withURI: assignment.text)
        guard let expected = relationship.destinationEntity, destination.entity.isKindOf(entity: expected) else {
            throw CommandFailure(
                "\(relationship.entity.name ?? "?").\(relationship.name)",
                "\(assignment.text) is of entity \(destination.entity.name ?? "?"), "
                    + "not of \(relationship.destinationEntity?.name ?? "?").")
        }
        return destination
    }

    private func subject(_ object: NSManagedObject, _ assignment: Assignment) -> String {
        "\(object.entity.name ?? "?").\(assignment.key)"
    }
}
