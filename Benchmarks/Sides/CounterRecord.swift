import GRDB

/// A counter as a Codable GRDB record.
struct CounterRecord: Codable, CounterRecording {
    static let databaseTableName = "ZCOUNTER"

    var key: Int64
    var entity: Int64
    var version: Int64
    var value0: Int64?
    var value1: Int64?
    var value2: Int64?
    var value3: Int64?
    var value4: Int64?
    var value5: Int64?
    var value6: Int64?
    var value7: Int64?
    var value8: Int64?
    var value9: Int64?

    enum CodingKeys: String, CodingKey {
        case key = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case value0 = "ZVALUE0"
        case value1 = "ZVALUE1"
        case value2 = "ZVALUE2"
        case value3 = "ZVALUE3"
        case value4 = "ZVALUE4"
        case value5 = "ZVALUE5"
        case value6 = "ZVALUE6"
        case value7 = "ZVALUE7"
        case value8 = "ZVALUE8"
        case value9 = "ZVALUE9"
    }

    init(key: Int64, entity: Int64, row: Int) {
        self.key = key
        self.entity = entity
        version = 1
        value0 = CounterValues.value(row: row, column: 0)
        value1 = CounterValues.value(row: row, column: 1)
        value2 = CounterValues.value(row: row, column: 2)
        value3 = CounterValues.value(row: row, column: 3)
        value4 = CounterValues.value(row: row, column: 4)
        value5 = CounterValues.value(row: row, column: 5)
        value6 = CounterValues.value(row: row, column: 6)
        value7 = CounterValues.value(row: row, column: 7)
        value8 = CounterValues.value(row: row, column: 8)
        value9 = CounterValues.value(row: row, column: 9)
    }
}
