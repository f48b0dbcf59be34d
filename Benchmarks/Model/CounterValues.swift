/// The values of the counters: ten integers that tell their row and column.
enum CounterValues {
    static let columns = 10
    /// How many counters have the same value in the first column.
    static let groupSize = 100

    @inline(__always)
    static func value(row: Int, column: Int) -> Int64 {
        column == 0 ? Int64(row / groupSize) : Int64(row &* 10 &+ column)
    }
}
