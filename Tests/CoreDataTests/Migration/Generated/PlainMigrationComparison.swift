import CoreData
import Foundation

/// Holds the rows of a migrated store against those from before, by a second writing of the rules: what has the same
/// renaming identifier, or name, is the same, and keys of rows stay.
struct PlainMigrationComparison {
    let old: NSManagedObjectModel
    let new: NSManagedObjectModel
    let before: PlainDatabase
    let after: PlainDatabase
    private(set) var differences: [String] = []
    private(set) var valueCount = 0

    init(
        from old: NSManagedObjectModel, in before: PlainDatabase, to new: NSManagedObjectModel, in after: PlainDatabase
    ) {
        self.old = old
        self.new = new
        self.before = before
        self.after = after
    }

    private mutating func note(_ text: String) {
        if differences.count < 20 { differences.append(text) }
    }

    mutating func run() throws {
        let (oldLayout, newLayout) = (
            try PlainLayout(model: old, database: before), try PlainLayout(model: new, database: after)
        )
        var known: Set<String> = []
        for entity in new.entities.sorted(by: { $0.name! < $1.name! }) where !entity.isAbstract {
            let place = newLayout.entities[entity.name!]!
            guard let former = source(of: entity), known.insert(former.name!).inserted else {
                let rows = try Self.keys(of: entity, at: place, in: after)
                if !rows.isEmpty { note("\(entity.name!): \(rows.count) rows from nowhere") }
                continue
            }
            let formerPlace = oldLayout.entities[former.name!]!
            let (oldKeys, newKeys) = (
                try Self.keys(of: former, at: formerPlace, in: before), try Self.keys(of: entity, at: place, in: after)
            )
            if oldKeys != newKeys { note("\(entity.name!): \(oldKeys.count) rows became \(newKeys.count)") }
            try compareColumns(entity, place, former, formerPlace, oldLayout, keys: Set(oldKeys))
            try compareToManys(entity, newLayout, former, oldLayout)
        }
        try compareHighestKeys(oldLayout, newLayout)
    }

    private func source(of entity: NSEntityDescription) -> NSEntityDescription? {
        let wanted = entity.renamingIdentifier ?? entity.name!
        return old.entities.first { $0.renamingIdentifier == wanted } ?? old.entitiesByName[wanted]
            ?? old.entitiesByName[entity.name!]
    }

    private func source(of property: NSPropertyDescription, in former: NSEntityDescription) -> NSPropertyDescription? {
        let wanted = property.renamingIdentifier ?? property.name
        return former.propertiesByName.values.first { $0.renamingIdentifier == wanted }
            ?? former.propertiesByName[wanted] ?? former.propertiesByName[property.name]
    }

    /// In a table of one entity the number in a row decides nothing.
    private static func condition(_ entity: NSEntityDescription, _ number: Int64) -> String {
        let root = PlainLayout.root(of: entity)
        return root.subentities.isEmpty ? "1" : "Z_ENT = \(number)"
    }

    private static func keys(
        of entity: NSEntityDescription, at place: PlainLayout.Entity, in database: PlainDatabase
    ) throws -> [Int64] {
        try database.rows(
            "SELECT Z_PK FROM \(place.table) WHERE \(condition(entity, place.number)) ORDER BY Z_PK"
        ).compactMap { $0[0].integer }
    }

    private mutating func compareColumns(
        _ entity: NSEntityDescription, _ place: PlainLayout.Entity, _ former: NSEntityDescription,
        _ formerPlace: PlainLayout.Entity, _ oldLayout: PlainLayout, keys: Set<Int64>
    ) throws {
        for (name, property) in entity.propertiesByName where !property.isTransient {
            guard let column = place.columns[name] else { continue }
            let now = try Self.values(of: column, entity, place, in: after)
            guard let source = source(of: property, in: former), !source.isTransient,
                let formerColumn = formerPlace.columns[source.name]
            else {
                if property is NSAttributeDescription, !(property is NSDerivedAttributeDescription) {
                    let hasDefault = (property as? NSAttributeDescription)?.defaultValue != nil
                    for key in keys where (now[key] == .null) == hasDefault {
                        note("\(entity.name!).\(name) of row \(key) is \(now[key] ?? .null)")
                    }
                }
                continue
            }
            let then = try Self.values(of: formerColumn, former, formerPlace, in: before)
            // What referred to an object that went, or to none, refers to nothing now.
            let left = try (property as? NSRelationshipDescription).map { relationship in
                try survivors(of: (source as! NSRelationshipDescription), as: relationship, oldLayout)
            }
            for key in keys {
                valueCount += 1
                let isFilled = then[key] == .null && !property.isOptional
                let isGone = now[key] == .null && left.map { !$0.contains(then[key]?.integer ?? 0) } ?? false
                if then[key] != now[key], !isFilled, !isGone {
                    note("\(entity.name!).\(name) of row \(key): \(then[key] ?? .null) became \(now[key] ?? .null)")
                }
            }
        }
    }

