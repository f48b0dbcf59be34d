/// A relationship that a mapping model sets.
struct MappedRelationship: Hashable {
    let entity: String
    let name: String

    static func all(in model: NSMappingModel) -> Set<MappedRelationship> {
        var all: Set<MappedRelationship> = []
        for mapping in model.entityMappings {
            for property in mapping.relationshipMappings ?? [] where property.valueExpression != nil {
                guard let entity = mapping.destinationEntityName, let name = property.name else { continue }
                all.insert(MappedRelationship(entity: entity, name: name))
            }
        }
        return all
    }
}
