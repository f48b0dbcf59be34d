import Foundation

/// How times grow as a Markdown table: the time for each object at each size, and the exponents.
struct GrowthTable {
    private static let nothing = "–"

    let growths: [Growth]

    private var sizes: [Int] { Set(growths.flatMap(\.sizes)).sorted() }

    var text: String {
        let sizeHeads = sizes.map { Self.power($0) }
        let exponentHeads = ["exponent, SQLite C", "exponent, Core Data", "difference", "difference, last two sizes"]
        let head = ["nanoseconds an object, SQLite C / Core Data"] + sizeHeads + exponentHeads
        let lines =
            [line(head), "|---|" + String(repeating: "---:|", count: head.count - 1)]
            + growths.map { line([$0.workload.growthTitle] + times($0) + exponents($0)) }
        return lines.joined(separator: "\n")
    }

    private func times(_ growth: Growth) -> [String] {
        sizes.map { size in
            guard let place = growth.sizes.firstIndex(of: size) else { return Self.nothing }
            return Growth.sides.map { side in
                growth.sides.contains(side) ? Self.nanoseconds(growth.secondsAnObject(side)[place]) : Self.nothing
            }.joined(separator: " / ")
        }
    }

    private func exponents(_ growth: Growth) -> [String] {
        let (plain, own) = (growth.exponent(.plain), growth.exponent(.coreData))
        return [plain, own].map { $0.map { String(format: "%.3f", $0) } ?? Self.nothing }
            + [difference(plain, own), difference(growth.lastExponent(.plain), growth.lastExponent(.coreData))]
    }

    /// By how much ours is over that of C, in bold where it is over the aim.
    private func difference(_ plain: Double?, _ own: Double?) -> String {
        guard let plain, let own else { return Self.nothing }
        let text = String(format: "%+.3f", own - plain)
        return own - plain > Growth.aim ? "**\(text)**" : text
    }

    private static func nanoseconds(_ seconds: Double) -> String {
        String(format: seconds < 99.5e-9 ? "%.1f" : "%.0f", seconds * 1e9)
    }

    /// A power of ten as one, any other number in full.
    static func power(_ size: Int) -> String {
        let zeros = String(size).dropFirst().count
        guard String(size) == "1" + String(repeating: "0", count: zeros) else { return String(size) }
        return "10" + String(zeros).map { String(Array("⁰¹²³⁴⁵⁶⁷⁸⁹")[$0.wholeNumberValue ?? 0]) }.joined()
    }

    private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
