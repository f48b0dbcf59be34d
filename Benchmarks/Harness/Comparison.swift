import Foundation

/// One workload on every side.
struct Comparison {
    let workload: any Workload
    private(set) var samples: [Side: Sample] = [:]

    /// Measures in rounds, each with every side in turn, so that a machine that gets busier or warmer does so for all.
    init(_ workload: any Workload, rounds: Int, repetitions: Int, folder: URL) throws {
        self.workload = workload
        let template = try workload.template.make(in: folder)
        for round in 0...rounds {
            for side in workload.sides {
                let process = MeasuringProcess(workload: workload, side: side, template: template, folder: folder)
                add(try process.run(round == 0 ? ["--costs"] : ["--repetitions", String(repetitions)]), side)
            }
            try requireEqualResults()
        }
    }

    func seconds(_ side: Side) -> Double { samples[side]?.seconds.median ?? .nan }
    func processorSeconds(_ side: Side) -> Double { samples[side]?.processorSeconds.median ?? .nan }

    private mutating func add(_ sample: Sample, _ side: Side) {
        samples[side, default: Sample()].seconds += sample.seconds
        samples[side, default: Sample()].processorSeconds += sample.processorSeconds
        samples[side, default: Sample()].checksum = sample.checksum
        if let peakMemory = sample.peakMemory { samples[side, default: Sample()].peakMemory = peakMemory }
        if let statements = sample.statements { samples[side, default: Sample()].statements = statements }
    }

    private func requireEqualResults() throws {
        let sums = workload.sides.map { samples[$0]?.checksum ?? 0 }
        guard sums.allSatisfy({ $0 == sums[0] }) else {
            throw BenchmarkError("\(workload.name): the sides did different work: \(sums)")
        }
    }
}
