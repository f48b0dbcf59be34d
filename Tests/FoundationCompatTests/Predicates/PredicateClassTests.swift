import FoundationCompat
import Testing

@Suite("Predicate classes")
struct PredicateClassTests {
    @Test("NSNull is printed as it is on Apple's platforms, and a literal nil as nil")
    func printedNull() {
        #expect(NSPredicate(format: "name == %@", NSNull()).description == "name == <null>")
        #expect(NSPredicate(format: "name == nil").description == "name == nil")
    }

    @Test("A compound that is made of the format of one predicate is a compound of that one")
    func compoundOfOne() {
        let one = NSCompoundPredicate(format: "name IN %@", ["a", "b"])
        #expect(one.compoundPredicateType == .and && one.subpredicates.count == 1)
        #expect(one.evaluate(with: ["name": "a"]) && !one.evaluate(with: ["name": "c"]))
        #expect(NSCompoundPredicate(format: "name == 'a' OR name == 'b'").compoundPredicateType == .or)
    }

    @Test("come out of the format as the subclass that fits")
    func cluster() throws {
        let comparison = try #require(NSPredicate(format: "ANY a.b ==[cd] 'x'") as? NSComparisonPredicate)
        #expect(comparison.predicateOperatorType == .equalTo)
        #expect(comparison.comparisonPredicateModifier == .any)
        #expect(comparison.options == [.caseInsensitive, .diacriticInsensitive])
        #expect(comparison.leftExpression.keyPath == "a.b")
        #expect(comparison.rightExpression.constantValue as? String == "x")
        let compound = try #require(NSPredicate(format: "a == 1 OR b == 2 OR c == 3") as? NSCompoundPredicate)
        #expect(compound.compoundPredicateType == .or)
        #expect(compound.subpredicates.count == 3)
        #expect(NSComparisonPredicate(format: "a == 1").leftExpression.keyPath == "a")
        #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
    }

    @Test("have Apple's raw values")
    func rawValues() {
        #expect(NSComparisonPredicate.Operator.contains.rawValue == 99)
        #expect(NSComparisonPredicate.Operator.between.rawValue == 100)
        #expect(NSComparisonPredicate.Operator.in.rawValue == 10)
        #expect(NSComparisonPredicate.Operator.customSelector.rawValue == 11)
        #expect(NSComparisonPredicate.Modifier.any.rawValue == 2)
        #expect(NSComparisonPredicate.Options.normalized.rawValue == 4)
        #expect(NSCompoundPredicate.LogicalType.or.rawValue == 2)
        #expect(NSExpression.ExpressionType.subquery.rawValue == 13)
        #expect(NSExpression.ExpressionType.conditional.rawValue == 20)
        #expect(NSExpression.ExpressionType(rawValue: 50) != nil)
    }

    @Test("with no subpredicates are true for AND and false for OR")
    func emptyCompounds() throws {
        let all = NSCompoundPredicate(andPredicateWithSubpredicates: [])
        let any = NSCompoundPredicate(orPredicateWithSubpredicates: [])
        #expect(all.evaluate(with: nil))
        #expect(!any.evaluate(with: nil))
        #expect(all.predicateFormat == "TRUEPREDICATE")
        #expect(try NSPredicate.parse(any.predicateFormat) == any)
    }

    @Test("ask a block with the object and the variables")
    func block() {
        let predicate = NSPredicate { object, bindings in
            (object as? Book)?.title == bindings?["NAME"] as? String
        }
        let book = Library.shared.books[0]
        #expect(predicate.evaluate(with: book, substitutionVariables: ["NAME": "Emma"]))
        #expect(!predicate.evaluate(with: book))
        let compound = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
        #expect(!compound.evaluate(with: book, substitutionVariables: ["NAME": "Emma"]))
        #expect(predicate == predicate)
        #expect(predicate != NSPredicate { _, _ in true })
    }

