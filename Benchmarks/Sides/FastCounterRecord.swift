import GRDB

/// A counter as a GRDB record without Codable: columns are read by place, and said one by one.
struct FastCounterRecord: CounterRecording {
    static let databaseTableName = "ZCOUNTER"
    static var databaseSelection: [any SQLSelectable] {
        ["Z_PK", "Z_ENT", "Z_OPT"].map { Column($0) } + PlainCounters.columns.map { Column($0) }
    }

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

    init(row: Row) {
        key = row[0]
        entity = row[1]
        version = row[2]
        value0 = row[3]
        value1 = row[4]
        value2 = row[5]
        value3 = row[6]
        value4 = row[7]
        value5 = row[8]
        value6 = row[9]
        value7 = row[10]
        value8 = row[11]
        value9 = row[12]
    }

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = key
        container["Z_ENT"] = entity
        container["Z_OPT"] = version
        container["ZVALUE0"] = value0
        container["ZVALUE1"] = value1
        container["ZVALUE2"] = value2
        container["ZVALUE3"] = value3
        container["ZVALUE4"] = value4
        container["ZVALUE5"] = value5
        container["ZVALUE6"] = value6
        container["ZVALUE7"] = value7
        container["ZVALUE8"] = value8
        container["ZVALUE9"] = value9
    }
}
