/// Which entities and properties of two versions of a model belong together, as lightweight migration sees it.
///
/// A renaming identifier is a name that stays: what has the same one belongs together, and the identifier of a new version
/// usually is the name in the old one (Apple: Renaming Identifier). What says that it was renamed comes first, so that
/// its old name is free for something new.
package struct ModelPairing {
    /// The properties of two entities that belong together.
    package struct Properties {
        /// Each property of the new entity, by name, with what it was.
        package let pairs: [(old: NSPropertyDescription?, new: NSPropertyDescription)]
        /// What is gone, by name.
        package let removed: [NSPropertyDescription]

        /// What a property of the new entity was.
        package func source(of name: String) -> NSPropertyDescription? {
            pairs.first { $0.new.name == name }?.old
        }
    }

    /// Each entity of the new model, by name, with what it was.
    package let entities: [(old: NSEntityDescription?, new: NSEntityDescription)]
    /// The entities that are gone, by name.
    package let removed: [NSEntityDescription]
    private let sourceByName: [String: NSEntityDescription]
    private let destinationByName: [String: NSEntityDescription]

    /// Compares two versions.
    package init(from old: NSManagedObjectModel, to new: NSManagedObjectModel) {
        let former = old.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        let current = new.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        let matches = Self.match(former, current, name: { $0.name ?? "" }, identifier: { $0.renamingIdentifier ?? "" })
        entities = zip(matches, current).map { (old: $0.map { former[$0] }, new: $1) }
        let taken = Set(matches.compactMap { $0 })
        removed = former.indices.filter { !taken.contains($0) }.map { former[$0] }
        var sources: [String: NSEntityDescription] = [:]
        var destinations: [String: NSEntityDescription] = [:]
        for case (let source?, let destination) in entities {
            sources[destination.name ?? ""] = source
            destinations[source.name ?? ""] = destination
        }
        sourceByName = sources
        destinationByName = destinations
    }

    /// What an entity of the new model was.
    package func source(of name: String?) -> NSEntityDescription? { name.flatMap { sourceByName[$0] } }

    /// What an entity of the old model has become.
    package func destination(of name: String?) -> NSEntityDescription? { name.flatMap { destinationByName[$0] } }

    /// The properties of two entities, inherited ones too: one that moved along the hierarchy is the same one.
    ///
    /// Attributes belong to attributes and relationships to relationships (seen in the models of CoreDataPlus, of which one gives the
    /// old name of an attribute to a relationship). What is left then may have become another kind of property.
    package static func properties(
        from old: NSEntityDescription, to new: NSEntityDescription
    ) -> Properties {
        let former = old.propertiesByName.values.sortedByName()
        let current = new.propertiesByName.values.sortedByName()
        var matches = [Int?](repeating: nil, count: current.count)
        func match(_ old: [Int], _ new: [Int]) {
            let found = Self.match(
                old.map { former[$0] }, new.map { current[$0] }, name: \.name,
                identifier: { $0.renamingIdentifier ?? $0.name })
            for (place, index) in zip(new, found) { matches[place] = index.map { old[$0] } }
        }
        for kind in Kind.allCases {
            match(
                former.indices.filter { Kind(former[$0]) == kind }, current.indices.filter { Kind(current[$0]) == kind }
            )
        }
        let paired = Set(matches.compactMap { $0 })
        match(former.indices.filter { !paired.contains($0) }, current.indices.filter { matches[$0] == nil })
        let taken = Set(matches.compactMap { $0 })
        return Properties(
            pairs: zip(matches, current).map { (old: $0.map { former[$0] }, new: $1) },
            removed: former.indices.filter { !taken.contains($0) }.map { former[$0] })
    }

    private enum Kind: CaseIterable {
        case attribute, relationship, other

        init(_ property: NSPropertyDescription) {
            switch property {
            case is NSAttributeDescription: self = .attribute
            case is NSRelationshipDescription: self = .relationship
            default: self = .other
            }
        }
    }

    /// The elements of two versions of a composite attribute, those of the new one by name, with what they were.
    package static func elements(
        from old: NSCompositeAttributeDescription, to new: NSCompositeAttributeDescription
    ) -> (pairs: [(old: NSAttributeDescription?, new: NSAttributeDescription)], removed: [NSAttributeDescription]) {
        let (former, current) = (old.elements.sortedByName(), new.elements.sortedByName())
        let matches = match(former, current, name: \.name, identifier: { $0.renamingIdentifier ?? $0.name })
        let taken = Set(matches.compactMap { $0 })
        return (
            zip(matches, current).map { (old: $0.map { former[$0] }, new: $1) },
            former.indices.filter { !taken.contains($0) }.map { former[$0] }
        )
    }

    /// For each new item, the place of the old one that belongs to it.
    private static func match<Item>(
        _ old: [Item], _ new: [Item], name: (Item) -> String, identifier: (Item) -> String
    ) -> [Int?] {
        let byIdentifier = indexes(byName: old.map(identifier))
        let byName = indexes(byName: old.map(name))
        var taken: Set<Int> = []
        var result = [Int?](repeating: nil, count: new.count)
        func pair(_ place: Int, with candidates: Int?...) {
            guard result[place] == nil else { return }
            result[place] = candidates.compactMap { $0 }.first { taken.insert($0).inserted }
        }
        for (place, item) in new.enumerated() where identifier(item) != name(item) {
            pair(place, with: byIdentifier[identifier(item)], byName[identifier(item)])
        }
        for (place, item) in new.enumerated() {
            pair(place, with: byIdentifier[name(item)], byName[name(item)])
        }
        return result
    }

    private static func indexes(byName names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
