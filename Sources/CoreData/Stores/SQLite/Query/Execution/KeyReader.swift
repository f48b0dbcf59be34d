import GRDBSQLite

/// Reads keys from the two columns that hold a row's `Z_PK` and `Z_ENT`.
struct KeyReader {
    let schema: SQLiteSchema
    let table: String
    /// What the objects are at least.
    let entity: EntityLayout
    private var lastNumber: Int64 = -1
    private var lastIndex: Int32 = -1

    init(schema: SQLiteSchema, table: String, entity: EntityLayout) {
        self.schema = schema
        self.table = table
        self.entity = entity
    }

    /// - Throws: an error that names the row, where its entity number is none of the entity's.
    mutating func key(of statement: OpaquePointer, at column: Int32) throws -> ObjectKey {
        let handle = sqlite3_column_int64(statement, column)
        let number = sqlite3_column_int64(statement, column + 1)
        if number != lastNumber {
            guard let index = schema.entityIndex(forNumber: number),
                Int(index) >= entity.index, Int(index) <= entity.lastDescendantIndex
            else {
                throw SQLiteRowError.unknownEntity(number, table: table, key: handle, as: entity.name)
            }
            lastNumber = number
            lastIndex = index
        }
        return ObjectKey(handle: handle, entityIndex: lastIndex)
    }
}
