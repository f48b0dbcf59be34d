import ArgumentParser
import Foundation

/// Compares what doesn't depend on how busy the machine is with limits: instructions, SQL statements and memory.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Counts instructions, statements and memory, and fails where one is over its limit.")

    @Argument(
        help: """
            A file with a line for each workload, parted by tabs: its name, and the limits of the instructions (as a \
            multiple of what SQLite's C interface takes), of the statements, and of the memory in MB. "#" begins a comment.
            """)
    var thresholds: String

    private struct Threshold {
        let workload: any Workload
        let instructions: Double
        let statements: Int
        let memory: Double

        init?(_ line: Substring) throws {
            if line.hasPrefix("#") { return nil }
            let cells = line.split(separator: "\t").map(String.init)
            guard cells.count == 4, let instructions = Double(cells[1]), let statements = Int(cells[2]),
                let memory = Double(cells[3])
            else { throw BenchmarkError("not a name and three limits: \(line)") }
            workload = try Workloads.named(cells[0])
            (self.instructions, self.statements, self.memory) = (instructions, statements, memory)
        }
    }

    func run() throws {
        let limits = try String(contentsOfFile: thresholds, encoding: .utf8).split(separator: "\n")
            .compactMap(Threshold.init)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("coredata-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        var isOver = false
        func check(_ what: String, _ value: Double, _ limit: Double, _ name: String) {
            let isBad = !(value <= limit)
            if isBad { isOver = true }
            let text = [name, what, String(format: "%.2f", value), String(format: "at most %.2f", limit)]
            print(text.joined(separator: "\t") + (isBad ? "\tOVER" : ""))
        }
        for limit in limits {
            let measured = try Comparison(
                limit.workload, sides: [.plain, .coreData], rounds: 0, repetitions: 0, countsInstructions: true,
                folder: folder)
            let name = limit.workload.name
            let plain = measured.samples[.plain] ?? Sample()
            let own = measured.samples[.coreData] ?? Sample()
            check(
                "instructions ÷ SQLite C", Double(own.instructions ?? 0) / Double(plain.instructions ?? 0),
                limit.instructions, name)
            check("statements", Double(own.statements ?? 0), Double(limit.statements), name)
            check("memory, MB", Double(own.peakMemory ?? 0) / 1e6, limit.memory, name)
        }
        if isOver { throw ExitCode.failure }
    }
}
