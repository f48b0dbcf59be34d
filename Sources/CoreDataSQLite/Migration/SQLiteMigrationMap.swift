@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Which entities and properties of a file become which of a new schema.
struct SQLiteMigrationMap {
    let old: SQLiteSchema
    let new: SQLiteSchema
    /// By index of the new entity.
    private var sources: [SQLiteEntity?]
    /// By index of the old entity.
    private var destinations: [SQLiteEntity?]
    /// By index of the new entity, and name of the new property.
    private var properties: [[String: PropertyLayout]]

    init(from old: SQLiteSchema, to new: SQLiteSchema) {
        self.old = old
        self.new = new
        sources = Array(repeating: nil, count: new.entities.count)
        destinations = Array(repeating: nil, count: old.entities.count)
        properties = Array(repeating: [:], count: new.entities.count)
        let pairing = ModelPairing(from: old.model.model, to: new.model.model)
        for case (let before?, let after) in pairing.entities {
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
    func source(of entity: SQLiteEntity) -> SQLiteEntity? { sources[entity.layout.index] }

    /// What an entity of the file becomes.
    func destination(of entity: SQLiteEntity) -> SQLiteEntity? { destinations[entity.layout.index] }

    /// What a property of an entity of the new schema was.
    func source(of property: PropertyLayout, in entity: SQLiteEntity) -> PropertyLayout? {
        properties[entity.layout.index][property.name]
    }

    /// The entities of the file that have rows of an entity or below it.
    func concrete(_ layout: EntityLayout) -> [SQLiteEntity] {
        (layout.index...layout.lastDescendantIndex).compactMap { old.entities[$0] }
            .filter { !$0.layout.entity.isAbstract }
    }

    /// Whether all rows of an entity's table are that entity's, whatever number they have.
    func isAlone(_ entity: SQLiteEntity) -> Bool {
        entity.layout.root.lastDescendantIndex == entity.layout.rootIndex
    }

    // MARK: Relationships

    /// The pairs of a relationship as the file has them: its own, or those of what is its inverse now.
    struct Relationship {
        var links: SQLiteLinks
        /// The column with the concrete entity of the destination, beside the key in the owner's own rows.
        var entityColumn: String?
        /// Which entities of the file the owners are, and the destinations.
        var owners: [SQLiteEntity]
        var destinations: [SQLiteEntity]
    }

    func relationship(_ property: PropertyLayout, of entity: SQLiteEntity) -> Relationship? {
        if let source = source(of: entity), let former = self.source(of: property, in: entity),
            let links = SQLiteLinks(former, of: source), let destination = former.destination
        {
            return Relationship(
                links: links, entityColumn: source.entityColumn(of: former)?.name,
                owners: concrete(source.layout.declarer(of: former)), destinations: concrete(destination))
        }
        guard let inverse = property.inverse, let destination = property.destination,
            let far = new.entities[destination.index], let source = source(of: far),
            let former = self.source(of: inverse, in: far), let links = SQLiteLinks(former, of: source),
            let owner = former.destination
        else { return nil }
        return Relationship(
            links: links.reversed, entityColumn: nil, owners: concrete(owner),
            destinations: concrete(source.layout.declarer(of: former)))
    }

    /// Those entities of the file that become one or more kinds of an entity, and whether all do.
    func surviving(_ entities: [SQLiteEntity], as layout: EntityLayout) -> (pairs: [EntityPair], isComplete: Bool) {
        let pairs = entities.compactMap { entity -> EntityPair? in
            guard let destination = destination(of: entity), destination.layout.isKind(of: layout) else { return nil }
            return EntityPair(old: entity, new: destination)
        }
        return (pairs, pairs.count == entities.count)
    }

    struct EntityPair {
        var old: SQLiteEntity
        var new: SQLiteEntity
    }

    /// The columns in which rows of an entity of the file may have values.
    func usedColumns(of entity: SQLiteEntity) -> Set<String> {
        var names = Set(entity.columns.compactMap { $0?.name })
        for property in entity.layout.properties where property.kind == .toOne {
            if let column = entity.column(of: property)?.name { names.insert(SQLiteNaming.orderColumn(beside: column)) }
        }
        for case let owner? in old.entities {
            for property in owner.layout.ownProperties {
                guard case .foreignKey(let key)? = owner.toMany(property), key.isOneWay,
                    let destination = property.destination, entity.layout.isKind(of: destination)
                else { continue }
                names.insert(key.column)
                if let order = key.orderColumn { names.insert(order) }
            }
        }
        return names
    }
}