    private static func values(
        of column: String, _ entity: NSEntityDescription, _ place: PlainLayout.Entity, in database: PlainDatabase
    ) throws -> [Int64: PlainValue] {
        let rows = try database.rows(
            "SELECT Z_PK, \(column) FROM \(place.table) WHERE \(condition(entity, place.number))")
        return Dictionary(rows.map { ($0[0].integer!, $0[1]) }) { first, _ in first }
    }

    private mutating func compareToManys(
        _ entity: NSEntityDescription, _ newLayout: PlainLayout, _ former: NSEntityDescription, _ oldLayout: PlainLayout
    ) throws {
        for (name, relationship) in entity.relationshipsByName where relationship.isToMany && !relationship.isTransient
        {
            guard let source = source(of: relationship, in: former) as? NSRelationshipDescription else { continue }
            var then: Set<[PlainValue]>
            if source.isToMany {
                then = try Self.pairs(oldLayout.members(of: source, in: former), in: before)
            } else {
                let place = oldLayout.entities[former.name!]!
                let column = place.columns[source.name]!
                then = Set(
                    try before.rows("SELECT \(column), Z_PK FROM \(place.table) WHERE \(column) NOT NULL"))
            }
            let left = try survivors(of: source, as: relationship, oldLayout)
            then = then.filter { left.contains($0[0].integer ?? 0) }
            let now = try Self.pairs(newLayout.members(of: relationship, in: entity), in: after)
            valueCount += then.count
            if then != now { note("\(entity.name!).\(name): \(then.count) pairs became \(now.count)") }
        }
    }

    /// The keys of the objects that a relationship could lead to, and can still.
    private func survivors(
        of source: NSRelationshipDescription, as relationship: NSRelationshipDescription, _ oldLayout: PlainLayout
    ) throws -> Set<Int64> {
        guard let former = source.destinationEntity, let place = oldLayout.entities[former.name!] else { return [] }
        let rows = try before.rows("SELECT Z_PK, Z_ENT FROM \(place.table)")
        let isAlone = PlainLayout.root(of: former).subentities.isEmpty
        var kept: Set<String> = []
        for entity in new.entities where entity.isKindOf(entity: relationship.destinationEntity!) {
            if let name = self.source(of: entity)?.name { kept.insert(name) }
        }
        let keys = rows.compactMap { row -> Int64? in
            let name = isAlone ? former.name : oldLayout.nameByNumber[row[1].integer ?? 0]
            return name.map(kept.contains) ?? false ? row[0].integer : nil
        }
        return Set(keys)
    }

    private static func pairs(_ members: PlainLayout.Members, in database: PlainDatabase) throws -> Set<[PlainValue]> {
        switch members {
        case .pairs(let table, let source, let destination, _):
            return Set(
                try database.rows("SELECT \(destination), \(source) FROM \(table) WHERE \(source) NOT NULL"))
        case .reflexive(let table, let first, let second):
            let rows = try database.rows("SELECT \(first), \(second) FROM \(table)")
            return Set(rows + rows.map { [$0[1], $0[0]] })
        }
    }

    private mutating func compareHighestKeys(_ oldLayout: PlainLayout, _ newLayout: PlainLayout) throws {
        for entity in new.entities where entity.superentity == nil {
            guard let place = newLayout.entities[entity.name!] else { continue }
            let highest = try after.rows("SELECT IFNULL(MAX(Z_PK), 0) FROM \(place.table)")[0][0].integer!
            let given =
                try after.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(place.number)")[0][0].integer ?? 0
            if given < highest { note("\(entity.name!): Z_MAX is \(given), and the highest key \(highest)") }
        }
    }
}
