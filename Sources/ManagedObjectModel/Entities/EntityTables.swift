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
        properties = lineage.reversed().flatMap(\.ownProperties)
        // A subentity's own property of an inherited name comes later and wins.
        for property in properties {
            propertiesByName[property.name] = property
            attributesByName[property.name] = property as? NSAttributeDescription
            relationshipsByName[property.name] = property as? NSRelationshipDescription
        }
    }
}

extension NSEntityDescription {
    /// The largest number of ancestors that model files may give an entity, so that following them stays cheap.
    static let maximumHierarchyDepth = 100

    /// The largest number of properties that the entities of a model file may have, each with the inherited ones.
    static let maximumTotalPropertyCount = 2_000_000
}
