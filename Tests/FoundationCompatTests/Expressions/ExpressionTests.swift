import FoundationCompat
import Testing

@Suite("Expressions")
struct ExpressionTests {
    private let emma = Library.shared.books[0]

    @Test("A dictionary that is cast to a dictionary is itself, and parses to an equal expression", arguments: 0..<20)
    func dictionaryCast(round: Int) {
        let values: [String: Any] = ["k": 1, "l": "x", "m": round]
        let cast = NSExpression(
            forFunction: "castObject:toType:",
            arguments: [NSExpression(forConstantValue: values), NSExpression(forConstantValue: "NSDictionary")])
        let parsed = NSExpression(format: cast.description)
        #expect(parsed == cast && parsed.hash == cast.hash && parsed.description == cast.description)
        #expect(cast.expressionValue(with: nil, context: nil) as? NSDictionary == values as NSDictionary)
    }

    @Test("show their parts")
    func parts() {
        let path = NSExpression(format: "author.name")
        #expect(path.expressionType == .keyPath && path.keyPath == "author.name")
        #expect(path.operand.expressionType == .evaluatedObject)
        let fromVariable = NSExpression(format: "$x.name")
        #expect(fromVariable.expressionType == .function && fromVariable.function == "valueForKeyPath:")
        #expect(fromVariable.operand.variable == "x" && fromVariable.keyPath == "name")
        let sum = NSExpression(format: "a + 1")
        #expect(sum.expressionType == .function && sum.function == "add:to:" && sum.arguments?.count == 2)
        let subquery = NSExpression(format: "SUBQUERY(items, $x, $x.a == 1)")
        #expect(subquery.expressionType == .subquery && subquery.variable == "x")
        #expect((subquery.collection as? NSExpression)?.keyPath == "items")
        #expect(subquery.predicate.predicateFormat == "$x.a == 1")
        let conditional = NSExpression(format: "TERNARY(a == 1, 2, 3)")
        #expect(conditional.true.constantValue as? Int == 2 && conditional.false.constantValue as? Int == 3)
        let union = NSExpression(format: "a UNION b")
        #expect(union.expressionType == .unionSet && union.left.keyPath == "a" && union.right.keyPath == "b")
        #expect(NSExpression(format: "a INTERSECT b").expressionType == .intersectSet)
        #expect(NSExpression(format: "a MINUS b").expressionType == .minusSet)
        #expect((NSExpression(format: "{1, a}").collection as? [NSExpression])?.count == 2)
        #expect(NSExpression(format: "SELF").expressionType == .evaluatedObject)
        #expect(NSExpression(format: "ANYKEY").expressionType == .anyKey)
        #expect(NSExpression(format: "FUNCTION(a, 'b:', 1)").operand.keyPath == "a")
        #expect(NSExpression.expressionForAnyKey() == NSExpression(format: "ANYKEY"))
    }

