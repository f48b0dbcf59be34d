import CoreData

/// A model as boxes and the lines between them.
struct DiagramGraph {
    let boxes: [DiagramBox]
    private(set) var nets: [DiagramNet] = []

    init(_ model: NSManagedObjectModel) {
        let entities = model.entitiesByName.sorted { $0.key < $1.key }.map(\.value)
        let properties = entities.map(Self.ownProperties)
        boxes = zip(entities, properties).map(Self.box)
        let numbers = Dictionary(entities.enumerated().map { (ObjectIdentifier($1), $0) }) { first, _ in first }
        addInheritance(entities, numbers)
        addRelationships(properties, numbers)
    }

    private static func ownProperties(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
        let own = entity.properties.filter { $0.entity === entity }.sorted { $0.name < $1.name }
        return own.filter { !($0 is NSRelationshipDescription) } + own.filter { $0 is NSRelationshipDescription }
    }

    private static func box(_ entity: NSEntityDescription, _ properties: [NSPropertyDescription]) -> DiagramBox {
        var notes: [String] = []
        if entity.isAbstract { notes.append("abstract") }
        if let superentity = entity.superentity?.name { notes.append("is a \(superentity)") }
        let unique = Set(entity.uniquenessConstraints.filter { $0.count == 1 }.flatMap { $0 }.compactMap(name))
        return DiagramBox(
            title: entity.name ?? "?", subtitle: notes.joined(separator: ", "), isAbstract: entity.isAbstract,
            lines: properties.map { property in
                DiagramBox.Line(
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
        let most = relationship.isToMany && relationship.maxCount == 0 ? "∗" : String(relationship.maxCount)
        return String(least) == most ? most : "\(least)…\(most)"
    }

    private mutating func addInheritance(_ entities: [NSEntityDescription], _ numbers: [ObjectIdentifier: Int]) {
        for (number, entity) in entities.enumerated() {
            let children = entity.subentities.compactMap { numbers[ObjectIdentifier($0)] }.sorted()
            guard !children.isEmpty else { continue }
            nets.append(
                DiagramNet(
                    hub: .init(box: number, offset: DiagramBox.titleOffset),
                    hubEnd: .init(head: .superentity, deleteRule: nil),
                    leaves: children.map { .init(box: $0, offset: DiagramBox.subtitleOffset) },
                    leafEnd: .init(head: .none, deleteRule: nil)))
        }
    }

    private mutating func addRelationships(
        _ properties: [[NSPropertyDescription]], _ numbers: [ObjectIdentifier: Int]
    ) {
        var places: [ObjectIdentifier: DiagramNet.Terminal] = [:]
        for (box, own) in properties.enumerated() {
            for (line, property) in own.enumerated() {
                places[ObjectIdentifier(property)] = .init(box: box, offset: DiagramBox.offset(ofLine: line))
            }
        }
        var drawn: Set<ObjectIdentifier> = []
        for case let relationship as NSRelationshipDescription in properties.joined() {
            guard let start = places[ObjectIdentifier(relationship)],
                drawn.insert(ObjectIdentifier(relationship)).inserted
            else { continue }
            let end = DiagramNet.Head(relationship)
            if let inverse = relationship.inverseRelationship, inverse !== relationship,
                inverse.inverseRelationship === relationship, let target = places[ObjectIdentifier(inverse)]
            {
                drawn.insert(ObjectIdentifier(inverse))
                nets.append(
                    DiagramNet(
                        hub: start, hubEnd: .init(head: .init(inverse), deleteRule: relationship.deleteRule),
                        leaves: [target], leafEnd: .init(head: end, deleteRule: inverse.deleteRule)))
            } else if let target = relationship.destinationEntity.flatMap({ numbers[ObjectIdentifier($0)] }) {
                nets.append(
                    DiagramNet(
                        hub: start, hubEnd: .init(head: .none, deleteRule: relationship.deleteRule),
                        leaves: [.init(box: target, offset: DiagramBox.entryOffset)],
                        leafEnd: .init(head: end, deleteRule: nil)))
            }
        }
    }
}

extension DiagramNet.Head {
    fileprivate init(_ relationship: NSRelationshipDescription) {
        self = relationship.isToMany ? .many : .one
    }
}
