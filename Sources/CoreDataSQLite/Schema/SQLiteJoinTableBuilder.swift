@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// Derives the tables of many-to-many relationships.
struct SQLiteJoinTableBuilder {
    /// One side of a join, with the place of its relationship.
    struct Side {
        var owner: Int
        var property: Int
        var side: SQLJoin
    }

    /// A many-to-many relationship at the entity that declares it.
    private struct Relationship {
        var property: PropertyLayout
        var owner: EntityLayout
        var inverse: PropertyLayout
        /// The entity that declares the inverse.
        var inverseOwner: EntityLayout

        var isReflexive: Bool { owner === inverseOwner && property.name == inverse.name }

        var reversed: Relationship {
            Relationship(property: inverse, owner: inverseOwner, inverse: property, inverseOwner: owner)
        }
    }

    private struct Place: Hashable {
        var owner: Int
        var property: Int
    }

    private let layouts: [EntityLayout]
    private let numbers: [Int64?]
    private let file: SQLiteFileLayout?
    private(set) var tables: [SQLiteJoinTable] = []
    private(set) var sides: [Side] = []
    /// The column that holds the key of a relationship's destination, by the relationship.
    private var columns: [Place: String] = [:]

    init(layouts: [EntityLayout], numbers: [Int64?], file: SQLiteFileLayout?) {
        self.layouts = layouts
        self.numbers = numbers
        self.file = file
    }

    mutating func build() {
        let relationships = layouts.flatMap(manyToManys)
        allocateColumns(for: relationships)
        var done: Set<Place> = []
        for relationship in relationships {
            let place = Place(owner: relationship.owner.index, property: relationship.property.index)
            guard done.insert(place).inserted else { continue }
            done.insert(Place(owner: relationship.inverseOwner.index, property: relationship.inverse.index))
            if relationship.isReflexive {
                addReflexive(relationship)
            } else {
                add(relationship)
            }
        }
    }

    private func manyToManys(of layout: EntityLayout) -> [Relationship] {
        layout.ownProperties.compactMap { property in
            guard property.kind == .toMany, property.isPersistent, let destination = property.destination,
                let inverse = property.inverse, inverse.kind == .toMany, numbers[destination.index] != nil
            else { return nil }
            return Relationship(
                property: property, owner: layout, inverse: inverse,
                inverseOwner: destination.declarer(of: inverse))
        }
    }

    private func number(of layout: EntityLayout) -> Int64 { numbers[layout.index] ?? 0 }

    /// Names the columns: for each entity, over its relationships by name, the column that holds its key in their
    /// tables. Where two have the same name, the later one gets a suffix (seen in Photos and Artsy stores).
    private mutating func allocateColumns(for relationships: [Relationship]) {
        var allocators: [Int: SQLiteNameAllocator] = [:]
        for relationship in relationships where !relationship.isReflexive {
            let plain = SQLiteNaming.join(relationship.inverse.name, entity: number(of: relationship.owner))
            let place = Place(owner: relationship.inverseOwner.index, property: relationship.inverse.index)
            columns[place] = allocators[relationship.owner.index, default: SQLiteNameAllocator()].allocate(plain)
        }
    }

    private mutating func addReflexive(_ relationship: Relationship) {
        let name = SQLiteNaming.join(relationship.property.name, entity: number(of: relationship.owner))
        tables.append(
            SQLiteJoinTable(
                name: name, namingEntityIndex: relationship.owner.index, first: name,
                second: SQLiteNaming.reflexive, orderColumns: []))
        sides.append(
            Side(
                owner: relationship.owner.index, property: relationship.property.index,
                side: SQLJoin(
                    table: name, sourceColumn: name, destinationColumn: SQLiteNaming.reflexive, orderColumn: nil,
                    inverseOrderColumn: nil, isReflexive: true)))
    }

    private mutating func add(_ relationship: Relationship) {
        let naming = namingSide(of: relationship)
        let other = naming.reversed
        let table = SQLiteNaming.join(naming.property.name, entity: number(of: naming.owner))
        let first = column(for: other, in: table)
        let second = column(for: naming, in: table)
        let firstOrder = other.property.isOrdered ? SQLiteNaming.orderColumn(beside: first) : nil
        let secondOrder = naming.property.isOrdered ? SQLiteNaming.orderColumn(beside: second) : nil
        tables.append(
            SQLiteJoinTable(
                name: table, namingEntityIndex: naming.owner.index, first: first, second: second,
                orderColumns: [firstOrder, secondOrder].compactMap { $0 }))
        let forward = SQLJoin(
            table: table, sourceColumn: first, destinationColumn: second, orderColumn: secondOrder,
            inverseOrderColumn: firstOrder, isReflexive: false)
        sides.append(Side(owner: naming.owner.index, property: naming.property.index, side: forward))
        sides.append(Side(owner: other.owner.index, property: other.property.index, side: forward.inverse))
    }

    /// The column that holds the key of a relationship's destination.
    ///
    /// The numeric suffix isn't fully known, so in a file that exists the one that the table has is taken.
    private func column(for relationship: Relationship, in table: String) -> String {
        let place = Place(owner: relationship.owner.index, property: relationship.property.index)
        let plain = SQLiteNaming.join(relationship.property.name, entity: number(of: relationship.inverseOwner))
        let derived = columns[place] ?? plain
        guard let present = file?.columns[table], !present.contains(derived) else { return derived }
        let suffixed = present.filter { $0.hasPrefix(plain) && $0.dropFirst(plain.count).allSatisfy(\.isNumber) }
        return suffixed.count == 1 ? suffixed.first ?? derived : derived
    }

    /// The side that names the table: the entity that has subentities if exactly one has, otherwise the one with the
    /// lower number (seen in all but self-referential joins).
    ///
    /// For a relationship between an entity and itself Apple's choice isn't known: a file that exists is asked. A new
    /// one gets the name of the ordered side (as in the DuckDuckGo bookmarks), otherwise that of the lower name.
    private func namingSide(of relationship: Relationship) -> Relationship {
        let other = relationship.reversed
        let preferred: Relationship
        if relationship.owner === relationship.inverseOwner {
            if relationship.property.isOrdered != other.property.isOrdered {
                preferred = relationship.property.isOrdered ? relationship : other
            } else {
                let isLower = relationship.property.name.utf8.lexicographicallyPrecedes(other.property.name.utf8)
                preferred = isLower ? relationship : other
            }
        } else if relationship.owner.sublayouts.isEmpty != other.owner.sublayouts.isEmpty {
            preferred = relationship.owner.sublayouts.isEmpty ? other : relationship
        } else {
            preferred = number(of: relationship.owner) < number(of: other.owner) ? relationship : other
        }
        guard let file else { return preferred }
        let candidates = [preferred, preferred.reversed]
        return candidates.first { candidate in
            file.columns[SQLiteNaming.join(candidate.property.name, entity: number(of: candidate.owner))] != nil
        } ?? preferred
    }
}
