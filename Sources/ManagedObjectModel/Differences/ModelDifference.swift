import Foundation

/// What changed from one version of a model to the next, and whether lightweight migration can follow.
///
/// Entities and properties belong together when the new one's renaming identifier is that of the old one. What
/// lightweight migration can do is known from Apple's page "Migrating your data model automatically".
public struct ModelDifference {
    /// All changes, by entity and property.
    public private(set) var changes: [ModelChange] = []

    /// Whether a store of the old model opens with the new one as it is.
    public let isCompatible: Bool

    /// Whether a mapping can be inferred for all changes.
    public var allowsLightweightMigration: Bool { obstacles.isEmpty }

    /// The changes that no mapping can be inferred for.
    public var obstacles: [ModelChange] { changes.filter { $0.obstacle != nil } }

    /// Compares two versions.
    public init(from old: NSManagedObjectModel, to new: NSManagedObjectModel) {
        isCompatible = old.entityVersionHashesByName == new.entityVersionHashesByName
        let pairing = ModelPairing(from: old, to: new)
        var formerRoots: [String: [(root: String, entity: String)]] = [:]
        for (previous, entity) in pairing.entities {
            let name = entity.name ?? ""
            guard let previous else {
                add(.added, name, "the entity is new")
                continue
            }
            if previous.name != entity.name { add(.renamed, name, "the entity was called \(previous.name ?? "")") }
            formerRoots[entity.root.name ?? "", default: []].append((previous.root.name ?? "", name))
            compare(previous, with: entity, name: name, in: pairing)
        }
        for (root, members) in formerRoots {
            for member in members where member.root != members[0].root {
                add(
                    .changed, member.entity, "it joined the hierarchy of \(root)",
                    obstacle: "entities without a common ancestor cannot get one")
            }
        }
        for entity in pairing.removed {
            add(.removed, entity.name ?? "", "the entity is gone, and its objects with it")
        }
        compareTemplates(of: old, with: new)
        changes.sort { ($0.entity, $0.property ?? "", $0.message) < ($1.entity, $1.property ?? "", $1.message) }
    }

    private mutating func add(
        _ kind: ModelChange.Kind, _ entity: String, _ message: String, property: String? = nil,
        obstacle: String? = nil, missingValues: ModelChange.MissingValues? = nil
    ) {
        changes.append(
            ModelChange(
                kind: kind, entity: entity, property: property, message: message, obstacle: obstacle,
                missingValues: missingValues))
    }

    /// Fetch request templates go with the entities that they fetch.
    private mutating func compareTemplates(of old: NSManagedObjectModel, with new: NSManagedObjectModel) {
        let (former, current) = (old.fetchRequestTemplatesByName, new.fetchRequestTemplatesByName)
        for name in Set(former.keys).union(current.keys) where former[name] != current[name] {
            let entity = (current[name] ?? former[name])?.entityName ?? ""
            let fate = former[name] == nil ? "is new" : current[name] == nil ? "is gone" : "changed"
            add(.changed, entity, "the fetch request \(name) \(fate)")
        }
    }

    private mutating func compare(
        _ old: NSEntityDescription, with new: NSEntityDescription, name: String, in pairing: ModelPairing
    ) {
        for message in EntityDifference(old: old, new: new).messages { add(.changed, name, message) }
        if old.superentity?.renamingIdentifier != new.superentity?.renamingIdentifier,
            old.superentity?.name != new.superentity?.renamingIdentifier
        {
            let from = old.superentity?.name ?? "nothing"
            add(.changed, name, "it inherits from \(new.superentity?.name ?? "nothing") instead of \(from)")
        }
        let properties = ModelPairing.properties(from: old, to: new)
        for (previous, property) in properties.pairs {
            let (declarer, former) = (property.declaringEntity, pairing.source(of: property.declaringEntity?.name))
            // What an entity inherits as before is compared where it is declared.
            let isInheritedAsBefore = declarer !== new && former.map { old.isKindOf(entity: $0) } ?? false
            if let previous {
                if isInheritedAsBefore, previous.declaringEntity === former { continue }
                compare(previous, with: property, of: name)
            } else if !isInheritedAsBefore {
                add(
                    .added, name, "the property is new", property: property.name,
                    obstacle: property.needsValueInNewColumns ? "it is required and has no default value" : nil,
                    missingValues: property.needsValueInNewColumns ? .ofAllObjects : nil)
            }
        }
        for property in properties.removed {
            let declarer = property.declaringEntity
            let isInheritedAsBefore =
                declarer !== old
                && pairing.destination(of: declarer?.name).map { new.isKindOf(entity: $0) } ?? false
            if isInheritedAsBefore { continue }
            add(.removed, name, "the property is gone, and its values with it", property: property.name)
        }
    }

