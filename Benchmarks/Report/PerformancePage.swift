import Foundation

/// The page in the documentation that shows the last measured table.
struct PerformancePage {
    static let begin = "<!-- measured: begin (written by `make bench WRITE=1`) -->"
    static let end = "<!-- measured: end -->"

    let url: URL

    /// Replaces what is between the markers.
    func write(_ measured: String) throws {
        let page = try String(contentsOf: url, encoding: .utf8)
        guard let begin = page.range(of: Self.begin),
            let end = page.range(of: Self.end, range: begin.upperBound..<page.endIndex)
        else {
            throw BenchmarkError("\(url.path) has no place for the table: \(Self.begin) … \(Self.end)")
        }
        let written = page[..<begin.upperBound] + "\n" + measured + "\n" + page[end.lowerBound...]
        try String(written).write(to: url, atomically: true, encoding: .utf8)
    }
}
