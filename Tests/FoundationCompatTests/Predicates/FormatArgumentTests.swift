import FoundationCompat
import Testing

@Suite("Arguments of a format")
struct FormatArgumentTests {
    @Test("stand for the same as literals")
    func values() throws {
        let date = Library.date(2001, 1, 1)
        let uuid = Library.identifier(3)
        let url = URL(string: "https://example.org/emma")!
        let cases: [(NSPredicate, [Int])] = [
            (NSPredicate(format: "title == %@", "Emma"), [1]),
            (NSPredicate(format: "title == %@", "Emma" as NSString), [1]),
            (NSPredicate(format: "title == %@", "Emma" as CVarArg), [1]),
            (NSPredicate(format: "%K == %@", "title", "Emma"), [1]),
            (NSPredicate(format: "%K.%K == %@", "author", "name", "Jane Austen"), [1, 2]),
            (NSPredicate(format: "%K == %@", "author.name", "Jane Austen"), [1, 2]),
            (NSPredicate(format: "%K.@count > %d", "loans", 1), [1, 5]),
            (NSPredicate(format: "pages == %d", 474), [1]),
            (NSPredicate(format: "pages == %ld", 474 as Int64), [1]),
            (NSPredicate(format: "pages == %lld", Int64(474)), [1]),
            (NSPredicate(format: "pages == %i", Int32(474)), [1]),
            (NSPredicate(format: "pages == %hd", Int16(474)), [1]),
            (NSPredicate(format: "pages == %lu", UInt(474)), [1]),
            (NSPredicate(format: "pages == %lud AND pages < %ldd", UInt(474), 475), [1]),
            (NSPredicate(format: "pages == %@", 474), [1]),
            (NSPredicate(format: "pages == %@", 474 as NSNumber), [1]),
            (NSPredicate(format: "pages == %@", NSNumber(value: 474)), [1]),
            (NSPredicate(format: "rating > %f", 4.15), [2, 5]),
            (NSPredicate(format: "rating > %g", Float(4.15)), [2, 5]),
            (NSPredicate(format: "rating > %a", 4.15), [2, 5]),
            (NSPredicate(format: "price == %@", Decimal(string: "9.99")!), [1]),
            (NSPredicate(format: "price == %@", NSDecimalNumber(string: "9.99")), [1]),
            (NSPredicate(format: "inPrint == %@", true), [1, 2, 3, 5, 7]),
            (NSPredicate(format: "inPrint == %@", NSNumber(value: true)), [1, 2, 3, 5, 7]),
            (NSPredicate(format: "inPrint == %d", true), [1, 2, 3, 5, 7]),
            (NSPredicate(format: "published == %@", date), [8]),
            (NSPredicate(format: "published == %@", date as CVarArg), [8]),
            (NSPredicate(format: "published == %@", date as NSDate), [8]),
            (NSPredicate(format: "published < %@ AND published > %@", date, Library.date(1900, 1, 1)), [4, 6]),
            (NSPredicate(format: "identifier == %@", uuid), [3]),
            (NSPredicate(format: "identifier == %@", uuid as CVarArg), [3]),
            (NSPredicate(format: "identifier == %@", uuid as NSUUID), [3]),
            (NSPredicate(format: "website == %@", url as CVarArg), [1]),
            (NSPredicate(format: "cover == %@", Data([1, 2, 3]) as CVarArg), [1]),
            (NSPredicate(format: "title IN %@", ["Emma", "Villette"]), [1, 3]),
            (NSPredicate(format: "title IN %@", ["Emma", "Villette"] as NSArray), [1, 3]),
            (NSPredicate(format: "title IN %@", ["Emma", "Villette"] as CVarArg), [1, 3]),
            (NSPredicate(format: "title IN %@", Set(["Emma", "Villette"])), [1, 3]),
            (NSPredicate(format: "title IN %@", NSSet(array: ["Emma", "Villette"])), [1, 3]),
            (NSPredicate(format: "title IN %@", NSOrderedSet(array: ["Emma"])), [1]),
            (NSPredicate(format: "title IN %@", ["a": "Emma"]), [1]),
            (NSPredicate(format: "identifier IN %@", [uuid, Library.identifier(1)]), [1, 3]),
            (NSPredicate(format: "pages BETWEEN %@", [249, 474]), [1, 2, 6]),
            (NSPredicate(format: "pages BETWEEN {%d, %@}", 249, 474), [1, 2, 6]),
            (NSPredicate(format: "author == %@", Library.shared.austen), [1, 2]),
            (NSPredicate(format: "%@ == author", Library.shared.austen), [1, 2]),
            (NSPredicate(format: "author IN %@", [Library.shared.austen, Library.shared.tolstoy]), [1, 2, 5]),
            (NSPredicate(format: "%@ IN genres", Library.shared.drama), [4]),
            (NSPredicate(format: "genres CONTAINS %@", Library.shared.drama), [4]),
            (NSPredicate(format: "SELF == %@", Library.shared.books[2]), [3]),
            (NSPredicate(format: "SELF IN %@", Library.shared.books.prefix(2).map { $0 }), [1, 2]),
            (NSPredicate(format: "author == %@", nil), [7, 8]),
            (NSPredicate(format: "author == %@", NSNull()), [7, 8]),
            (NSPredicate(format: "author == %@", nil as Author?), [7, 8]),
            (NSPredicate(format: "pages == %@", Int?.some(474)), [1]),
            (NSPredicate(format: "tags[%d] == 'romance'", 1), [1]),
            (NSPredicate(format: "%2$K == %1$@", "Emma", "title"), [1]),
            (NSPredicate(format: "title == '%@'"), []),
            (NSPredicate(format: "title == %s", "Emma"), [1]),
            (NSPredicate(format: "title BEGINSWITH %c", "E"), [1]),
            (NSPredicate(format: "title BEGINSWITH %c", 69), [1]),
            (NSPredicate(format: "%@ < pages", NSExpression(format: "500 + 100")), [3, 5]),
            (NSPredicate(format: "SUBQUERY(loans, $x, %@).@count > 1", NSPredicate(format: "$x.days > 30")), [5]),
            (NSPredicate(format: "title == %@", argumentArray: ["Emma"]), [1]),
            (NSPredicate(format: "TRUEPREDICATE", argumentArray: nil), Array(1...8)),
        ]
        for (predicate, numbers) in cases {
            #expect(try Library.shared.numbers(predicate) == numbers, "\(predicate)")
        }
    }

