import CoreData

/// A generated model: entities with attributes, in a ring of relationships.
enum RingModel {
    /// What the store has that ``OpenEntities`` opens.
    static func hundredEntities() -> NSManagedObjectModel { make(entities: 100, attributes: 10) }

    static func make(entities count: Int, attributes: Int) -> NSManagedObjectModel {
        let entities = (0..<count).map { number in
            let entity = NSEntityDescription()
            entity.name = "Entity\(number)"
            entity.properties = (0..<attributes).map { column in
                let attribute = NSAttributeDescription()
                attribute.name = "value\(column)"
                attribute.attributeType = column.isMultiple(of: 2) ? .stringAttributeType : .integer64AttributeType
                attribute.isOptional = true
                return attribute
            }
            return entity
        }
        for (entity, next) in zip(entities, entities.dropFirst() + entities.prefix(1)) { link(entity, to: next) }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func link(_ entity: NSEntityDescription, to next: NSEntityDescription) {
        let (forward, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (forward.name, back.name) = ("next", "previous")
        (forward.destinationEntity, back.destinationEntity) = (next, entity)
        (forward.inverseRelationship, back.inverseRelationship) = (back, forward)
        (forward.maxCount, back.maxCount) = (1, 0)
        (forward.isOptional, back.isOptional) = (true, true)
        entity.properties += [forward]
        next.properties += [back]
    }
}
