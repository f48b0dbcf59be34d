@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Which entities, properties and relationships of a store become which of a new schema.
package struct SQLMigrationMap<Schema: SQLMigratedSchema> {
    package typealias Entity = Schema.Entity

    package let old: Schema
    package let new: Schema
    /// By place of the new entity.
    private var sources: [Entity?]
    /// By place of the old entity.
    private var destinations: [Entity?]
    /// By place of the new entity, and name of the new property.
    private var properties: [[String: PropertyLayout]]

    package init(from old: Schema, to new: Schema) {
        self.old = old
        self.new = new
        sources = Array(repeating: nil, count: new.entities.count)
        destinations = Array(repeating: nil, count: old.entities.count)
        properties = Array(repeating: [:], count: new.entities.count)
        for case (let before?, let after) in ModelPairing(from: old.model.model, to: new.model.model).entities {
            guard let source = old.model.layout(of: before).flatMap({ old.entities[$0.index] }),
                let destination = new.model.layout(of: after).flatMap({ new.entities[$0.index] })
            else { continue }
            sources[destination.layout.index] = source
            destinations[source.layout.index] = destination
            for case (let former?, let current) in ModelPairing.properties(from: before, to: after).pairs {
                properties[destination.layout.index][current.name] = source.layout.property(named: former.name)
            }
        }
    }

    /// What an entity of the new schema was.
    package func source(of entity: Entity) -> Entity? { sources[entity.layout.index] }

    /// What an entity of the store becomes.
    package func destination(of entity: Entity) -> Entity? { destinations[entity.layout.index] }

    /// What a property of an entity of the new schema was.
    package func source(of property: PropertyLayout, in entity: Entity) -> PropertyLayout? {
        properties[entity.layout.index][property.name]
    }

    /// The entities of the store that have rows of an entity or below it.
    package func concrete(_ layout: EntityLayout) -> [Entity] {
        (layout.index...layout.lastDescendantIndex).compactMap { old.entities[$0] }
            .filter { !$0.layout.entity.isAbstract }
    }

    /// Whether all rows of an entity's table are that entity's, whatever number they have.
    package func isAlone(_ entity: Entity) -> Bool {
        entity.layout.root.lastDescendantIndex == entity.layout.rootIndex
    }

    /// Those entities of the store that become one or more kinds of an entity, and whether all do.
    package func surviving(_ entities: [Entity], as layout: EntityLayout) -> (
        pairs: [(old: Entity, new: Entity)], isComplete: Bool
    ) {
        let pairs = entities.compactMap { entity -> (old: Entity, new: Entity)? in
            guard let destination = destination(of: entity), destination.layout.isKind(of: layout) else { return nil }
            return (entity, destination)
        }
        return (pairs, pairs.count == entities.count)
    }

    // MARK: Relationships

    /// The pairs of a relationship as the store has them: its own, or those of what is its inverse now.
    package struct Relationship {
        package var links: SQLLinks
        /// The column with the concrete entity of the destination, beside the key in the owner's own rows.
        package var entityColumn: String?
        /// Which entities of the store the owners are, and the destinations.
        package var owners: [Entity]
        package var destinations: [Entity]

        /// The same pairs seen from the other end.
        package var reversed: Relationship {
            Relationship(links: links.reversed, entityColumn: nil, owners: destinations, destinations: owners)
        }
    }

    package func relationship(_ property: PropertyLayout, of entity: Entity) -> Relationship? {
        if let source = source(of: entity), let former = self.source(of: property, in: entity),
            let links = SQLLinks(former, of: source, in: old), let destination = former.destination
        {
            return Relationship(
                links: links, entityColumn: former.kind == .toOne ? source.entityColumn(ofToOne: former) : nil,
                owners: concrete(source.layout.declarer(of: former)), destinations: concrete(destination))
        }
        guard let inverse = property.inverse, let destination = property.destination,
            let far = new.entities[destination.index], let source = source(of: far),
            let former = self.source(of: inverse, in: far), let links = SQLLinks(former, of: source, in: old),
            let owner = former.destination
        else { return nil }
        return Relationship(
            links: links.reversed, entityColumn: nil, owners: concrete(owner),
            destinations: concrete(source.layout.declarer(of: former)))
    }

    /// Where the store has the pairs of a relationship of an entity and of those below it, which may have had others, and by which
    /// entities of the store each place has owners.
    package func relationships(_ property: PropertyLayout, ofAllKindsOf owner: Entity) -> [(
        relationship: Relationship, owners: [Entity]
    )] {
        var found: [(relationship: Relationship, owners: [Entity])] = []
        for index in owner.layout.index...owner.layout.lastDescendantIndex {
            guard let entity = new.entities[index], let source = source(of: entity),
                let relationship = relationship(property, of: entity)
            else { continue }
            if let place = found.firstIndex(where: { $0.relationship.links == relationship.links }) {
                found[place].owners.append(source)
            } else {
                found.append((relationship, [source]))
            }
        }
        return found
    }

    // MARK: Key columns

    /// A to-one of an entity of the new schema whose values the store has.
    package struct ToOne {
        package let property: PropertyLayout
        package let column: String
        package let destination: EntityLayout
        package let relationship: Relationship
        /// Whether a destination that several rows refer to stays with the first of them only.
        package let isFirstOwnerOnly: Bool
    }

    package func toOnes(of entity: Entity) -> [ToOne] {
        entity.layout.properties.compactMap { property in
            guard property.kind == .toOne, let column = entity.keyColumn(ofToOne: property),
                let destination = property.destination, let found = relationship(property, of: entity)
            else { return nil }
            return ToOne(
                property: property, column: column, destination: destination, relationship: found,
                isFirstOwnerOnly: property.inverse?.kind == .toOne && !hadKey(property.inverse, of: destination))
        }
    }

    /// Whether the store has a key column of its own for a to-one of the new schema.
    private func hadKey(_ property: PropertyLayout?, of layout: EntityLayout) -> Bool {
        guard let property, let entity = new.entities[layout.index], let source = source(of: entity),
            let former = self.source(of: property, in: entity)
        else { return false }
        return former.kind == .toOne && source.keyColumn(ofToOne: former) != nil
    }

    /// The columns of one-way to-many relationships that lie in the rows of an entity, their destination, with the pairs that the
    /// store has, seen from there.
    package func oneWayColumns(of entity: Entity) -> [(key: SQLForeignKey, owner: Entity, relationship: Relationship)] {
        new.entities.compactMap { $0 }.flatMap { owner in
            owner.layout.ownProperties.compactMap { property in
                guard property.kind == .toMany, case .foreignKey(let key)? = owner.toMany(property), key.isOneWay,
                    let destination = property.destination, entity.layout.isKind(of: destination),
                    let found = formerRelationship(property, of: owner)
                else { return nil }
                return (key, owner, found.reversed)
            }
        }
    }

    /// The relationship as the entity or, where that is new, one below it had it.
    private func formerRelationship(_ property: PropertyLayout, of owner: Entity) -> Relationship? {
        new.model.entities[owner.layout.index...owner.layout.lastDescendantIndex].lazy.compactMap { layout in
            new.entities[layout.index].flatMap { relationship(property, of: $0) }
        }.first
    }
}
