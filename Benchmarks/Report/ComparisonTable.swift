import Foundation

/// The comparisons as two Markdown tables: the times, and what doesn't depend on how busy the machine is.
struct ComparisonTable {
    /// What stands where a side has no part in the work.
    private static let nothing = "–"

    let comparisons: [Comparison]

    /// The clock on the wall: the median of each side, and the least and greatest beside it.
    var times: String {
        table(["work"] + Side.allCases.map(\.title) + ["÷ SQLite C", "÷ GRDB by hand"]) { comparison in
            Side.allCases.map { side in
                guard comparison.sides.contains(side) else { return Self.nothing }
                return Self.milliseconds(comparison.samples[side]?.seconds ?? [])
            } + [Side.plain, .fastRecords].map { ratio(comparison, to: $0) { $0.seconds.median } }
        }
    }

    /// Processor time, instructions where they were counted, memory and statements.
    var costs: String {
        let sides = Side.allCases.map(\.title).joined(separator: " / ")
        let counted = comparisons.contains { $0.samples.values.contains { $0.instructions != nil } }
        let instructionHeads = [
            "instructions ÷ SQLite C", "instructions ÷ GRDB by hand", "instructions, millions: \(sides)",
        ]
        let head =
            ["work", "processor time ÷ SQLite C"] + (counted ? instructionHeads : []) + [
                "memory, MB", "SQL statements",
            ]
        return table(head) { comparison in
            let instructions: (Sample) -> Double = { $0.instructions.map { Double($0) } ?? .nan }
            let instructionCells = [
                ratio(comparison, to: .plain, instructions),
                ratio(comparison, to: .fastRecords, instructions),
                each(comparison) { $0.instructions.map { String(format: "%.0f", Double($0) / 1e6) } },
            ]
            return [ratio(comparison, to: .plain) { $0.processorSeconds.median }]
                + (counted ? instructionCells : [])
                + [
                    each(comparison) { $0.peakMemory.map { String(format: "%.1f", Double($0) / 1e6) } },
                    each(comparison) { $0.statements.map { String($0) } },
                ]
        }
    }

    private func each(_ comparison: Comparison, _ text: (Sample) -> String?) -> String {
        Side.allCases.map { comparison.samples[$0].flatMap(text) ?? Self.nothing }.joined(separator: " / ")
    }

    private func ratio(_ comparison: Comparison, to side: Side, _ value: (Sample) -> Double) -> String {
        guard let other = comparison.samples[side], let own = comparison.samples[.coreData] else { return Self.nothing }
        let ratio = value(own) / value(other)
        return ratio.isFinite ? String(format: "%.2f", ratio) : Self.nothing
    }

    private static func milliseconds(_ seconds: [Double]) -> String {
        guard let least = seconds.min(), let greatest = seconds.max() else { return nothing }
        let format = seconds.median < 0.01 ? "%.2f" : "%.0f"
        func text(_ seconds: Double) -> String { String(format: format, seconds * 1000) }
        return "\(text(seconds.median)) ms (\(text(least))–\(text(greatest)))"
    }

    private func table(_ head: [String], _ cells: (Comparison) -> [String]) -> String {
        let lines =
            [line(head), "|---|" + String(repeating: "---:|", count: head.count - 1)]
            + comparisons.map { line([$0.workload.title] + cells($0)) }
        return lines.joined(separator: "\n")
    }

    private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
