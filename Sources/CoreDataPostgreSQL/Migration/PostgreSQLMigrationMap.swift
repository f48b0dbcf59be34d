@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// Which entities, properties and relationships of a store become which of a new model.
struct PostgreSQLMigrationMap {
    let old: PostgreSQLSchema
    let new: PostgreSQLSchema
    /// By place of the new entity.
    private var sources: [PostgreSQLEntity?]
    /// By place of the old entity.
    private var destinations: [PostgreSQLEntity?]
    /// By place of the new entity, and name of the new property.
    private var properties: [[String: PropertyLayout]]

    init(from old: PostgreSQLSchema, to new: PostgreSQLSchema) {
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

    /// The numbers of a new model's entities: those that they have in the store, and others for new ones.
    ///
    /// - Parameter present: the numbers in the store, by name.
    static func numbers(from old: NSManagedObjectModel, to new: NSManagedObjectModel, present: [String: Int16]) throws
        -> [String: Int16]
    {
        var numbers: [String: Int16] = [:]
        var last = present.values.max() ?? 0
        for (before, after) in ModelPairing(from: old, to: new).entities {
            guard let name = after.name else { continue }
            if let known = before?.name.flatMap({ present[$0] }) {
                numbers[name] = known
                continue
            }
            guard last < Int16.max else { throw MigrationError.make("The store has no numbers left for entities.") }
            last += 1
            numbers[name] = last
        }
        return numbers
    }

    /// What an entity of the new model was.
    func source(of entity: PostgreSQLEntity) -> PostgreSQLEntity? { sources[entity.layout.index] }

    /// What an entity of the store becomes.
    func destination(of entity: PostgreSQLEntity) -> PostgreSQLEntity? { destinations[entity.layout.index] }

    /// What a property of an entity of the new model was.
    func source(of property: PropertyLayout, in entity: PostgreSQLEntity) -> PropertyLayout? {
        properties[entity.layout.index][property.name]
    }

    /// The entities of the store that have rows of an entity or below it.
    func concrete(_ layout: EntityLayout) -> [PostgreSQLEntity] {
        (layout.index...layout.lastDescendantIndex).compactMap { old.entities[$0] }
            .filter { !$0.layout.entity.isAbstract }
    }

    // MARK: Relationships

    /// The pairs of a relationship as the store has them: its own, or those of what is its inverse now.
    struct Relationship {
        var links: PostgreSQLLinks
        /// The column with the concrete entity of the destination, beside the key in the owner's own rows.
        var entityColumn: String?
        /// Which entities of the store the owners are, and the destinations.
        var owners: [PostgreSQLEntity]
        var destinations: [PostgreSQLEntity]
    }

    func relationship(_ property: PropertyLayout, of entity: PostgreSQLEntity) -> Relationship? {
        if let source = source(of: entity), let former = self.source(of: property, in: entity),
            let links = PostgreSQLLinks(former, of: source, in: old), let destination = former.destination
        {
            return Relationship(
                links: links, entityColumn: source.columns[former.rowSlot]?.entityColumn,
                owners: concrete(source.layout.declarer(of: former)), destinations: concrete(destination))
        }
        guard let inverse = property.inverse, let destination = property.destination,
            let far = new.entities[destination.index], let source = source(of: far),
            let former = self.source(of: inverse, in: far), let links = PostgreSQLLinks(former, of: source, in: old),
            let owner = former.destination
        else { return nil }
        return Relationship(
            links: links.reversed, entityColumn: nil, owners: concrete(owner),
            destinations: concrete(source.layout.declarer(of: former)))
    }

    /// Those entities of the store that become one or more kinds of an entity, and whether all do.
    func surviving(_ entities: [PostgreSQLEntity], as layout: EntityLayout) -> (
        entities: [PostgreSQLEntity], isComplete: Bool
    ) {
        let kept = entities.filter { destination(of: $0)?.layout.isKind(of: layout) ?? false }
        return (kept, kept.count == entities.count)
    }

    /// The columns in which rows of an entity of the store may have values.
    func usedColumns(of entity: PostgreSQLEntity) -> Set<String> {
        var names = Set(entity.ordered.flatMap { [$0.name, $0.entityColumn].compactMap { $0 } })
        // Columns of links and orders are used by whatever lies in the table.
        for table in old.tables where table.name == entity.table { names.formUnion(table.linkColumns.map(\.name)) }
        return names
    }
}

/// The pairs of keys of a relationship, wherever a store keeps them: in the owner's rows, the destination's, or a table.
struct PostgreSQLLinks: Hashable {
    var table: String
    /// The column with the keys of the owners.
    var source: String
    /// The column with the keys of the destinations.
    var destination: String
    /// The column with the place of a destination among those of its owner.
    var order: String?
    /// The column with the place of an owner among those of its destination.
    var inverseOrder: String?

    /// The same pairs seen from the other end.
    var reversed: PostgreSQLLinks {
        PostgreSQLLinks(
            table: table, source: destination, destination: source, order: inverseOrder, inverseOrder: order)
    }

    /// Whether the rows of this table are the owners themselves.
    func areOwnRows(of table: String) -> Bool { self.table == table && source == PostgreSQLName.key }

    /// Whether the rows of the table are the destinations themselves.
    var areDestinationRows: Bool { destination == PostgreSQLName.key }

    private init(table: String, source: String, destination: String, order: String?, inverseOrder: String?) {
        self.table = table
        self.source = source
        self.destination = destination
        self.order = order
        self.inverseOrder = inverseOrder
    }

    /// Where an entity keeps a relationship; nil for what isn't kept.
    init?(_ property: PropertyLayout, of entity: PostgreSQLEntity, in schema: PostgreSQLSchema) {
        switch property.kind {
        case .toOne:
            guard let column = entity.columns[property.rowSlot]?.name else { return nil }
            self.init(
                table: entity.table, source: PostgreSQLName.key, destination: column, order: nil,
                inverseOrder: Self.orderColumn(beside: property, in: schema))
        case .toMany:
            switch entity.toManys[property.index] {
            case .foreignKey(let key)?:
                self.init(
                    table: key.table, source: key.column, destination: PostgreSQLName.key, order: key.orderColumn,
                    inverseOrder: nil)
            case .join(let join)?:
                self.init(
                    table: join.table, source: join.sourceColumn, destination: join.destinationColumn,
                    order: join.orderColumn, inverseOrder: join.isReflexive ? nil : join.inverseOrderColumn)
            case nil: return nil
            }
        default: return nil
        }
    }

    /// The column with the place of a row among those that lead to the same owner by a to-one.
    static func orderColumn(beside property: PropertyLayout, in schema: PostgreSQLSchema) -> String? {
        guard let inverse = property.inverse, inverse.kind == .toMany, inverse.isOrdered,
            let destination = property.destination,
            case .foreignKey(let key)? = schema.entities[destination.index]?.toManys[inverse.index]
        else { return nil }
        return key.orderColumn
    }
}
