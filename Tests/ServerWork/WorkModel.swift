import CoreData

/// Teams with members in order, tags of members, and a receipt for each save.
package enum WorkModel {
    package static func make() -> NSManagedObjectModel {
        let team = entity("Team", [("name", .stringAttributeType), ("owner", .stringAttributeType)])
        let count = attribute("saves", .integer64AttributeType)
        count.defaultValue = 0
        team.properties.append(count)
        let member = entity("Member", [("name", .stringAttributeType)])
        let tag = entity("Tag", [("name", .stringAttributeType)])
        let receipt = entity("Receipt", [("token", .stringAttributeType)])
        team.uniquenessConstraints = [["name"]]
        member.uniquenessConstraints = [["name"]]
        tag.uniquenessConstraints = [["name"]]
        let (members, home) = (
            relationship("members", to: member, many: true), relationship("team", to: team, many: false)
        )
        members.isOrdered = true
        members.deleteRule = .cascadeDeleteRule
        let (tags, tagged) = (
            relationship("tags", to: tag, many: true), relationship("members", to: member, many: true)
        )
        for (one, other) in [(members, home), (tags, tagged)] {
            one.inverseRelationship = other
            other.inverseRelationship = one
        }
        team.properties.append(members)
        member.properties += [home, tags]
        tag.properties.append(tagged)
        let model = NSManagedObjectModel()
        model.entities = [team, member, tag, receipt]
        return model
    }

    private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map(attribute)
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = false
        return attribute
    }

    private static func relationship(_ name: String, to entity: NSEntityDescription, many: Bool)
        -> NSRelationshipDescription
    {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.isOptional = true
        relationship.maxCount = many ? 0 : 1
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }
}
