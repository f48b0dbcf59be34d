import Foundation

/// Runs a measurement in a process of its own, so that no workload leaves memory or caches to the next.
struct MeasuringProcess {
    let workload: any Workload
    let side: Side
    let template: URL
    let folder: URL

    func run(_ options: [String]) throws -> Sample {
        let output = try launch("/proc/self/exe", options: options)
        return try JSONDecoder().decode(Sample.self, from: output)
    }

    /// How many processor instructions the work takes: those of a process that does it, less those of one that only opens
    /// the store. The count is the same, but for a little, whatever else the machine does. It takes some fifty times as long
    /// as the work.
    func instructions() throws -> Int { try countedInstructions("--once") - countedInstructions("--idle") }

    private func countedInstructions(_ option: String) throws -> Int {
        let log = folder.appendingPathComponent("\(workload.name)-\(side.rawValue).valgrind")
        let valgrind = [
            "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
            "--log-file=\(log.path)", try programWithoutDebugInformation().path,
        ]
        // Otherwise sets and dictionaries take other places in every process, and so another number of instructions.
        let hashing = ["SWIFT_DETERMINISTIC_HASHING": "1"]
        _ = try launch("/usr/bin/env", valgrind, options: [option], environment: hashing)
        // ==1234== I   refs:      1,234,567
        let text = try String(contentsOf: log, encoding: .utf8)
        let count = text.split(separator: "\n").first { $0.contains("refs:") }?.split(separator: ":").last
        guard let count = count.flatMap({ Int($0.filter(\.isNumber)) }) else {
            throw BenchmarkError("Valgrind doesn't tell how many instructions there were: \(text)")
        }
        return count
    }

    /// A copy of this program that Valgrind can load: it gives up at what Swift's compiler writes for debuggers.
    private func programWithoutDebugInformation() throws -> URL {
        let copy = folder.appendingPathComponent("coredata-bench")
        if FileManager.default.fileExists(atPath: copy.path) { return copy }
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let strip = Process()
        strip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        strip.arguments = ["strip", "--strip-debug", "-o", copy.path, own.path]
        try strip.run()
        strip.waitUntilExit()
        guard strip.terminationStatus == 0 else { throw BenchmarkError("strip ended with \(strip.terminationStatus)") }
        return copy
    }

    /// Runs this program, and returns what it prints.
    private func launch(
        _ executable: String, _ prefix: [String] = [], options: [String], environment: [String: String] = [:]
    ) throws -> Data {
        let own = folder.appendingPathComponent("\(workload.name)-\(side.rawValue)")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: own) }

        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
        process.arguments =
            prefix + ["measure"] + workload.arguments
            + [side.rawValue, "--template", template.path, "--folder", own.path] + options
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw BenchmarkError("measuring \(workload.name) by \(side.title) ended with \(process.terminationStatus)")
        }
        return data
    }
}
