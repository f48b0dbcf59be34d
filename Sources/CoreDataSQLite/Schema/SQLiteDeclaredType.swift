/// The column types that Core Data declares.
///
/// UUID, transformable and binary columns are all `BLOB`; ``SQLiteColumnGroup`` gives the order of columns.
package enum SQLiteDeclaredType: String, Sendable {
    case integer = "INTEGER"
    case timestamp = "TIMESTAMP"
    case float = "FLOAT"
    case decimal = "DECIMAL"
    case varchar = "VARCHAR"
    case blob = "BLOB"
}
