import CoreData

/// A counter as generated code would declare it: each accessor goes by a key that remembers the value's place.
final class Counter: NSManagedObject {
    private enum Keys {
        static let value0 = PropertyKey("value0")
        static let value1 = PropertyKey("value1")
        static let value2 = PropertyKey("value2")
        static let value3 = PropertyKey("value3")
        static let value4 = PropertyKey("value4")
        static let value5 = PropertyKey("value5")
        static let value6 = PropertyKey("value6")
        static let value7 = PropertyKey("value7")
        static let value8 = PropertyKey("value8")
        static let value9 = PropertyKey("value9")
    }

    var value0: Int64 {
        get { integerValue(for: Keys.value0) ?? 0 }
        set { setIntegerValue(newValue, for: Keys.value0) }
    }

    var value1: Int64 {
        get { integerValue(for: Keys.value1) ?? 0 }
        set { setIntegerValue(newValue, for: Keys.value1) }
    }

    var value2: Int64 {
        get { integerValue(for: Keys.value2) ?? 0 }
        set { setIntegerValue(newValue, for: Keys.value2) }
    }

    var value3: Int64 {
        get { integerValue(for: Keys.value3) ?? 0 }
        set { setIntegerValue(newValue, for: Keys.value3) }
    }

    var value4: Int64 {
        get { integerValue(for: Keys.value4) ?? 0 }
        set { setIntegerValue(newValue, for: Keys.value4) }
    }

    var value5: Int64 {
        get { integerValue(for: Keys.value5) ?? 0 }
        set { setIntegerValue(newValue, for: Keys.value5) }
    }

    var value6: Int64 {
        get { integerValue(for: Keys.value6) ?? 0 }
        set { setIntegerValue(newValue, for: Keys.value6) }
    }

    var value7: Int64 {
        get { integerValue(for: Keys.value7) ?? 0 }
        set { setIntegerValue(newValue, for: Keys.value7) }
    }

    var value8: Int64 {
        get { integerValue(for: Keys.value8) ?? 0 }
        set { setIntegerValue(newValue, for: Keys.value8) }
    }

    var value9: Int64 {
        get { integerValue(for: Keys.value9) ?? 0 }
        set { setIntegerValue(newValue, for: Keys.value9) }
    }

    /// The sum of the values; nil counts as 0.
    var sum: Int64 {
        value0 &+ value1 &+ value2 &+ value3 &+ value4 &+ value5 &+ value6 &+ value7 &+ value8 &+ value9
    }

    /// Sets all values by accessors.
    func fill(row: Int) {
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
