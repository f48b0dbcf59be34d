@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// The table of a root entity and of everything below it.
package struct SQLiteTable: Sendable {
    package let name: String
    /// The root's place in ``ModelLayout/entities``.
    package let rootIndex: Int
    /// Every column but `Z_PK`, `Z_ENT` and `Z_OPT`, in Apple's order.
    package let columns: [SQLiteColumn]
    /// The key columns that Apple indexes, in the order of the indexes.
    let indexedKeyColumns: [String]

    /// The same table under another name.
    package func renamed(_ name: String) -> SQLiteTable {
        SQLiteTable(name: name, rootIndex: rootIndex, columns: columns, indexedKeyColumns: indexedKeyColumns)
    }
}
