import Foundation

/// The properties of an entity, inherited ones included, by name and by kind.
struct EntityTables {
    private(set) var properties: [NSPropertyDescription]
    private(set) var propertiesByName: [String: NSPropertyDescription] = [:]
    private(set) var attributesByName: [String: NSAttributeDescription] = [:]
    private(set) var relationshipsByName: [String: NSRelationshipDescription] = [:]
    var versionHash: Data?

    init(of entity: NSEntityDescription) {
        var lineage = [entity]
        while let parent = lineage.last?.superentity { lineage.append(parent) }
        properties = lineage.count == 1 ? entity.ownProperties : lineage.reversed().flatMap(\.ownProperties)
        propertiesByName.reserveCapacity(properties.count)
        attributesByName.reserveCapacity(properties.count)
        // A subentity's own property of an inherited name comes later and wins.
        for property in properties {
            let name = property.name
            if propertiesByName.updateValue(property, forKey: name) != nil {
                attributesByName[name] = nil
                relationshipsByName[name] = nil
            }
            if let attribute = property as? NSAttributeDescription {
                attributesByName[name] = attribute
            } else if let relationship = property as? NSRelationshipDescription {
                relationshipsByName[name] = relationship
            }
        }
    }
}

extension NSEntityDescription {
    /// The largest number of ancestors that model files may give an entity, so that following them stays cheap.
    static let maximumHierarchyDepth = 100

    /// The largest number of properties that the entities of a model file may have, each with the inherited ones.
    static let maximumTotalPropertyCount = 2_000_000
}
