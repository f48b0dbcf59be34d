import CoreData

/// A model of 100 entities with ten attributes each, in a ring of relationships.
enum HundredEntities {
    static func make() -> NSManagedObjectModel {
        let entities = (0..<100).map { number in
            let entity = NSEntityDescription()
            entity.name = "Entity\(number)"
            entity.properties = (0..<10).map { column in
                let attribute = NSAttributeDescription()
                attribute.name = "value\(column)"
                attribute.attributeType = column.isMultiple(of: 2) ? .stringAttributeType : .integer64AttributeType
                attribute.isOptional = true
                return attribute
            }
            return entity
        }
        for (entity, next) in zip(entities, entities.dropFirst() + entities.prefix(1)) {
            let (forward, back) = (NSRelationshipDescription(), NSRelationshipDescription())
            (forward.name, back.name) = ("next", "previous")
            (forward.destinationEntity, back.destinationEntity) = (next, entity)
            (forward.inverseRelationship, back.inverseRelationship) = (back, forward)
            (forward.maxCount, back.maxCount) = (1, 0)
            (forward.isOptional, back.isOptional) = (true, true)
            entity.properties += [forward]
            next.properties += [back]
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }
}
