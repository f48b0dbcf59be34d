/// What one process measured of one workload on one side.
struct Sample: Codable {
    /// The time of each repetition, in seconds on the clock on the wall.
    var seconds: [Double] = []
    /// The processor time of each repetition, in seconds over all threads.
    var processorSeconds: [Double] = []
    /// What the work came to.
    var checksum: Int64 = 0
    /// Bytes of memory at the peak, beyond what the process had with the store open.
    var peakMemory: Int?
    /// The SQL statements that were begun.
    var statements: Int?
    /// The processor instructions of the work, as Valgrind counts them.
    var instructions: Int?
}

extension [Double] {
    /// The middle value; the mean of the middle two for an even number.
    var median: Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
