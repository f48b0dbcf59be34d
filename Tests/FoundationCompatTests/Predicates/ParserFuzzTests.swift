import FoundationCompat
import Testing

@Suite("Parser under random input")
struct ParserFuzzTests {
    /// How many inputs; more by the environment for a nightly run.
    private static let inputs = Int(ProcessInfo.processInfo.environment["COREDATA_FUZZ_INPUTS"] ?? "") ?? 5_000
    private static let seed = UInt64(ProcessInfo.processInfo.environment["COREDATA_SEED"] ?? "") ?? 7

    private static let pieces = [
        "a", "title", "author.name", "AND", "OR", "NOT", "(", ")", "{", "}", "[", "]", ",", ".", ":", ":=", "==", "=",
        "<", ">", "!=", "+", "-", "*", "**", "/", "'", "\"", "\\", "'x'", "\"y\"", "1", "1.5", "0x", "0x1F", "1e", "$",
        "$x",
        "%@", "%K", "%d", "%", "%1$@", "#", "#and", "@", "@count", "ANY", "ALL", "NONE", "BETWEEN", "IN",
        "CONTAINS[cd]",
        "LIKE", "MATCHES", "SUBQUERY(", "SUBQUERY(a, $x, $x == 1)", "FUNCTION(", "CAST(", "TERNARY(", "sum(", "now()",
        "add:to:(", "TRUEPREDICATE", "nil", "SELF", "[FIRST]", "UNION", "é", "👩‍👩‍👧", "\u{0}", "\n", " ", "?", "~",
        "castObject:toType:(", "'NSDate'", "FETCH(",
    ]

    private static func input(_ random: inout SeededGenerator) -> String {
        let length = Int.random(in: 0..<40, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            return String(decoding: bytes, as: UTF8.self)
        case 1:
            return (0..<length).map { _ in pieces.randomElement(using: &random)! }.joined(separator: " ")
        case 2:
            let rows = FormatTable.all.randomElement(using: &random)!.rows
            var bytes = Array(rows.randomElement(using: &random)!.format.utf8)
            for _ in 0..<Int.random(in: 1..<4, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32..<127, using: &random)
            }
            return String(decoding: bytes, as: UTF8.self)
        default:
            let piece = pieces.randomElement(using: &random)!
            return String(repeating: piece + (Bool.random(using: &random) ? " " : ""), count: length * 20)
        }
    }

    @Test("it answers a predicate that prints and parses again, or an error that describes itself")
    func random() {
        let failures = SmallStack.run { () -> [String] in
            var random = SeededGenerator(seed: Self.seed)
            var failures: [String] = []
            for _ in 0..<Self.inputs {
                let input = Self.input(&random)
                do {
                    let predicate = try NSPredicate.parse(input, argumentArray: ["title", 1, "x"])
                    let format = predicate.parsableFormat
                    if (try? NSPredicate.parse(format)) != predicate { failures.append(input) }
                    _ = try? predicate.checkedEvaluate(with: Library.shared.books[0])
                } catch {
                    if !"\(error)".contains("^") { failures.append(input) }
                }
            }
            return failures
        }
        #expect(failures == [])
    }

    /// What nests, and what closes it.
    private static let nestings: [(open: String, middle: String, close: String)] = [
        ("(", "a == 1", ")"), ("NOT ", "a == 1", ""), ("!", "a == 1", ""), ("{", "1", "}"), ("-", "a == 1", ""),
        ("sum(", "a", ")"), ("a[", "1", "]"), ("(a == 1 AND ", "b == 1", ")"), ("(a == 1 OR NOT ", "b == 1", ")"),
        ("TERNARY(a == 1, 1, ", "2", ")"), ("TERNARY(", "a == 1", ", 1, 2) == 1"),
        ("SUBQUERY(", "a", ", $x, $x == 1)"), ("SUBQUERY(a, $x, ", "$x == 1", ").@count == 1"),
        ("CAST(", "a", ", 'NSString')"), ("FUNCTION(", "a", ", 'length')"), ("a + (", "1", ")"), ("a ** (", "1", ")"),
        ("(a UNION ", "b", ")"), ("ANY ", "a == 1", ""), ("$x := ", "1", ""), ("NONE {1} == {", "1", "}"),
        ("", "a", " + 1"), ("", "a", "[0]"), ("", "a", ".b"), ("", "a", " UNION b"), ("", "a == 1", " AND a == 1"),
        ("", "now()", ".b"), ("modulus:by:(", "a", ", 1)"), ("+", "a == 1", ""), ("NOT (", "a == 1", ")"),
    ]

    @Test("nesting of any depth neither overflows a small stack nor takes long")
    func nesting() {
        for (open, middle, close) in Self.nestings {
            for depth in [1, 8, 20, 28, 40, 55, 56, 57, 79, 80, 119, 120, 121, 200, 255, 256, 257, 20_000] {
                let core = String(repeating: open, count: depth) + middle + String(repeating: close, count: depth)
                SmallStack.run {
                    for format in [core, core + " == 1"] {
                        guard let predicate = try? NSPredicate.parse(format) else { continue }
                        _ = predicate.predicateFormat
                        _ = predicate.hash
                        _ = predicate == (try? NSPredicate.parse(format))
                        _ = try? predicate.checkedEvaluate(with: ["a": 1])
                        _ = predicate.withSubstitutionVariables(["x": 1])
                    }
                }
            }
        }
    }

    @Test("a wide predicate is no deep one")
    func width() throws {
        let format = (0..<20_000).map { "a == \($0)" }.joined(separator: " OR ")
        let predicate = try #require(NSPredicate.parse(format) as? NSCompoundPredicate)
        #expect(predicate.subpredicates.count == 20_000)
        #expect(try predicate.checkedEvaluate(with: ["a": 19_999]))
        let list = "a IN {" + (0..<20_000).map(String.init).joined(separator: ", ") + "}"
        #expect(try NSPredicate.parse(list).checkedEvaluate(with: ["a": 19_999]))
    }

    @Test("accepts 250 levels of parentheses, on a small stack as well")
    func ordinaryNesting() throws {
        let format = String(repeating: "(", count: 250) + "a == 1" + String(repeating: ")", count: 250)
        #expect(SmallStack.run { (try? NSPredicate.parse(format)) == NSPredicate(format: "a == 1") })
    }

    @Test("reads what it prints of conditions that were joined two at a time", arguments: [1, 50, 100, 110])
    func joinedTwoAtATime(levels: Int) throws {
        var alike = NSPredicate(format: "a == 0")
        var mixed = alike
        for level in 1...levels {
            let next = NSPredicate(format: "a == %d", level)
            alike = NSCompoundPredicate(orPredicateWithSubpredicates: [alike, next])
            mixed = NSCompoundPredicate(type: level % 2 == 0 ? .and : .or, subpredicates: [mixed, next])
        }
        #expect(try NSPredicate.parse(mixed.predicateFormat) == mixed)
        let flat = try #require(NSPredicate.parse(alike.predicateFormat) as? NSCompoundPredicate)
        #expect(flat.subpredicates.count == levels + 1)
    }

    @Test("says how deep a format may nest")
    func tooDeep() {
        let format = String(repeating: "(", count: 300) + "a == 1" + String(repeating: ")", count: 300)
        #expect { try NSPredicate.parse(format) } throws: { "\($0)".contains("nests more than 256 levels deep") }
    }
}
