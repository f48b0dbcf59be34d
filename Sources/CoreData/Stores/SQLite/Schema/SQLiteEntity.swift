/// Where the rows of one entity lie, and in which columns.
final class SQLiteEntity: Sendable {
    let layout: EntityLayout
    /// `Z_ENT`: the number that says in a row which concrete entity it is.
    let number: Int64
    /// The table of the root entity, which all its subentities share.
    let table: String
    /// The columns by row slot. A to-one has its key column at its slot and, where the destination has subentities,
    /// the column for the destination's `Z_ENT` at the slot after; otherwise that one is nil.
    let columns: [SQLiteColumn?]
    /// The to-many relationships by property index; nil for every other property.
    let toManys: [SQLiteToMany?]

    init(
        layout: EntityLayout, number: Int64, table: String, columns: [SQLiteColumn?], toManys: [SQLiteToMany?]
    ) {
        self.layout = layout
        self.number = number
        self.table = table
        self.columns = columns
        self.toManys = toManys
    }

    var name: String { layout.name }

    var hasSubentities: Bool { layout.lastDescendantIndex > layout.index }

    /// The column of an attribute, or the key column of a to-one.
    func column(of property: PropertyLayout) -> SQLiteColumn? {
        property.rowSlot < 0 ? nil : columns[property.rowSlot]
    }

    /// The column that holds the concrete entity of a to-one's destination, where that may vary.
    func entityColumn(of property: PropertyLayout) -> SQLiteColumn? {
        property.kind == .toOne && property.rowSlot >= 0 ? columns[property.rowSlot + 1] : nil
    }

    func toMany(_ property: PropertyLayout) -> SQLiteToMany? {
        toManys[property.index]
    }
}