    private mutating func compare(
        _ old: NSPropertyDescription, with new: NSPropertyDescription, of entity: String
    ) {
        func propertyChange(
            _ message: String, obstacle: String? = nil, missingValues: ModelChange.MissingValues? = nil
        ) -> ModelChange {
            ModelChange(
                kind: .changed, entity: entity, property: new.name, message: message, obstacle: obstacle,
                missingValues: missingValues)
        }
        if old.name != new.name {
            add(.renamed, entity, "the property was called \(old.name)", property: new.name)
        }
        if old.isOptional, !new.isOptional {
            changes.append(
                propertyChange(
                    "it became required",
                    obstacle: new.needsValueInNewColumns ? "objects without a value get none: it has no default" : nil,
                    missingValues: new.needsValueInNewColumns ? .ofSomeObjects : nil))
        } else if !old.isOptional, new.isOptional {
            changes.append(propertyChange("it became optional"))
        }
        if old.isTransient != new.isTransient {
            let lacksValue = new.needsValueInNewColumns
            changes.append(
                propertyChange(
                    new.isTransient ? "it became transient" : "it is stored now",
                    obstacle: lacksValue ? "it is required and has no default value" : nil,
                    missingValues: lacksValue ? .ofAllObjects : nil))
        }
        if (old.versionHashModifier ?? "") != (new.versionHashModifier ?? "") {
            changes.append(propertyChange("the version hash modifier changed"))
        }
        if !ValueEquality.areEqual(old.userInfo ?? [:], new.userInfo ?? [:]) {
            changes.append(propertyChange("its user info changed"))
        }
        if old.isIndexedBySpotlight != new.isIndexedBySpotlight {
            changes.append(
                propertyChange(new.isIndexedBySpotlight ? "Spotlight finds it" : "Spotlight no longer finds it"))
        }
        switch (old, new) {
        case (let old as NSAttributeDescription, let new as NSAttributeDescription):
            changes += AttributeDifference(old: old, new: new).messages.map {
                propertyChange($0.text, obstacle: $0.obstacle)
            }
        case (let old as NSRelationshipDescription, let new as NSRelationshipDescription):
            changes += RelationshipDifference(old: old, new: new).messages.map {
                propertyChange($0.text, obstacle: $0.obstacle)
            }
        case (is NSFetchedPropertyDescription, is NSFetchedPropertyDescription):
            if !old.isEqual(new) { changes.append(propertyChange("the fetch request changed")) }
        default:
            changes.append(
                propertyChange(
                    "it became another kind of property", obstacle: "values of one kind do not turn into another"))
        }
    }
}

extension NSEntityDescription {
    /// The outermost ancestor, or the entity itself.
    fileprivate var root: NSEntityDescription {
        var root = self
        while let parent = root.superentity { root = parent }
        return root
    }
}

extension NSPropertyDescription {
    /// Whether rows that are there already would lack a value that the property has to have.
    fileprivate var needsValueInNewColumns: Bool {
        guard let attribute = self as? NSAttributeDescription else { return false }
        return !isOptional && !isTransient && attribute.defaultValue == nil && !(self is NSDerivedAttributeDescription)
    }
}
