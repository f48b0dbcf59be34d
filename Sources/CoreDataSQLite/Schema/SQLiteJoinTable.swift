@_spi(Engine) import CoreDataRows

/// The table of a many-to-many relationship.
package struct SQLiteJoinTable: Sendable {
    package let name: String
    /// The place in ``ModelLayout/entities`` of the entity that names the table, after whose table it is created.
    let namingEntityIndex: Int
    /// The two key columns, which together are the primary key.
    package let first: String
    package let second: String
    let orderColumns: [String]

    var createStatement: String {
        let columns = ([first, second] + orderColumns).map { "\($0) INTEGER" }.joined(separator: ", ")
        return "CREATE TABLE \(name) ( \(columns), PRIMARY KEY (\(first), \(second)) )"
    }

    var indexStatement: String {
        "CREATE INDEX \(name)_\(second)_INDEX ON \(name) (\(second), \(first))"
    }

    /// The same table under another name.
    package func renamed(_ name: String) -> SQLiteJoinTable {
        SQLiteJoinTable(
            name: name, namingEntityIndex: namingEntityIndex, first: first, second: second, orderColumns: orderColumns)
    }
}
