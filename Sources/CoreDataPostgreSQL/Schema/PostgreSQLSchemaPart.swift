import CoreDataSQL

/// A key or an index of a table, with the statement that makes it.
struct PostgreSQLSchemaPart: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case index
        case unique
        /// A foreign key into another table.
        case reference(to: String)
    }

    let kind: Kind
    let name: String
    let table: String
    /// Those of the table's columns that it is on.
    let columns: [String]
    let sql: SQLFragment

    /// The statement that removes it.
    func removal(in schema: PostgreSQLSchema) -> SQLFragment {
        switch kind {
        case .index: "DROP INDEX IF EXISTS \(schema.qualified(name))"
        case .unique, .reference:
            "ALTER TABLE \(schema.qualified(table)) DROP CONSTRAINT IF EXISTS \(.quoted(name))"
        }
    }
}
