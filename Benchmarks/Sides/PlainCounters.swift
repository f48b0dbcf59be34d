import GRDBSQLite

/// A counter as a C program would keep it: ten numbers, and a bit for each that is NULL.
struct PlainCounter {
    var key: Int64
    var nulls: UInt16 = 0
    var values: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64)

    /// Reads the row that the statement is at: key, then ten values.
    @inline(__always)
    init(_ statement: OpaquePointer) {
        var nulls: UInt16 = 0
        key = sqlite3_column_int64(statement, 0)
        values = (
            Self.value(statement, 1, &nulls), Self.value(statement, 2, &nulls), Self.value(statement, 3, &nulls),
            Self.value(statement, 4, &nulls), Self.value(statement, 5, &nulls), Self.value(statement, 6, &nulls),
            Self.value(statement, 7, &nulls), Self.value(statement, 8, &nulls), Self.value(statement, 9, &nulls),
            Self.value(statement, 10, &nulls)
        )
        self.nulls = nulls
    }

    @inline(__always)
    private static func value(_ statement: OpaquePointer, _ column: Int32, _ nulls: inout UInt16) -> Int64 {
        if sqlite3_column_type(statement, column) == SQLITE_NULL {
            nulls |= 1 << UInt16(column)
            return 0
        }
        return sqlite3_column_int64(statement, column)
    }

    /// The sum of the values; NULL counts as 0.
    var sum: Int64 {
        values.0 &+ values.1 &+ values.2 &+ values.3 &+ values.4 &+ values.5 &+ values.6 &+ values.7 &+ values.8
            &+ values.9
    }
}

/// The work with counters through SQLite's C interface.
enum PlainCounters {
    static let columns = (0..<CounterValues.columns).map { "ZVALUE\($0)" }

    static func insert(_ count: Int, into database: PlainDatabase) throws {
        try database.transaction {
            var key = try database.reserveKeys(count, entity: "Counter")
            let entity = try database.entityNumber("Counter")
            let marks = Array(repeating: "?", count: 3 + columns.count).joined(separator: ", ")
            let sql = "INSERT INTO ZCOUNTER (Z_PK, Z_ENT, Z_OPT, \(columns.joined(separator: ", "))) VALUES (\(marks))"
            try database.prepare(sql) { statement in
                for row in 0..<count {
                    sqlite3_bind_int64(statement, 1, key)
                    sqlite3_bind_int64(statement, 2, entity)
                    sqlite3_bind_int64(statement, 3, 1)
                    for column in 0..<CounterValues.columns {
                        let value = CounterValues.value(row: row, column: column)
                        sqlite3_bind_int64(statement, Int32(4 + column), value)
                    }
                    try database.run(statement)
                    key += 1
                }
            }
        }
    }

    /// The counters that fulfil a condition, kept as structs.
    static func all(_ database: PlainDatabase) throws -> [PlainCounter] {
        try database.prepare("SELECT Z_PK, \(columns.joined(separator: ", ")) FROM ZCOUNTER") { statement in
            try rows(statement, database)
        }
    }

    static func rows(_ statement: OpaquePointer, _ database: PlainDatabase) throws -> [PlainCounter] {
        var counters: [PlainCounter] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: counters.append(PlainCounter(statement))
            case SQLITE_DONE: return counters
            default: throw database.error("reading counters")
            }
        }
    }
}
