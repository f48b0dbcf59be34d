import Foundation

/// How much memory the process has resident, as Linux counts it.
enum ProcessMemory {
    static var resident: Int { get throws { try field("VmRSS:") } }
    static var peak: Int { get throws { try field("VmHWM:") } }

    /// Lets the peak begin anew at what is resident now.
    static func resetPeak() throws {
        // proc(5): 5 resets the peak resident set size.
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    private static func field(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        for line in status.split(separator: "\n") where line.hasPrefix(name) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count == 3, words[2] == "kB", let kilobytes = Int(words[1]) { return kilobytes * 1024 }
        }
        throw BenchmarkError("/proc/self/status doesn't tell \(name)")
    }
}
