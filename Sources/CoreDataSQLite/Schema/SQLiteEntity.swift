@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// Where the rows of one entity lie, and in which columns.
package final class SQLiteEntity: Sendable {
    package let layout: EntityLayout
    /// `Z_ENT`: the number that says in a row which concrete entity it is.
    package let number: Int64
    /// The table of the root entity, which all its subentities share.
    package let table: String
    /// The columns by row slot. A to-one has its key column at its slot and, where the destination has subentities,
    /// the column for the destination's `Z_ENT` at the slot after; otherwise that one is nil.
    package let columns: [SQLiteColumn?]
    /// The to-many relationships by property index; nil for every other property.
    package let toManys: [SQLToMany?]

    package init(
        layout: EntityLayout, number: Int64, table: String, columns: [SQLiteColumn?], toManys: [SQLToMany?]
    ) {
        self.layout = layout
        self.number = number
        self.table = table
        self.columns = columns
        self.toManys = toManys
    }

    package var name: String { layout.name }

    package var hasSubentities: Bool { layout.lastDescendantIndex > layout.index }

    /// The column of an attribute, or the key column of a to-one.
    package func column(of property: PropertyLayout) -> SQLiteColumn? {
        property.rowSlot < 0 ? nil : columns[property.rowSlot]
    }

    /// The column that holds the concrete entity of a to-one's destination, where that may vary.
    package func entityColumn(of property: PropertyLayout) -> SQLiteColumn? {
        property.kind == .toOne && property.rowSlot >= 0 ? columns[property.rowSlot + 1] : nil
    }

    package func toMany(_ property: PropertyLayout) -> SQLToMany? {
        toManys[property.index]
    }
}
