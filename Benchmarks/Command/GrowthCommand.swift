import ArgumentParser
import Foundation

/// Measures how time grows with the number of objects, and prints a table.
struct GrowthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: """
            Measures how the time of each workload grows with the number of objects, by SQLite's C interface and by \
            Core Data.
            """)

    @Flag(help: "List the names of the workloads.")
    var list = false

    @Option(parsing: .upToNextOption, help: "Measure only these workloads.")
    var names: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: "The numbers of objects. Unless they are given, ten times as many as 1,000, up to what takes a minute.")
    var sizes: [Int] = []

    @Option(help: "How many processes measure each side at each size, in turn.")
    var rounds = 3

    @Flag(help: "Write the table and the plots into Documentation.")
    var write = false

    private static let usualSizes = [1000, 10_000, 100_000, 1_000_000, 10_000_000]

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("rounds begin with 1") }
        // The workloads have groups of a hundred, of which a tenth is changed.
        guard sizes.allSatisfy({ $0 > 0 && $0.isMultiple(of: 1000) }), sizes.count != 1 else {
            throw ValidationError("sizes are two or more multiples of 1,000")
        }
    }

    func run() throws {
        if list {
            for workload in Workloads.sized { print(workload.growthName, workload.growthTitle, separator: "\t") }
            return
        }
        let workloads = names.isEmpty ? Workloads.sized : try names.map(Workloads.sized)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("coredata-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A temporary folder that can't be removed is left to the system.
        defer { try? FileManager.default.removeItem(at: folder) }

        let growths = try workloads.map { workload in
            FileHandle.standardError.write(Data("measuring: \(workload.growthTitle)\n".utf8))
            let usual = Self.usualSizes.filter { $0 <= workload.largestSize }
            return try Growth(workload, sizes: sizes.isEmpty ? usual : sizes.sorted(), rounds: rounds, folder: folder)
        }
        let table = GrowthTable(growths: growths)
        print(table.text)
        guard write else { return }
        let plots = GrowthPlot.plots(of: growths)
        for plot in plots {
            try plot.svg.write(
                to: PerformancePage.folder.appendingPathComponent(plot.fileName), atomically: true, encoding: .utf8)
        }
        let text = [introduction, table.text] + plots.map { "![\($0.title)](\($0.fileName))" }
        try PerformancePage.growth.write(text.joined(separator: "\n\n"))
    }

    private var introduction: String {
        """
        \(Machine.date): \(Machine.description). Processor time of all threads for each object, the least of the samples of \
        \(rounds) processes; a sample is the mean of as many runs as take 20 ms together, over a store that was opened anew for each.
        """
    }
}
