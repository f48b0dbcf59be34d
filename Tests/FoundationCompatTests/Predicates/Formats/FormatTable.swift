import FoundationCompat
import Testing

/// Format strings with what they print as and the books of `Library` that they select.
///
/// A line is a format, what `predicateFormat` prints (`=` for the same), and the numbers of the books, or `all`,
/// `none`, or `error` where evaluation has to throw.
struct FormatTable: Sendable, CustomTestStringConvertible {
    struct Row: Sendable {
        let format: String
        let printed: String
        /// Whether `predicateFormat` prints a constant of it by its description, which doesn't parse.
        var hasDescribedConstants: Bool {
            ["NSUUID", "NSURL", "NSData", "NSSet"].contains { printed.contains("\"\($0)\")") }
        }
        /// Nil where evaluation throws.
        let numbers: [Int]?
    }

    let name: String
    let rows: [Row]

    var testDescription: String { name }

    static let all = [
        FormatTable("comparisons", comparisons), FormatTable("ranges", ranges), FormatTable("strings", strings),
        FormatTable("logic", logic), FormatTable("quantifiers", quantifiers), FormatTable("key paths", keyPaths),
        FormatTable("indexes", indexes), FormatTable("arithmetic", arithmetic), FormatTable("functions", functions),
        FormatTable("subqueries", subqueries), FormatTable("variables", variables),
        FormatTable("literals", literals), FormatTable("public code", publicCode),
    ]

    private init(_ name: String, _ text: String) {
        self.name = name
        rows = text.split(separator: "\n").map { line in
            let parts = line.components(separatedBy: " │ ")
            precondition(parts.count == 3, "\(line)")
            let numbers: [Int]?
            switch parts[2] {
            case "all": numbers = Array(1...8)
            case "none": numbers = []
            case "error": numbers = nil
            default: numbers = parts[2].split(separator: " ").map { Int($0)! }
            }
            return Row(format: parts[0], printed: parts[1] == "=" ? parts[0] : parts[1], numbers: numbers)
        }
    }
}
