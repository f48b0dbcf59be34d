import CoreData

/// A model as boxes and the links between them, for other tools to draw.
struct ModelDiagram {
    /// An entity, with the properties of its own.
    struct Box {
        let name: String
        /// What is special about the entity, such as "abstract".
        let notes: [String]
        let lines: [Line]
    }

    /// A property.
    struct Line {
        let name: String
        let detail: String
        let isRelationship: Bool
    }

    /// A line between two boxes, by their numbers.
    struct Link {
        let from: Int
        let to: Int
        let kind: Kind
    }

    enum Kind {
        /// `from` inherits from `to`.
        case inheritance
        /// A relationship, and its inverse where it has one.
        case relationship(End, inverse: End?)
    }

    /// A relationship as seen at the box that it leads to.
    struct End {
        let name: String
        /// How many objects it leads to: `1`, `0..1`, `1..*`.
        let count: String
        let isToMany: Bool
        let deleteRule: String
        /// The number of its line in the box that declares it.
        let line: Int
    }

    let boxes: [Box]
    private(set) var links: [Link] = []

    init(_ model: NSManagedObjectModel) {
        let entities = model.entitiesByName.sorted { $0.key < $1.key }.map(\.value)
        let properties = entities.map(Self.ownProperties)
        boxes = zip(entities, properties).map(Self.box)
        let numbers = Dictionary(entities.enumerated().map { (ObjectIdentifier($1), $0) }) { first, _ in first }
        for (number, entity) in entities.enumerated() {
            if let parent = entity.superentity.flatMap({ numbers[ObjectIdentifier($0)] }) {
                links.append(Link(from: number, to: parent, kind: .inheritance))
            }
        }
        addRelationships(properties, numbers)
    }

    private static func ownProperties(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
        let own = entity.properties.filter { $0.entity === entity }.sorted { $0.name < $1.name }
        return own.filter { !($0 is NSRelationshipDescription) } + own.filter { $0 is NSRelationshipDescription }
    }

    private static func box(_ entity: NSEntityDescription, _ properties: [NSPropertyDescription]) -> Box {
        let unique = Set(entity.uniquenessConstraints.filter { $0.count == 1 }.flatMap { $0 }.compactMap(name))
        return Box(
            name: entity.name ?? "?", notes: entity.isAbstract ? ["abstract"] : [],
            lines: properties.map { property in
                Line(
                    name: property.name,
                    detail: detail(of: property) + (unique.contains(property.name) ? ", unique" : ""),
                    isRelationship: property is NSRelationshipDescription)
            })
    }

    private static func name(_ constrained: Any) -> String? {
        (constrained as? NSPropertyDescription)?.name ?? constrained as? String
    }

    private static func detail(of property: NSPropertyDescription) -> String {
        switch property {
        case let attribute as NSAttributeDescription:
            let mark =
                attribute is NSDerivedAttributeDescription ? "derived " : attribute.isTransient ? "transient " : ""
            return mark + PropertyWords.name(of: attribute.attributeType) + (attribute.isOptional ? "?" : "")
        case let relationship as NSRelationshipDescription:
            let order = relationship.isOrdered ? " ordered" : ""
            return "\(relationship.destinationEntity?.name ?? "?") \(count(of: relationship))\(order), "
                + PropertyWords.name(of: relationship.deleteRule)
        default: return "fetched"
        }
    }

    private static func count(of relationship: NSRelationshipDescription) -> String {
        let least = relationship.isOptional ? 0 : max(relationship.minCount, 1)
        let most = relationship.isToMany && relationship.maxCount == 0 ? "*" : String(relationship.maxCount)
        return String(least) == most ? most : "\(least)..\(most)"
    }

    private mutating func addRelationships(
        _ properties: [[NSPropertyDescription]], _ numbers: [ObjectIdentifier: Int]
    ) {
        var places: [ObjectIdentifier: (box: Int, line: Int)] = [:]
        for (box, own) in properties.enumerated() {
            for (line, property) in own.enumerated() { places[ObjectIdentifier(property)] = (box, line) }
        }
        var drawn: Set<ObjectIdentifier> = []
        for case let relationship as NSRelationshipDescription in properties.joined() {
            guard let start = places[ObjectIdentifier(relationship)],
                let target = relationship.destinationEntity.flatMap({ numbers[ObjectIdentifier($0)] }),
                drawn.insert(ObjectIdentifier(relationship)).inserted
            else { continue }
            var (end, inverseEnd): (Int, End?) = (target, nil)
            if let inverse = relationship.inverseRelationship, inverse !== relationship,
                inverse.inverseRelationship === relationship, let place = places[ObjectIdentifier(inverse)]
            {
                drawn.insert(ObjectIdentifier(inverse))
                // An entity above the destination may be the one that declares it.
                (end, inverseEnd) = (place.box, Self.end(inverse, line: place.line))
            }
            links.append(
                Link(
                    from: start.box, to: end,
                    kind: .relationship(Self.end(relationship, line: start.line), inverse: inverseEnd)))
        }
    }

    private static func end(_ relationship: NSRelationshipDescription, line: Int) -> End {
        End(
            name: relationship.name, count: count(of: relationship), isToMany: relationship.isToMany,
            deleteRule: PropertyWords.name(of: relationship.deleteRule), line: line)
    }
}
