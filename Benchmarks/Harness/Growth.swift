import Foundation

/// How the processor time of a workload grows with the number of objects, on the side of SQLite's C interface and on ours.
struct Growth {
    /// By how much our exponent may be over that of C.
    static let aim = 0.03
    static let sides: [Side] = [.plain, .coreData]

    let workload: any SizedWorkload
    let sizes: [Int]
    /// The least processor time of the work, in seconds, by side; one for each size.
    private(set) var seconds: [Side: [Double]] = [:]

    var sides: [Side] { workload.sides.filter(Self.sides.contains) }

    /// Measures each size in rounds, each with every side in turn. Of the samples the least is taken, as the one that was
    /// disturbed least by what else the machine does.
    init(_ workload: any SizedWorkload, sizes: [Int], rounds: Int, folder: URL) throws {
        (self.workload, self.sizes) = (workload, sizes)
        for size in sizes {
            let sized = workload.sized(size)
            let template = try sized.template.make(in: folder)
            var least: [Side: Double] = [:]
            for _ in 0..<rounds {
                var sums: Set<Int64> = []
                for side in sides {
                    let process = MeasuringProcess(workload: sized, side: side, template: template, folder: folder)
                    let sample = try process.run(["--growth"])
                    sums.insert(sample.checksum)
                    least[side] = min(least[side] ?? .infinity, sample.processorSeconds.min() ?? .nan)
                }
                guard sums.count == 1 else {
                    throw BenchmarkError("\(sized.name): the sides did different work: \(sums)")
                }
            }
            for side in sides { seconds[side, default: []].append(least[side] ?? .nan) }
        }
    }

    /// The seconds that each object takes, by size.
    func secondsAnObject(_ side: Side) -> [Double] {
        zip(sizes, seconds[side] ?? []).map { $1 / Double(workload.sized($0).objects) }
    }

    /// The power of the number of objects that the time grows with: 1 where it is linear.
    func exponent(_ side: Side) -> Double? {
        guard let seconds = seconds[side] else { return nil }
        return Self.slope(zip(sizes, seconds).map { (log(Double($0)), log($1)) })
    }

    /// The exponent between the two largest sizes, where nothing that is done once hides how the rest grows.
    func lastExponent(_ side: Side) -> Double? {
        guard let seconds = seconds[side] else { return nil }
        return Self.slope(zip(sizes, seconds).suffix(2).map { (log(Double($0)), log($1)) })
    }

    /// The slope of the line for which the sum of the squares of the distances is least.
    private static func slope(_ points: [(x: Double, y: Double)]) -> Double? {
        guard points.count > 1 else { return nil }
        let count = Double(points.count)
        let (meanX, meanY) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
        let (product, square) = points.reduce((0.0, 0.0)) { sums, point in
            let distance = point.x - meanX
            return (sums.0 + distance * (point.y - meanY), sums.1 + distance * distance)
        }
        return product / square
    }
}
