import Foundation

/// The comparisons as a Markdown table.
struct ComparisonTable {
    /// Which clock the times are taken from.
    enum Clock: String, CaseIterable {
        case wall
        case processor
    }

    /// What stands where a side has no part in the work.
    private static let nothing = "–"

    let comparisons: [Comparison]
    let clock: Clock

    var markdown: String {
        let head = [
            "work", "SQLite C", "GRDB", "Core Data", "÷ SQLite C", "÷ GRDB", "memory, MB", "SQL statements",
        ]
        var lines = [line(head), "|---|" + String(repeating: "---:|", count: head.count - 1)]
        lines += comparisons.map { line(cells(of: $0)) }
        return lines.joined(separator: "\n")
    }

    func seconds(_ comparison: Comparison, _ side: Side) -> Double {
        clock == .wall ? comparison.seconds(side) : comparison.processorSeconds(side)
    }

    private func cells(of comparison: Comparison) -> [String] {
        let sides = Set(comparison.workload.sides)
        let times = Side.allCases.map { sides.contains($0) ? Self.milliseconds(seconds(comparison, $0)) : Self.nothing }
        let ours = seconds(comparison, .coreData)
        let ratios = [Side.plain, .records].map { side in
            sides.contains(side) ? String(format: "%.2f", ours / seconds(comparison, side)) : Self.nothing
        }
        let memory = Side.allCases.map { side in
            comparison.samples[side]?.peakMemory.map { String(format: "%.1f", Double($0) / 1e6) } ?? Self.nothing
        }
        let statements = Side.allCases.map { side in
            comparison.samples[side]?.statements.map { String($0) } ?? Self.nothing
        }
        return [comparison.workload.title] + times + ratios
            + [memory.joined(separator: " / "), statements.joined(separator: " / ")]
    }

    private static func milliseconds(_ seconds: Double) -> String {
        let milliseconds = seconds * 1000
        return String(format: milliseconds < 10 ? "%.2f ms" : "%.0f ms", milliseconds)
    }

    private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
