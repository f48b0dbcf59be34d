/// What lies in a store, as its file says: for tools that examine stores without knowing their models.
package struct StoreInventory: Sendable {
    /// An entity of the store with the rows that are of just this entity.
    package struct Entity: Sendable {
        package let name: String
        package let number: Int64
        package let superentity: String?
        package let rows: Int

        package init(name: String, number: Int64, superentity: String?, rows: Int) {
            self.name = name
            self.number = number
            self.superentity = superentity
            self.rows = rows
        }
    }

    /// A table that holds no objects.
    package struct Table: Sendable {
        package let name: String
        /// Nil where the table can't be read, as one of a kind that this SQLite doesn't know.
        package let rows: Int?

        package init(name: String, rows: Int?) {
            self.name = name
            self.rows = rows
        }
    }

    /// By number.
    package let entities: [Entity]
    /// Join tables, history and whatever else there is, by name; the three that every store has are left out.
    package let otherTables: [Table]
    package let hasHistory: Bool

    package init(entities: [Entity], otherTables: [Table], hasHistory: Bool) {
        self.entities = entities
        self.otherTables = otherTables
        self.hasHistory = hasHistory
    }
}
