import CoreData
import Foundation

/// What plain SQL says about references in a file.
struct PlainSoundness {
    let content: [String: [Int64: [String: PlainValue]]]
    let layout: PlainLayout
    let model: NSManagedObjectModel

    /// The references that lead nowhere, as text. Those of relationships without inverse are left out: nobody can tell
    /// who points at an object that is deleted.
    func dangling() throws -> Set<String> {
        var found: Set<String> = []
        for entity in model.entities {
            let place = layout.entities[entity.name!]!
            for relationship in entity.relationshipsByName.values where relationship.inverseRelationship != nil {
                let far = layout.entities[relationship.destinationEntity!.name!]!.table
                if relationship.isToMany {
                    found.formUnion(try danglingPairs(of: relationship, in: entity, from: place.table, to: far))
                } else if let column = place.columns[relationship.name] {
                    for (key, row) in content[place.table] ?? [:] where row["Z_ENT"] == .integer(place.number) {
                        guard let target = row[column]?.integer, content[far]?[target] == nil else { continue }
                        found.insert("\(place.table) \(key) \(column) \(target)")
                    }
                }
            }
        }
        return found
    }

    private func danglingPairs(
        of relationship: NSRelationshipDescription, in entity: NSEntityDescription, from near: String, to far: String
    ) throws -> Set<String> {
        var found: Set<String> = []
        func check(_ table: String, _ source: String, _ destination: String) {
            for row in (content[table] ?? [:]).values {
                guard let one = row[source]?.integer, let other = row[destination]?.integer,
                    content[near]?[one] != nil, content[far]?[other] != nil
                else {
                    found.insert("\(table) \(row[source] ?? .null) \(row[destination] ?? .null)")
                    continue
                }
            }
        }
        switch try layout.members(of: relationship, in: entity) {
        case .pairs(let table, let source, let destination, _) where destination != "Z_PK":
            check(table, source, destination)
        case .reflexive(let table, let first, let second): check(table, first, second)
        case .pairs: break
        }
        return found
    }

    /// The hierarchies whose `Z_MAX` lies below a key in use.
    func lowMaximums() -> [String] {
        var maximums: [String: Int64] = [:]
        for row in (content["Z_PRIMARYKEY"] ?? [:]).values {
            guard let number = row["Z_ENT"]?.integer, let name = layout.nameByNumber[number],
                row["Z_SUPER"]?.integer == 0
            else { continue }
            maximums[layout.entities[name]!.table] = row["Z_MAX"]?.integer ?? 0
        }
        return maximums.compactMap { table, maximum in
            let highest = content[table]?.keys.max() ?? 0
            return highest > maximum ? "\(table): \(maximum) < \(highest)" : nil
        }
    }
}
