import FoundationCompat
import Testing

@Suite("Bad format strings")
struct FormatErrorTests {
    /// The format, where the caret stands, and a part of what was expected.
    private static let table: [(format: String, offset: Int, expectation: String)] = [
        ("", 0, "before the end"),
        ("   ", 3, "before the end"),
        ("title", 5, "comparison operator"),
        ("title ==", 8, "before the end"),
        ("== 'x'", 0, "before \"==\""),
        ("title == 'Emma", 9, "no closing '"),
        ("title == \"Emma", 9, "no closing \""),
        ("title == 'Emma' AND", 19, "before the end"),
        ("title == 'Emma' copies == 1", 16, "operator such as AND"),
        ("title == 'Emma')", 15, "operator such as AND"),
        ("(title == 'Emma'", 16, "\")\""),
        ("AND title == 'x'", 0, "reserved word AND"),
        ("title == 'x' AND OR copies == 1", 17, "reserved word OR"),
        ("NOT", 3, "before the end"),
        ("NOT title", 9, "comparison operator"),
        ("title = = 'x'", 8, "before \"=\""),
        ("title == 'a' == 'b'", 0, "not a condition"),
        ("(title == 'a') + 1 == 2", 0, "not a condition"),
        ("1 + (a == b)", 4, "not a condition"),
        ("title.", 6, "key after the dot"),
        ("title..x == 1", 6, "key after the dot"),
        (".title == 1", 0, "before \".\""),
        ("title ==[x] 'a'", 9, "no option x"),
        ("title ==[c 'a'", 11, "\"]\""),
        ("title ==[1] 'a'", 9, "options such as c"),
        ("pages BETWEEN {1}", 14, "a lower and an upper bound"),
        ("pages BETWEEN {1, 2, 3}", 14, "a lower and an upper bound"),
        ("pages IN {1, 2", 14, "\",\""),
        ("pages IN {1 2}", 12, "\",\""),
        ("pages IN {1,, 2}", 12, "before \",\""),
        ("{1, 2", 5, "\",\""),
        ("tags[0 == 1", 11, "\"]\""),
        ("tags[] == 1", 5, "before \"]\""),
        ("$ == 1", 1, "name of a variable"),
        ("$1 == 1", 1, "name of a variable"),
        ("# == 1", 1, "a key after \"#\""),
        ("@ == 1", 1, "collection operator"),
        ("?", 0, "not \"?\""),
        ("title == `x`", 9, "not \"`\""),
        ("title ; 1", 6, "not \";\""),
        ("a & b", 5, "comparison operator"),
        ("a | b", 5, "comparison operator"),
        ("a ~ b", 2, "comparison operator"),
        ("title == %@", 9, "no argument for %@"),
        ("%K == 1", 0, "no argument for %K"),
        ("title == %y", 9, "no placeholder %y"),
        ("title == %", 10, "a conversion"),
        ("title == %5@", 9, "placeholder such as"),
        ("title == %0$@", 9, "placeholder such as"),
        ("pages == 12abc", 11, "end of the number"),
        ("pages == 0x", 9, "base 16"),
        ("pages == 0b102", 9, "base 2"),
        ("pages == 0xFFFFFFFFFFFFFFFFF", 9, "base 16"),
        ("title == '\\u12'", 14, "4 hexadecimal digits"),
        ("title == '\\ud800'", 12, "no such character"),
        ("title == '\\", 11, "after the backslash"),
        ("SUBQUERY(a, $x, $x == 1", 23, "\")\""),
        ("SUBQUERY(a, x, x == 1).@count == 1", 12, "variable of the subquery"),
        ("SUBQUERY(a, $x).@count == 1", 14, "\",\""),
        ("SUBQUERY(a, $x, $x).@count == 1", 18, "comparison operator"),
        ("SUBQUERY(a == 1, $x, $x == 1).@count == 1", 9, "not a condition"),
        ("TERNARY(1, 2, 3) == 1", 9, "comparison operator"),
        ("TERNARY(a == 1, 2) == 1", 17, "\",\""),
        ("CAST(1) == 1", 6, "\",\""),
        ("CAST(1, 'Nonsense') == 1", 8, "doesn't know the type Nonsense"),
        ("FUNCTION(a) == 1", 10, "\",\""),
        ("FUNCTION(a, b) == 1", 12, "name of a method"),
        ("nonsense(1) == 1", 0, "there is no function nonsense:"),
        ("summ(1) == 1", 0, "did you mean sum:"),
        ("sqrt(1, 2) == 1", 0, "takes 1 argument(s), not 2"),
        ("now(1) == 1", 0, "there is no function now:"),
        ("sum() == 1", 0, "there is no function sum"),
        ("add:to:(1) == 1", 0, "takes 2 argument(s), not 1"),
        ("sum(1", 5, "\",\""),
        ("sum(a == 1) == 1", 4, "not a condition"),
        ("ANY tags", 8, "comparison operator"),
        ("ANY (tags == 1)", 15, "comparison operator"),
        ("ANY == 1", 4, "before \"==\""),
        ("5 := 6 == 6", 0, "a variable before \":=\""),
        ("BEGINSWITH 'a'", 0, "#beginswith"),
        ("TRUEPREDICATE == 1", 0, "not a condition"),
        ("title == TRUEPREDICATE", 9, "not a condition"),
        ("TRUE", 4, "comparison operator"),
        ("title IS 'x'", 6, "operator"),
        ("é == 'x", 5, "no closing"),
        ("👍🏽 == 1 ?", 7, "not \"?\""),
    ]

    @Test("say where they go wrong and what was expected there")
    func errors() throws {
        for row in Self.table {
            do {
                let predicate = try NSPredicate.parse(row.format)
                Issue.record("\(row.format) parses as \(predicate)")
            } catch let error as FormatError {
                #expect(error.offset == row.offset, "\(error)")
                #expect(error.expectation.contains(row.expectation), "\(error)")
                #expect(error.format == row.format)
            }
        }
    }

    @Test("show the string with a caret under the place")
    func caret() throws {
        let error = try #require(throws: FormatError.self) { try NSPredicate.parse("title ==[x] 'Emma'") }
        let lines = error.description.split(separator: "\n")
        #expect(lines[1] == "title ==[x] 'Emma'")
        #expect(lines[2].hasPrefix("         ^ there is no option x"))
    }

    @Test("show only the neighbourhood of the place where they are long")
    func longFormat() throws {
        let format = String(repeating: "title == 'x' AND ", count: 1000) + "?"
        let error = try #require(throws: FormatError.self) { try NSPredicate.parse(format) }
        let lines = error.description.split(separator: "\n")
        #expect(lines[1].count < 200)
        let caret = try #require(lines[2].firstIndex(of: "^"))
        let column = lines[2].distance(from: lines[2].startIndex, to: caret)
        #expect(Array(lines[1])[column] == "?")
    }

    @Test("of an expression are errors as well")
    func expressions() {
        for format in ["", "a ==", "a == 1", "a +", "TRUEPREDICATE", "a b"] {
            #expect(throws: FormatError.self, "\(format)") { try NSExpression.parse(format) }
        }
    }
}
