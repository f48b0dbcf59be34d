import CoreData

/// A model for people: entities, and a line for each property of their own.
struct ModelListing {
    private let model: NSManagedObjectModel

    init(_ model: NSManagedObjectModel) {
        self.model = model
    }

    var text: String {
        model.entitiesByName.sorted { $0.key < $1.key }.map { Self.lines(for: $0.value).joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    private static func lines(for entity: NSEntityDescription) -> [String] {
        var heading = entity.name ?? "?"
        if let superentity = entity.superentity?.name { heading += ": \(superentity)" }
        if entity.isAbstract { heading += " (abstract)" }
        let inherited = entity.superentity?.propertiesByName ?? [:]
        let own = entity.propertiesByName.filter { inherited[$0.key] == nil }.sorted { $0.key < $1.key }
        let width = own.map(\.key.count).max() ?? 0
        return [heading]
            + own.map {
                "  " + $0.key.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + words(for: $0.value)
            }
    }

    private static func words(for property: NSPropertyDescription) -> String {
        var words: [String] = []
        switch property {
        case let derived as NSDerivedAttributeDescription:
            words.append("derived from \(derived.derivationExpression?.description ?? "?")")
        case let attribute as NSAttributeDescription:
            words.append(PropertyWords.name(of: attribute.attributeType))
            if let value = attribute.defaultValue { words.append("= \(JSONValue(value).text())") }
        case let relationship as NSRelationshipDescription:
            let kind = (relationship.isOrdered ? "ordered " : "") + (relationship.isToMany ? "to many" : "to one")
            words.append("\(kind) \(relationship.destinationEntity?.name ?? "?")")
            if let inverse = relationship.inverseRelationship?.name { words.append("inverse \(inverse)") }
            words.append("delete rule \(PropertyWords.name(of: relationship.deleteRule))")
        default:
            words.append("fetched property")
        }
        if property.isOptional { words.append("optional") }
        if property.isTransient { words.append("transient") }
        return words.joined(separator: ", ")
    }
}