    @Test("made by initialisers equal those made by formats")
    func initialisers() {
        let one = NSExpression(forConstantValue: 1)
        let a = NSExpression(forKeyPath: "a")
        #expect(NSExpression(forFunction: "add:to:", arguments: [a, one]) == NSExpression(format: "a + 1"))
        #expect(NSExpression(forFunction: "sum:", arguments: [a]) == NSExpression(format: "sum(a)"))
        #expect(NSExpression(forFunction: "now", arguments: []) == NSExpression(format: "now()"))
        #expect(NSExpression(forAggregate: [a, one]) == NSExpression(format: "{a, 1}"))
        #expect(NSExpression(forUnionSet: a, with: one) == NSExpression(format: "a UNION 1"))
        #expect(NSExpression(forVariable: "x") == NSExpression(format: "$x"))
        #expect(NSExpression(forConstantValue: [1, 2]) == NSExpression(format: "{1, 2}"))
        #expect(NSExpression(forConstantValue: nil) == NSExpression(format: "nil"))
        #expect(NSExpression(format: "%@ + %d", 1, 2) == NSExpression(format: "1 + 2"))
        #expect(
            NSExpression(forSubquery: a, usingIteratorVariable: "x", predicate: NSPredicate(format: "$x == 1"))
                == NSExpression(format: "SUBQUERY(a, $x, $x == 1)"))
        #expect(
            NSExpression(forFunction: a, selectorName: "valueForKeyPath:", arguments: ["b.c"])
                == NSExpression(forKeyPath: "a.b.c"))
        #expect(NSExpression(expressionType: .evaluatedObject) == NSExpression(format: "SELF"))
    }

    @Test("have values, with variables from the context")
    func values() {
        func value(_ format: String, _ context: NSMutableDictionary? = nil) -> Any? {
            NSExpression(format: format).expressionValue(with: emma, context: context)
        }
        #expect(value("pages * 2") as? Int == 948)
        #expect(value("5 / 2") as? Int == 2)
        #expect(value("5 / 2.0") as? Double == 2.5)
        #expect(value("$x + 1", ["x": 4]) as? Int == 5)
        #expect(value("{title, nil}") as? [AnyHashable] == ["Emma", NSNull()] as [AnyHashable])
        let context = NSMutableDictionary()
        #expect(value("$y := pages", context) as? Int == 474)
        #expect(context["y"] as? Int == 474)
        #expect(value("price + 0.01") as? NSDecimalNumber == 10)
        #expect(value("published + 60") as? Date == Library.date(1815, 12, 23) + 60)
        #expect((value("now()") as? Date).map { abs($0.timeIntervalSinceNow) < 60 } == true)
        #expect(value("distanceToLocation:fromLocation:(SELF, SELF)") == nil)
    }

    @Test("measure the distance between places")
    func distance() throws {
        let prague = ["latitude": 50.0875, "longitude": 14.4214]
        let brno = ["coordinate": ["latitude": 49.1951, "longitude": 16.6068]]
        let expression = NSExpression(
            forFunction: "distanceToLocation:fromLocation:",
            arguments: [NSExpression(forConstantValue: prague), NSExpression(forConstantValue: brno)])
        let metres = try #require(expression.expressionValue(with: nil, context: nil) as? Double)
        #expect(abs(metres - 185_000) < 2_000)
    }

    @Test("call blocks with the arguments' values")
    func blocks() {
        let expression = NSExpression(
            block: { object, arguments, context in
                "\((object as? Book)?.title ?? "") \(arguments) \(context?["k"] ?? "")"
            }, arguments: [NSExpression(format: "pages"), NSExpression(format: "size"), NSExpression(format: "nil")])
        let text = expression.expressionValue(with: emma, context: ["k": "v"]) as? String
        #expect(text == "Emma [474, \"octavo\", <null>] v" || text?.hasPrefix("Emma [474, octavo") == true)
        #expect(expression.expressionType == .block && expression.arguments?.count == 3)
        #expect(expression.expressionBlock(nil, [], nil) as? String == " [] ")
    }

    @Test("of a subclass answer for themselves")
    func subclass() {
        final class Answer: NSExpression, @unchecked Sendable {
            init() { super.init(expressionType: .fetchRequest) }

            required init?(coder: NSCoder) { nil }

            override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? { 42 }
        }
        let predicate = NSComparisonPredicate(
            leftExpression: Answer(), rightExpression: NSExpression(forConstantValue: 42), modifier: .direct,
            type: .equalTo)
        #expect(predicate.evaluate(with: nil))
        #expect(predicate.leftExpression.expressionType.rawValue == 50)
    }

    @Test("call methods of objects that let them")
    func methods() throws {
        final class Performer: NSObject, SelectorPerforming {
            func perform(selector: String, arguments: [Any?]) throws -> Any? {
                guard selector == "twice:" else { throw UnknownSelectorError(self, selector: selector) }
                return (arguments[0] as? Int).map { $0 * 2 }
            }
        }
        let predicate = NSPredicate(format: "FUNCTION($p, 'twice:', 21) == 42")
        #expect(predicate.evaluate(with: nil, substitutionVariables: ["p": Performer()]))
        #expect(throws: UnknownSelectorError.self) {
            try NSPredicate(format: "FUNCTION($p, 'thrice') == 1")
                .checkedEvaluate(with: nil, substitutionVariables: ["p": Performer()])
        }
    }

    @Test("key paths of Foundation's classes have the names that they have in Objective-C")
    func foundationKeyPaths() {
        #expect(NSExpression(forKeyPath: \NSNumber.intValue).keyPath == "integerValue")
        #expect(NSExpression(forKeyPath: \NSString.length).keyPath == "length")
        #expect(NSExpression(forKeyPath: \NSString.uppercased).keyPath == "uppercaseString")
        let odd = NSPredicate(format: "modulus:by:(%K, 2) == 1", NSExpression(forKeyPath: \NSNumber.intValue).keyPath)
        #expect([1, 2, 3].filter(odd.evaluate(with:)) == [1, 3])
    }
}
