import Foundation

/// One workload on every side.
struct Comparison {
    let workload: any Workload
    let sides: [Side]
    private(set) var samples: [Side: Sample] = [:]

    /// Measures in rounds, each with every side in turn, so that a machine that gets busier or warmer does so for all.
    ///
    /// - Parameter rounds: how often each side is timed; with 0 rounds only memory, statements and instructions are looked at.
    init(
        _ workload: any Workload, sides: [Side] = Side.allCases, rounds: Int, repetitions: Int,
        countsInstructions: Bool, folder: URL
    ) throws {
        self.workload = workload
        self.sides = workload.sides.filter(sides.contains)
        let template = try workload.template.make(in: folder)
        for round in 0...rounds {
            for side in self.sides {
                let process = MeasuringProcess(workload: workload, side: side, template: template, folder: folder)
                add(try process.run(round == 0 ? ["--costs"] : ["--repetitions", String(repetitions)]), side)
                if round == 0, countsInstructions { samples[side]?.instructions = try process.instructions() }
            }
            try requireEqualResults()
        }
    }

    func seconds(_ side: Side) -> Double { samples[side]?.seconds.median ?? .nan }

    private mutating func add(_ sample: Sample, _ side: Side) {
        samples[side, default: Sample()].seconds += sample.seconds
        samples[side, default: Sample()].processorSeconds += sample.processorSeconds
        samples[side, default: Sample()].checksum = sample.checksum
        if let peakMemory = sample.peakMemory { samples[side, default: Sample()].peakMemory = peakMemory }
        if let statements = sample.statements { samples[side, default: Sample()].statements = statements }
    }

    private func requireEqualResults() throws {
        let sums = sides.map { samples[$0]?.checksum ?? 0 }
        guard sums.allSatisfy({ $0 == sums[0] }) else {
            throw BenchmarkError("\(workload.name): the sides did different work: \(sums)")
        }
    }
}
