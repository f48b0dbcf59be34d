import ArgumentParser
import Foundation

/// Measures one workload on one side and prints the sample as JSON. The comparison runs this in processes of its own;
/// by hand it serves to look at one side with a profiler.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure", abstract: "Measures one workload on one side, for profilers and for the comparison.")

    @Argument(help: "The name of the workload.")
    var workload: String

    @Argument(help: "plain, records or coreData.")
    var side: String

    @Option(help: "The store to begin with; made where none is given.")
    var template: String?

    @Option(help: "A folder for copies of the store, which stay there.")
    var folder: String

    @Option(help: "How often the work is timed.")
    var repetitions = 1

    @Option(help: "The number of objects, for work that can be done with any.")
    var count: Int?

    @Flag(help: "Take samples as growth does: long ones, each of as many runs as it needs.")
    var growth = false

    @Flag(help: "Look at memory and SQL statements instead of the clock.")
    var costs = false

    @Flag(help: "Run the work once, and measure nothing.")
    var once = false

    @Flag(help: "Do what comes before the work, and measure nothing.")
    var idle = false

    func run() throws {
        guard let side = Side(rawValue: side) else { throw BenchmarkError("there is no side \"\(side)\"") }
        let workload: any Workload =
            if let count { try Workloads.sized(workload).sized(count) } else { try Workloads.named(workload) }
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        let template = try template.map { URL(fileURLWithPath: $0) } ?? workload.template.make(in: folder)
        let measurement = Measurement(workload: workload, side: side, template: template, folder: folder)
        let sample =
            if once || idle {
                try measurement.once(idle: idle)
            } else if growth {
                try measurement.longSamples()
            } else {
                try costs ? measurement.costs() : measurement.times(repetitions: repetitions)
            }
        print(String(decoding: try JSONEncoder().encode(sample), as: UTF8.self))
    }
}
