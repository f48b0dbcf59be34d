@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// The table of a many-to-many relationship.
package struct SQLiteJoinTable: Sendable {
    package let name: String
    /// The place in ``ModelLayout/entities`` of the entity that names the table, after whose table it is created.
    let namingEntityIndex: Int
    /// The two key columns, which together are the primary key.
    package let first: String
    package let second: String
    let orderColumns: [String]

    var indexStatement: SQLFragment {
        """
        CREATE INDEX \(.declared("\(name)_\(second)_INDEX")) ON \(.declared(name)) \
        (\(.declared(second)), \(.declared(first)))
        """
    }

    /// The same table under another name.
    package func renamed(_ name: String) -> SQLiteJoinTable {
        SQLiteJoinTable(
            name: name, namingEntityIndex: namingEntityIndex, first: first, second: second, orderColumns: orderColumns)
    }
}
