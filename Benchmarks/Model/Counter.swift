import CoreData

/// A counter as a program declares it: the build plugin makes the bodies of its properties.
final class Counter: NSManagedObject {
    @NSManaged var value0: Int64
    @NSManaged var value1: Int64
    @NSManaged var value2: Int64
    @NSManaged var value3: Int64
    @NSManaged var value4: Int64
    @NSManaged var value5: Int64
    @NSManaged var value6: Int64
    @NSManaged var value7: Int64
    @NSManaged var value8: Int64
    @NSManaged var value9: Int64

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
