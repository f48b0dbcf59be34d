import CoreData
import Foundation

/// Holds the objects of a context against the rows of the database that they come from.
struct ObjectComparison {
    let context: NSManagedObjectContext
    let database: PlainDatabase
    let layout: PlainLayout
    let model: NSManagedObjectModel
    /// How many objects of an entity are compared; every n-th where there are more.
    var limit = 300
    /// The first differences, as text.
    private(set) var differences: [String] = []
    private(set) var objectCount = 0
    private(set) var valueCount = 0
    /// How many rows have a number that isn't that of their table's one entity.
    private(set) var strayCount = 0

    init(context: NSManagedObjectContext, database: PlainDatabase, model: NSManagedObjectModel) throws {
        self.context = context
        self.database = database
        self.model = model
        layout = try PlainLayout(model: model, database: database)
    }

    mutating func run() throws {
        for entity in model.entities.sorted(by: { $0.name! < $1.name! }) where !entity.isAbstract {
            do {
                try compare(entity)
            } catch {
                note("\(entity.name!): \(error)")
            }
        }
    }

    private mutating func note(_ text: String) {
        if differences.count < 20 { differences.append(text) }
    }

    private mutating func compare(_ entity: NSEntityDescription) throws {
        let place = layout.entities[entity.name!]!
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
        request.includesSubentities = false
        var rows: [Int64: [String: PlainValue]] = [:]
        // Two Artsy stores have rows of other numbers in tables that hold one entity only; Apple's framework doesn't look
        // at the number there.
        let isShared = entity.superentity != nil || !entity.subentities.isEmpty
        for (key, row) in try database.content(of: place.table)
        where !isShared || row["Z_ENT"] == .integer(place.number) {
            rows[key] = row
            if row["Z_ENT"] != .integer(place.number) { strayCount += 1 }
        }
        let count = try context.count(for: request)
        if count != rows.count { note("\(entity.name!): \(count) objects, \(rows.count) rows") }
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: entity.name!)
        ids.includesSubentities = false
        ids.resultType = .managedObjectIDResultType
        let found = try context.fetch(ids)
        let keys = Set(found.compactMap { Int64($0.uriRepresentation().lastPathComponent.dropFirst()) })
        if keys != Set(rows.keys) || found.count != keys.count { note("\(entity.name!): other keys") }
        let objects = try sample(of: request, keys: keys)
        let members = try self.members(of: entity)
        for object in objects {
            guard let row = rows[object.rowKey] else {
                note("\(object.objectID.uriRepresentation()) has no row")
                continue
            }
            compare(object, with: row, place, members)
        }
        objectCount += objects.count
    }

    private func sample(of request: NSFetchRequest<NSManagedObject>, keys: Set<Int64>) throws -> [NSManagedObject] {
        guard keys.count > limit else { return try context.fetch(request) }
        let step = keys.count / limit + 1
        let chosen = Set(keys.sorted().enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element))
        return try context.fetch(request).filter { chosen.contains($0.rowKey) }
    }

    // MARK: Relationships

    private typealias MemberKeys = [String: [Int64: [(key: Int64, order: Int64?)]]]

    /// By to-many relationship and owner's key: the keys of the members.
    private mutating func members(of entity: NSEntityDescription) throws -> MemberKeys {
        var result: MemberKeys = [:]
        for relationship in entity.relationshipsByName.values where relationship.isToMany && !relationship.isTransient {
            var members: [Int64: [(Int64, Int64?)]] = [:]
            do {
                let far = layout.entities[relationship.destinationEntity!.name!]!.table
                // Photos has pairs whose one end is gone; Apple's framework joins the destination's table.
                let present = Set(try database.rows("SELECT Z_PK FROM \(far)").compactMap { $0[0].integer })
                switch try layout.members(of: relationship, in: entity) {
                case .pairs(let table, let source, let destination, let order):
                    let sql = """
                        SELECT \(source), \(destination), \(order ?? "NULL") FROM \(table)
                        WHERE \(source) IS NOT NULL ORDER BY 3
                        """
                    for row in try database.rows(sql) {
                        members[row[0].integer ?? -1, default: []].append((row[1].integer ?? -1, row[2].integer))
                    }
                case .reflexive(let table, let first, let second):
                    for row in try database.rows("SELECT \(first), \(second) FROM \(table)") {
                        members[row[0].integer ?? -1, default: []].append((row[1].integer ?? -1, nil))
                        members[row[1].integer ?? -1, default: []].append((row[0].integer ?? -1, nil))
                    }
                }
                result[relationship.name] = members.mapValues { $0.filter { present.contains($0.0) } }
            } catch {
                note("\(entity.name!).\(relationship.name): \(error)")
            }
        }
        return result
    }

    private mutating func compare(
        _ object: NSManagedObject, with row: [String: PlainValue], _ place: PlainLayout.Entity, _ members: MemberKeys
    ) {
        for property in object.entity.properties where !property.isTransient {
            valueCount += 1
            let value = object.value(forKey: property.name)
            switch property {
            case let attribute as NSAttributeDescription:
                if !PlainValueComparison.areEqual(value, row, attribute, path: attribute.name, columns: place.columns) {
                    let column = place.columns[property.name] ?? "?"
                    note("\(name(object, property)): \(value ?? "nil"), not \(row[column] ?? .null)")
                }
            case let relationship as NSRelationshipDescription where relationship.isToMany:
                compareMembers(of: relationship, value, members[property.name]?[object.rowKey] ?? [], object)
            case let relationship as NSRelationshipDescription:
                compareDestination(of: relationship, value as? NSManagedObject, row, place, object)
            default: break
            }
        }
    }

    private func name(_ object: NSManagedObject, _ property: NSPropertyDescription) -> String {
        "\(object.entity.name!) \(object.rowKey) \(property.name)"
    }

    private mutating func compareDestination(
        of relationship: NSRelationshipDescription, _ found: NSManagedObject?, _ row: [String: PlainValue],
        _ place: PlainLayout.Entity, _ object: NSManagedObject
    ) {
        guard let column = place.columns[relationship.name], let stored = row[column] else {
            return note("\(name(object, relationship)): no column")
        }
        // ArtsyPartner_2.0 has keys of 0, which no row has.
        let expected = stored.integer == 0 ? nil : stored.integer
        if found?.rowKey != expected { note("\(name(object, relationship)): \(found?.rowKey ?? 0), not \(stored)") }
        let number = layout.entities[relationship.destinationEntity!.name!]!.number
        let entityColumn = "Z\(number)_" + column.dropFirst()
        if found != nil, let concrete = row[entityColumn]?.integer, let expected = layout.nameByNumber[concrete],
            found?.entity.name != expected
        {
            note("\(name(object, relationship)): \(found?.entity.name ?? ""), not \(expected)")
        }
    }

    private mutating func compareMembers(
        of relationship: NSRelationshipDescription, _ value: Any?, _ expected: [(key: Int64, order: Int64?)],
        _ object: NSManagedObject
    ) {
        let found: [NSManagedObject]
        if let set = value as? NSOrderedSet {
            found = set.array.compactMap { $0 as? NSManagedObject }
        } else {
            found = Array(value as? Set<NSManagedObject> ?? [])
        }
        let keys = found.map(\.rowKey)
        if Set(keys) != Set(expected.map(\.key)) || keys.count != Set(keys).count {
            note(
                "\(name(object, relationship)): \(keys.sorted().prefix(9)), not \(expected.map(\.key).sorted().prefix(9))"
            )
        }
        let orders = expected.compactMap(\.order)
        if relationship.isOrdered, orders.count == expected.count, Set(orders).count == orders.count,
            keys != expected.map(\.key)
        {
            note("\(name(object, relationship)): the order \(keys.prefix(9)), not \(expected.map(\.key).prefix(9))")
        }
    }
}
