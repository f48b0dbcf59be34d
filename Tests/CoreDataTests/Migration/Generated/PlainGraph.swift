import CoreData
import Foundation

/// The objects of a store as texts of their values, read with SQL alone: what stays comparable where keys don't stay.
struct PlainGraph {
    let model: NSManagedObjectModel
    private let database: PlainDatabase
    private let layout: PlainLayout

    init(_ url: URL, model: NSManagedObjectModel) throws {
        self.model = model
        database = try PlainDatabase(url)
        layout = try PlainLayout(model: model, database: database)
    }

    func rows(_ sql: String) throws -> [[PlainValue]] { try database.rows(sql) }

    /// The objects of an entity itself, as texts of these attributes, by key.
    private func objects(_ entity: NSEntityDescription, _ attributes: [String]) throws -> [Int64: String] {
        let place = layout.entities[entity.name!]!
        let isAlone = PlainLayout.root(of: entity).subentities.isEmpty
        let columns = attributes.map { place.columns[$0]! }
        let rows = try database.rows(
            "SELECT \((["Z_PK"] + columns).joined(separator: ", ")) FROM \(place.table)"
                + (isAlone ? "" : " WHERE Z_ENT = \(place.number)"))
        // Numbers are compared by value: a boolean may be written as a whole number or not.
        let texts = rows.map { row in
            (row[0].integer!, row.dropFirst().map(Self.text).joined(separator: "|"))
        }
        return Dictionary(texts) { first, _ in first }
    }

    static func text(_ value: PlainValue) -> String {
        value.double.map { "\($0)" }
            ?? value.bytes.map { bytes in bytes.map { String($0, radix: 16) }.joined() } ?? "NULL"
    }

    /// In what another store's objects differ, in everything that both models have under the same name.
    ///
    /// - Parameter ignored: attributes that are left out.
    func differences(to other: PlainGraph, ignoring ignored: Set<String> = []) throws -> [String] {
        var differences: [String] = []
        for (name, entity) in model.entitiesByName where !entity.isAbstract {
            guard let counterpart = other.model.entitiesByName[name] else { continue }
            let (mine, theirs) = (
                try objects(entity, common(name, other, ignored)),
                try other.objects(counterpart, common(name, other, ignored))
            )
            if mine.values.sorted() != theirs.values.sorted() {
                differences.append("\(name): \(mine.values.sorted()) became \(theirs.values.sorted())")
            }
            for (property, relationship) in entity.relationshipsByName {
                guard let match = counterpart.relationshipsByName[property],
                    match.destinationEntity?.name == relationship.destinationEntity?.name
                else { continue }
                let (before, after) = (
                    try pairs(relationship, of: entity, other, ignored),
                    try other.pairs(match, of: counterpart, self, ignored)
                )
                if before != after { differences.append("\(name).\(property): \(before) became \(after)") }
            }
        }
        return differences
    }

    private func common(_ entity: String, _ other: PlainGraph, _ ignored: Set<String>) -> [String] {
        let (mine, theirs) = (model.entitiesByName[entity], other.model.entitiesByName[entity])
        func stored(_ attribute: NSAttributeDescription) -> Bool {
            !attribute.isTransient && attribute.attributeType != .undefinedAttributeType
        }
        return (mine?.attributesByName ?? [:]).filter { name, attribute in
            !ignored.contains(name) && stored(attribute) && theirs?.attributesByName[name].map(stored) == true
        }.keys.sorted()
    }

    /// The pairs of a relationship, by the texts of their objects.
    private func pairs(
        _ relationship: NSRelationshipDescription, of entity: NSEntityDescription, _ other: PlainGraph,
        _ ignored: Set<String>
    ) throws -> [String] {
        let owners = try objects(entity, common(entity.name!, other, ignored))
        var members: [Int64: String] = [:]
        for destination in Self.family(relationship.destinationEntity!) where !destination.isAbstract {
            members.merge(try objects(destination, common(destination.name!, other, ignored))) { first, _ in first }
        }
        return try keys(relationship, of: entity).compactMap { source, destination in
            guard let owner = owners[source], let member = members[destination] else { return nil }
            return "\(owner) > \(member)"
        }.sorted()
    }

    private static func family(_ entity: NSEntityDescription) -> [NSEntityDescription] {
        [entity] + entity.subentities.flatMap(family)
    }

    /// The pairs of a relationship, each as the texts of one attribute of both ends.
    func pairs(_ entity: String, _ relationship: String, _ mine: String, _ theirs: String) throws -> [String] {
        let (near, property) = (
            model.entitiesByName[entity]!, model.entitiesByName[entity]!.relationshipsByName[relationship]!
        )
        let (owners, members) = (try objects(near, [mine]), try objects(property.destinationEntity!, [theirs]))
        return try keys(property, of: near).map { "\(owners[$0] ?? "") > \(members[$1] ?? "")" }.sorted()
    }

    private func keys(
        _ relationship: NSRelationshipDescription, of entity: NSEntityDescription
    ) throws -> [(Int64, Int64)] {
        let rows: [[PlainValue]]
        if relationship.isToMany {
            switch try layout.members(of: relationship, in: entity) {
            case .pairs(let table, let source, let destination, _):
                rows = try database.rows("SELECT \(source), \(destination) FROM \(table) WHERE \(source) NOT NULL")
            case .reflexive(let table, let first, let second):
                let found = try database.rows("SELECT \(first), \(second) FROM \(table)")
                rows = found + found.map { [$0[1], $0[0]] }
            }
        } else {
            let place = layout.entities[entity.name!]!
            let column = place.columns[relationship.name]!
            rows = try database.rows("SELECT Z_PK, \(column) FROM \(place.table) WHERE \(column) NOT NULL")
        }
        return rows.map { ($0[0].integer!, $0[1].integer!) }
    }
}
