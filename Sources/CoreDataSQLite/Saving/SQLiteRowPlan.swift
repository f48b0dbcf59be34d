@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// Which row slots of an entity go to which columns, worked out once.
package final class SQLiteRowPlan: Sendable {
    package struct Binding: Sendable {
        package let slot: Int
        package let property: PropertyLayout
        package let column: String
        /// The column of a to-one's concrete destination entity, which follows the key's.
        package let entityColumn: String?
        package let isExternal: Bool

        package var columns: [String] { entityColumn.map { [column, $0] } ?? [column] }
    }

    /// A uniqueness constraint that rows of the entity have to keep.
    package struct Constraint: Sendable {
        package let properties: [String]
        package let slots: [Int]
        package let columns: [String]
    }

    /// What binding a plain value takes: no references, so that the loop over them counts none.
    package struct Place: Sendable {
        package let slot: Int32
        let hasEntityColumn: Bool
        package let isExternal: Bool

        package init(_ binding: Binding) {
            slot = Int32(binding.slot)
            hasEntityColumn = binding.entityColumn != nil
            isExternal = binding.isExternal
        }

        /// The same place without the column for a to-one's concrete entity.
        package init(keyOf place: Place) {
            slot = place.slot
            hasEntityColumn = false
            isExternal = place.isExternal
        }
    }

    /// The key of a to-one whose inverse is ordered, and the column that keeps the order.
    package struct OrderedKey: Sendable {
        package let slot: Int
        package let column: String
        package let orderColumn: String
    }

    package let entity: SQLiteEntity
    package let bindings: [Binding]
    /// Those whose values may lie in files of their own.
    let externalBindings: [Binding]
    /// The same, place by place, for the loop that writes rows.
    package let places: [Place]
    /// The place in ``bindings`` by row slot; nil for slots that no column holds.
    let bindingBySlot: [Int?]
    package let constraints: [Constraint]
    let insertStatement: SQLFragment
    /// The to-many relationships that have rows or columns of their own.
    package let joins: [SQLJoin]
    package let oneWays: [SQLForeignKey]
    let orderedKeys: [OrderedKey]

    package init(_ entity: SQLiteEntity) {
        self.entity = entity
        var bindings: [Binding] = []
        for property in entity.layout.properties { Self.collect(property, of: entity, into: &bindings) }
        self.bindings = bindings
        externalBindings = bindings.filter(\.isExternal)
        places = bindings.map(Place.init)
        var bySlot = [Int?](repeating: nil, count: entity.layout.rowSlotCount)
        for (place, binding) in bindings.enumerated() { bySlot[binding.slot] = place }
        bindingBySlot = bySlot
        let columns = SQLiteName.rowColumns + bindings.flatMap(\.columns)
        let names = columns.map(SQLFragment.name).joined(separator: ", ")
        insertStatement =
            "INSERT INTO \(.name(entity.table)) (\(names)) VALUES (\(.parameters(columns.count)))"
        var joins: [SQLJoin] = []
        var oneWays: [SQLForeignKey] = []
        for toMany in entity.toManys {
            switch toMany {
            case .join(let join): joins.append(join)
            case .foreignKey(let key) where key.isOneWay: oneWays.append(key)
            default: break
            }
        }
        self.joins = joins
        self.oneWays = oneWays
        constraints = Self.constraints(of: entity)
        orderedKeys = bindings.compactMap { binding in
            guard let inverse = binding.property.inverse, inverse.kind == .toMany, inverse.isOrdered else { return nil }
            let order = SQLiteNaming.orderColumn(beside: binding.column)
            return OrderedKey(slot: binding.slot, column: binding.column, orderColumn: order)
        }
    }

    /// Leaves out what the store derives, so that a stale value from memory doesn't replace theirs.
    private static func collect(_ property: PropertyLayout, of entity: SQLiteEntity, into bindings: inout [Binding]) {
        for element in property.elements { collect(element, of: entity, into: &bindings) }
        guard let column = entity.column(of: property), !SQLiteDerivationTriggers.isKeptByStore(property, of: entity)
        else { return }
        bindings.append(
            Binding(
                slot: property.rowSlot, property: property, column: column.name,
                entityColumn: entity.entityColumn(of: property)?.name,
                isExternal: property.attribute?.allowsExternalBinaryDataStorage ?? false))
    }

    private static func constraints(of entity: SQLiteEntity) -> [Constraint] {
        var result: [Constraint] = []
        var layout: EntityLayout? = entity.layout
        while let current = layout {
            for names in current.entity.uniquenessConstraintNames
            where !result.contains(where: { $0.properties == names }) {
                let properties = names.compactMap { entity.layout.property(named: $0) }
                let columns = properties.compactMap { entity.column(of: $0)?.name }
                guard !names.isEmpty, columns.count == names.count else { continue }
                result.append(Constraint(properties: names, slots: properties.map(\.rowSlot), columns: columns))
            }
            layout = current.superlayout
        }
        return result
    }
}