    @Test("that don't fit are errors which say so")
    func wrongArguments() {
        let cases: [(String, [Any], String)] = [
            ("title == %@", [], "there is no argument for %@: only 0 are given"),
            ("title == %@ AND pages == %d", ["x"], "there is no argument for %d: only 1 are given"),
            ("title == %2$@", ["x"], "there is no argument for %2$@"),
            ("pages == %d", ["x"], "the argument for %d has to be a number, not String"),
            ("pages == %d", [NSNull()], "has to be a number"),
            ("%K == 1", [5], "the argument for %K has to be a key path, not Int"),
            ("%K == 1", [""], "has to be a key path"),
            ("title == %s", [1], "has to be a string"),
            ("title == %c", ["ab"], "has to be a character"),
            ("title == %c", [-1], "has to be a character"),
            ("a.%@ == 1", ["b"], "expected a key after the dot"),
            ("%K == 1", [\Author.books], "has no registered name"),
        ]
        for (format, arguments, expectation) in cases {
            do {
                let predicate = try NSPredicate.parse(format, argumentArray: arguments)
                Issue.record("\(predicate)")
            } catch {
                #expect("\(error)".contains(expectation), "\(error)")
            }
        }
    }

    @Test("may be key paths with registered names")
    func keyPaths() throws {
        KeyPathNames.register([\Book.title: "title"])
        let predicate = NSPredicate(format: "%K == 'Emma'", \Book.title)
        #expect(predicate.predicateFormat == "title == \"Emma\"")
        #expect(NSExpression(forKeyPath: \Book.title).keyPath == "title")
    }

