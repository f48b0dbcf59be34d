import Foundation

/// A part of the page in the documentation that shows what was measured last.
struct PerformancePage {
    /// The table of all work on all sides.
    static let measured = PerformancePage(part: "measured", target: "bench")
    /// How the time grows with the number of objects.
    static let growth = PerformancePage(part: "growth", target: "bench-growth")

    static let folder = URL(fileURLWithPath: "Documentation", isDirectory: true)

    let part: String
    /// The make target that writes it.
    let target: String

    /// Replaces what is between the markers.
    func write(_ text: String) throws {
        let url = Self.folder.appendingPathComponent("Performance.md")
        let marker = "<!-- \(part): begin (written by `make \(target) WRITE=1`) -->"
        let page = try String(contentsOf: url, encoding: .utf8)
        guard let begin = page.range(of: marker),
            let end = page.range(of: "<!-- \(part): end -->", range: begin.upperBound..<page.endIndex)
        else {
            throw BenchmarkError("\(url.path) has no place for what was measured: \(marker)")
        }
        let written = page[..<begin.upperBound] + "\n" + text + "\n" + page[end.lowerBound...]
        try String(written).write(to: url, atomically: true, encoding: .utf8)
    }
}
