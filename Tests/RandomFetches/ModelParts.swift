import CoreData
import Foundation

/// Parts of models that are made in code.
package enum ModelParts {
    package static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    package static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    package static func relationship(
        _ name: String, many: Bool, to destination: NSEntityDescription
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.maxCount = many ? 0 : 1
        relationship.isOptional = true
        relationship.destinationEntity = destination
        return relationship
    }

    package static func pair(
        _ name: String, many: Bool, from source: NSEntityDescription,
        _ inverseName: String, many inverseMany: Bool, from destination: NSEntityDescription
    ) -> (NSRelationshipDescription, NSRelationshipDescription) {
        let forward = relationship(name, many: many, to: destination)
        let backward = relationship(inverseName, many: inverseMany, to: source)
        forward.inverseRelationship = backward
        backward.inverseRelationship = forward
        return (forward, backward)
    }
}
