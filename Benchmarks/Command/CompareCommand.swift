import ArgumentParser
import Foundation

/// Measures every workload on every side and prints the table.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Measures every workload on every side and prints a table.")

    @Flag(help: "List the names of the workloads.")
    var list = false

    @Option(help: ArgumentHelp("Measure only this workload; may be given several times.", valueName: "name"))
    var only: [String] = []

    @Option(help: "How many processes measure each side of a workload, in turn.")
    var rounds = 3

    @Option(help: "How often each process repeats the work, after a run to warm up.")
    var repetitions = 3

    @Flag(help: "Count processor instructions as well, by Valgrind, which takes some fifty times as long as the work.")
    var instructions = false

    @Flag(help: "Write the table into Documentation/Performance.md.")
    var write = false

    func validate() throws {
        guard rounds > 0, repetitions > 0 else { throw ValidationError("rounds and repetitions begin with 1") }
    }

    func run() throws {
        if list {
            for workload in Workloads.all { print(workload.name, workload.title, separator: "\t") }
            return
        }
        let workloads = only.isEmpty ? Workloads.all : try only.map(Workloads.named)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("coredata-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        var comparisons: [Comparison] = []
        for workload in workloads {
            FileHandle.standardError.write(Data("measuring: \(workload.title)\n".utf8))
            comparisons.append(
                try Comparison(
                    workload, rounds: rounds, repetitions: repetitions, countsInstructions: instructions, folder: folder
                ))
        }
        let report = report(comparisons)
        print(report)
        if write { try PerformancePage.measured.write(report) }
    }

    private func report(_ comparisons: [Comparison]) -> String {
        let table = ComparisonTable(comparisons: comparisons)
        let counted = instructions ? " instructions (of the work alone, counted by Valgrind)," : ""
        var paragraphs = [
            """
            \(Machine.date): \(Machine.description). Times by the clock on the wall, medians of \(rounds * repetitions) runs \
            in \(rounds) process\(rounds == 1 ? "" : "es") each, after a warm-up; the least and the greatest in brackets.
            """,
            table.times,
            """
            Of the same work: processor time of all threads,\(counted) memory at the peak, and SQL statements; each for \
            \(Side.allCases.map(\.title).joined(separator: ", ")).
            """,
            table.costs,
        ]
        if let growth = growth(comparisons) { paragraphs.append(growth) }
        if let size = largestModel(comparisons) { paragraphs.append(size) }
        return paragraphs.joined(separator: "\n\n")
    }

    /// How large the largest model is.
    private func largestModel(_ comparisons: [Comparison]) -> String? {
        let reading = comparisons.first { $0.workload is ReadLargestModel }
        return reading?.samples[.coreData].map { "The largest model has \($0.checksum) properties." }
    }

    /// How the time grows with the number of unique values.
    private func growth(_ comparisons: [Comparison]) -> String? {
        let unique = comparisons.filter { $0.workload is InsertUsers }
        guard unique.count == 2 else { return nil }
        let factors = Side.allCases.map { side in
            "\(side.title) \(String(format: "%.1f", unique[1].seconds(side) / unique[0].seconds(side)))"
        }
        return "Ten times as many unique values take this many times as long: \(factors.joined(separator: ", "))."
    }
}
