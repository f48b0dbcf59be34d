import Foundation

/// Runs a measurement in a process of its own, so that no workload leaves memory or caches to the next.
struct MeasuringProcess {
    let workload: any Workload
    let side: Side
    let template: URL
    let folder: URL

    func run(_ options: [String]) throws -> Sample {
        let own = folder.appendingPathComponent("\(workload.name)-\(side.rawValue)")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: own) }

        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments =
            ["measure", workload.name, side.rawValue, "--template", template.path, "--folder", own.path] + options
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw BenchmarkError("measuring \(workload.name) by \(side.title) ended with \(process.terminationStatus)")
        }
        return try JSONDecoder().decode(Sample.self, from: data)
    }
}
