@_spi(Engine) import CoreDataRows
import GRDBSQLite

/// Reads keys from the two columns that hold a row's `Z_PK` and `Z_ENT`.
struct KeyReader {
    private var concreteEntity: ConcreteEntityReader

    /// - Parameter entity: what the objects are at least.
    init(schema: SQLiteSchema, table: String, entity: EntityLayout) {
        concreteEntity = ConcreteEntityReader(entity, table: table, schema: schema)
    }

    /// - Throws: an error that names the row, where its entity number is none of the entity's.
    mutating func key(of statement: OpaquePointer, at column: Int32) throws -> ObjectKey {
        let handle = sqlite3_column_int64(statement, column)
        let number = sqlite3_column_int64(statement, column + 1)
        return ObjectKey(handle: handle, entityIndex: try concreteEntity.index(number: number, key: handle))
    }
}