    @Test("that are subclassed elsewhere answer for themselves inside compounds")
    func subclass() {
        final class Always: NSPredicate, @unchecked Sendable {
            override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool { true }
        }
        final class Never: NSComparisonPredicate, @unchecked Sendable {
            override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool { false }
        }
        let one = NSExpression(forConstantValue: 1)
        let never = Never(leftExpression: one, rightExpression: one, modifier: .direct, type: .equalTo)
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [Always(), never])
        #expect(!compound.evaluate(with: nil))
        #expect(NSCompoundPredicate(orPredicateWithSubpredicates: [Always(), never]).evaluate(with: nil))
    }

    @Test("differ where their structure differs, whatever the place of the difference")
    func inequality() throws {
        let formats = [
            "a == 1", "a == 2", "b == 1", "a != 1", "a ==[c] 1", "ANY a == 1", "ALL a == 1", "a == '1'", "NOT a == 1",
            "a == 1 AND b == 1", "a == 1 OR b == 1", "b == 1 AND a == 1", "a == nil", "a == $x", "a == SELF",
            "a == b.c", "a == $x.c", "a == {1}", "a == {1, 2}", "a == sum({1, 2})", "a == max({1, 2})", "a == b[0]",
            "a == b[FIRST]", "a == b + 1", "a == 1 + b", "a == SUBQUERY(b, $x, $x == 1)",
            "a == SUBQUERY(b, $y, $y == 1)", "a == TERNARY(b == 1, 2, 3)", "a == b UNION c", "a == b MINUS c",
            "a == CAST(1, 'NSDate')", "a == CAST('1', 'NSDecimalNumber') + 1", "a IN {1}", "a CONTAINS 1",
            "a == FUNCTION(b, 'length')", "a == FUNCTION(b, 'count')", "TRUEPREDICATE", "FALSEPREDICATE",
            "a BETWEEN {1, 2}", "a foo: 1", "a bar: 1", "a == ANYKEY", "a == ($x := 1)", "a == ''",
        ]
        let predicates = try formats.map { try NSPredicate.parse($0) }
        for (left, leftFormat) in zip(predicates, formats) {
            for (right, rightFormat) in zip(predicates, formats) {
                #expect((left == right) == (leftFormat == rightFormat), "\(leftFormat) and \(rightFormat)")
            }
        }
    }

    @Test("throw where a key, a variable or a pattern is wrong, if they are asked to check")
    func checkedEvaluation() throws {
        let book = Library.shared.books[0]
        for format in [
            "nonsense == 1", "author.nonsense == 1", "title == $MISSING", "title MATCHES '('",
            "pages IN 5", "pages BETWEEN 5", "title foo: 'x'", "FUNCTION(title, 'removeFile:', 'x') == 1",
            "title == ANYKEY", "pages UNION {1} == nil", "SUBQUERY(pages, $x, $x == 1).@count == 1",
        ] {
            let predicate = try NSPredicate.parse(format)
            #expect(throws: (any Error).self, "\(format)") { try predicate.checkedEvaluate(with: book) }
        }
    }

    @Test("filter collections of every kind")
    func filtering() {
        let predicate = NSPredicate(format: "SELF > 2")
        let numbers = [1, 2, 3, 4]
        #expect(NSArray(array: numbers).filtered(using: predicate) as? [Int] == [3, 4])
        #expect(NSSet(array: numbers).filtered(using: predicate).count == 2)
        #expect(NSOrderedSet(array: numbers).filtered(using: predicate).array as? [Int] == [3, 4])
        #expect(numbers.filtered(using: predicate) == [3, 4])
        #expect(Set(numbers).filter(using: predicate).sorted() == [3, 4])
        let array = NSMutableArray(array: numbers)
        array.filter(using: predicate)
        #expect(array as? [Int] == [3, 4])
        let set = NSMutableSet(array: numbers)
        set.filter(using: predicate)
        #expect(set.count == 2)
        let orderedSet = NSMutableOrderedSet(array: numbers)
        orderedSet.filter(using: predicate)
        #expect(orderedSet.array as? [Int] == [3, 4])
    }

    @Test("can be handed to API that wants Foundation's own class")
    func foundationPredicate() {
        let predicate = NSPredicate(format: "SELF > $MIN").foundationPredicate
        #expect(predicate.evaluate(with: 3, substitutionVariables: ["MIN": 2]))
        #expect(!predicate.evaluate(with: 1, substitutionVariables: ["MIN": 2]))
    }

    @Test("isKindOfClass: and isMemberOfClass: ask for the class of a value")
    func classes() throws {
        class Album: NSObject {}
        final class Single: Album {}
        let values: [Any] = [Album(), Single(), "text", 5, Date()]
        func places(_ format: String, _ type: AnyClass) -> [Int] {
            let predicate = NSPredicate(format: format, argumentArray: [type])
            return values.indices.filter { predicate.evaluate(with: values[$0]) }
        }
        #expect(places("SELF isKindOfClass: %@", Album.self) == [0, 1])
        #expect(places("SELF isMemberOfClass: %@", Album.self) == [0])
        #expect(places("SELF isKindOfClass: %@", NSString.self) == [2])
        #expect(places("self isKindOfClass: %@", NSNumber.self) == [3])
        #expect(places("SELF isKindOfClass: %@", NSObject.self) == [0, 1, 2, 3, 4])
        #expect(throws: (any Error).self) {
            try NSPredicate.parse("SELF isKindOfClass: %@", "Album").checkedEvaluate(with: Album())
        }
    }
}