    @Test("come out of a C argument list, in registers and behind them")
    func argumentList() throws {
        let arguments: [any CVarArg] = [
            "title", "Emma", 474, Int32(3), 4.1, 9.99, UInt64.max, -7 as Int64, Library.date(2001, 1, 1), "x", "y", 1.5,
            2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5,
        ]
        let format =
            "%K == %@ AND a == %ld AND b == %d AND c == %f AND d == %f AND e == %lu AND f == %lld AND g == %@ "
            + "AND h == %@ AND i == %@ AND j IN {%f, %f, %f, %f, %f, %f, %f, %f}"
        let predicate = withVaList(arguments) { NSPredicate(format: format, arguments: $0) }
        #expect(
            predicate.predicateFormat == "title == \"Emma\" AND a == 474 AND b == 3 AND c == 4.1 AND d == 9.99 "
                + "AND e == 18446744073709551615 AND f == -7 AND g == CAST(0.000000, \"NSDate\") AND h == \"x\" "
                + "AND i == \"y\" AND j IN {1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5}")
        let expression = withVaList([2, 3]) { NSExpression(format: "%ld ** %ld", arguments: $0) }
        #expect(expression.expressionValue(with: nil, context: nil) as? Double == 8)
    }

    @Test("take what is in an AnyHashable, as keys of dictionaries are")
    func erasedKeys() {
        let attributes: [AnyHashable: Any] = ["name": "a"]
        for (key, value) in attributes {
            #expect(NSPredicate(format: "%K = %@", argumentArray: [key, value]).predicateFormat == #"name == "a""#)
            #expect(
                NSPredicate(format: "%K = %@", argumentArray: [key, AnyHashable(5)]).predicateFormat == "name == 5")
        }
    }
    @Test("take what is in the AnyHashables of an array, as constants and variables do")
    func erasedElements() {
        let names: [Any] = [AnyHashable("a"), "b"]
        let predicates = [
            NSPredicate(format: "SELF IN %@", names), NSPredicate(format: "SELF IN %@", argumentArray: [names]),
            NSPredicate(format: "SELF IN $names").withSubstitutionVariables(["names": names]),
            NSComparisonPredicate(
                leftExpression: .expressionForEvaluatedObject(),
                rightExpression: NSExpression(forConstantValue: names.map { $0 as! AnyHashable }), modifier: .direct,
                type: .in),
        ]
        for predicate in predicates {
            #expect(predicate.predicateFormat == #"SELF IN {"a", "b"}"#)
            #expect(predicate.evaluate(with: "a") && predicate.evaluate(with: AnyHashable("b")))
        }
        #expect(NSExpression(forConstantValue: AnyHashable(5)).description == "5")
    }

    @Test("Numbers print as NSNumber's own text has them")
    func printedNumbers() {
        let rows: [(NSNumber, String)] = [
            (NSNumber(value: 1.0), "1"), (NSNumber(value: -2.5), "-2.5"), (NSNumber(value: 1e20), "1e+20"),
            (NSNumber(value: Float(0.5)), "0.5"), (NSNumber(value: true), "1"),
            (NSNumber(value: UInt64.max), "\(UInt64.max)"),
            (NSDecimalNumber(string: "12.50"), "12.5"), (NSNumber(value: Int8(-3)), "-3"),
        ]
        for (number, text) in rows {
            for predicate in [
                NSPredicate(format: "a == %@", number), NSPredicate(format: "a == %@", argumentArray: [number]),
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: "a"),
                    rightExpression: NSExpression(forConstantValue: number), modifier: .direct, type: .equalTo),
            ] {
                #expect(predicate.predicateFormat == "a == \(text)", "\(number)")
            }
        }
    }
}
