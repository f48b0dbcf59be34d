import GRDB

/// What the work asks of a counter's record, whichever way it is coded.
protocol CounterRecording: FetchableRecord, PersistableRecord {
    var version: Int64 { get set }
    var value0: Int64? { get }
    var value1: Int64? { get set }
    var value2: Int64? { get set }
    var value3: Int64? { get }
    var value4: Int64? { get }
    var value5: Int64? { get }
    var value6: Int64? { get }
    var value7: Int64? { get }
    var value8: Int64? { get }
    var value9: Int64? { get }

    init(key: Int64, entity: Int64, row: Int)
}

extension CounterRecording {
    /// The sum of the values; nil counts as 0.
    var sum: Int64 {
        var sum = (value0 ?? 0) &+ (value1 ?? 0) &+ (value2 ?? 0) &+ (value3 ?? 0) &+ (value4 ?? 0)
        sum &+= (value5 ?? 0) &+ (value6 ?? 0) &+ (value7 ?? 0) &+ (value8 ?? 0) &+ (value9 ?? 0)
        return sum
    }
}
