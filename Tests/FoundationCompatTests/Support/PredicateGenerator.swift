import FoundationCompat

/// Makes random predicates and expressions over the keys of `Library`, and some that make no sense.
struct PredicateGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &random)
    }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[number(below: values.count)]
    }

    mutating func predicate(depth: Int) -> NSPredicate {
        switch number(below: depth > 0 ? 10 : 6) {
        case 0: return NSPredicate(value: number(below: 2) == 0)
        case 1...6:
            let type = one(of: Self.operators)
            // No format says that a value is between other than two bounds.
            let right =
                type == .between
                ? NSExpression(forAggregate: expressions(2, depth: depth - 1)) : expression(depth: depth)
            return NSComparisonPredicate(
                leftExpression: expression(depth: depth), rightExpression: right,
                modifier: one(of: [.direct, .direct, .any, .all]), type: type,
                options: one(of: [[], [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized]))
        case 7: return NSCompoundPredicate(notPredicateWithSubpredicate: predicate(depth: depth - 1))
        case 8: return compound(.and, depth: depth - 1)
        default: return compound(.or, depth: depth - 1)
        }
    }

    /// A compound as a parser makes it: not of one condition, and not with one of its own kind at the left.
    private mutating func compound(_ type: NSCompoundPredicate.LogicalType, depth: Int) -> NSPredicate {
        var operands = (0..<one(of: [0, 2, 3])).map { _ in predicate(depth: depth) }
        if let first = operands.first as? NSCompoundPredicate, first.compoundPredicateType == type,
            !first.subpredicates.isEmpty
        {
            operands.replaceSubrange(0..<1, with: first.subpredicates)
        }
        return NSCompoundPredicate(type: type, subpredicates: operands)
    }

    private mutating func expressions(_ count: Int, depth: Int) -> [NSExpression] {
        (0..<count).map { _ in expression(depth: depth) }
    }

    mutating func expression(depth: Int) -> NSExpression {
        switch number(below: depth > 0 ? 18 : 7) {
        case 0, 1: return NSExpression(forConstantValue: constant())
        case 2, 3, 4: return NSExpression(forKeyPath: keyPath())
        case 5: return NSExpression.expressionForEvaluatedObject()
        case 6: return NSExpression(forVariable: one(of: ["A", "B", "missing"]))
        case 7, 8: return NSExpression(forAggregate: expressions(number(below: 4), depth: depth - 1))
        case 9, 10, 11: return function(depth: depth - 1)
        case 12: return NSExpression(forUnionSet: expression(depth: depth - 1), with: expression(depth: depth - 1))
        case 13: return NSExpression(forIntersectSet: expression(depth: depth - 1), with: expression(depth: depth - 1))
        case 14: return NSExpression(forMinusSet: expression(depth: depth - 1), with: expression(depth: depth - 1))
        case 15:
            return NSExpression(
                forSubquery: expression(depth: depth - 1), usingIteratorVariable: one(of: ["A", "x"]),
                predicate: predicate(depth: depth - 1))
        case 16:
            return NSExpression(
                forConditional: predicate(depth: depth - 1), trueExpression: expression(depth: depth - 1),
                falseExpression: expression(depth: depth - 1))
        default:
            return NSExpression(
                forFunction: expression(depth: depth - 1),
                selectorName: one(of: ["valueForKeyPath:", "uppercaseString", "count", "isEqual:", "nonsense"]),
                arguments: one(of: [[], [NSExpression(forConstantValue: "title")]]))
        }
    }

    private mutating func function(depth: Int) -> NSExpression {
        let name = one(of: Self.functions)
        let arity = name.count { $0 == ":" }
        let count =
            ["sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:"].contains(name)
            ? 1 + number(below: 3) : arity
        var arguments = expressions(count, depth: depth)
        if name == "castObject:toType:" {
            // A type that there is not would not parse.
            arguments[1] = NSExpression(
                forConstantValue: one(of: [
                    "NSString", "NSNumber", "NSInteger", "NSDecimalNumber", "NSDate", "NSTimeInterval", "NSUUID",
                    "NSURL",
                    "NSData", "NSArray", "NSSet", "NSOrderedSet", "NSDictionary",
                ]))
        }
        return NSExpression(forFunction: name, arguments: arguments)
    }

    private mutating func keyPath() -> String {
        let keys = [
            "title", "pages", "price", "published", "rating", "copies", "inPrint", "identifier", "cover", "website",
            "size", "author", "author.name", "author.books", "author.books.title", "genres", "genres.name",
            "genres.@count", "loans.@sum.days", "loans.@max.fee", "loans.days", "tags", "info.nested.deep", "and",
            "self", "first", "@count", "tags.@distinctUnionOfObjects.length", "author.books.@unionOfSets.genres",
            "title.length", "a key with spaces", "title.1st", "größe", "NOT.in.ANY", "",
        ]
        return one(of: keys)
    }

    private mutating func constant() -> Any? {
        switch number(below: 20) {
        case 0: return nil
        case 1: return number(below: 2000) - 1000
        case 2: return Int64.random(in: .min ... .max, using: &random)
        case 3: return UInt64.random(in: 0 ... .max, using: &random)
        case 4: return Double.random(in: -1e3...1e3, using: &random)
        case 5: return one(of: [Double.infinity, -.infinity, .nan, 0, -0.0, 1e300, Double.leastNonzeroMagnitude, 0.1])
        case 6: return Decimal(string: one(of: ["1.10", "0.1", "-3.3333333333333333333333", "1e60", "100"]))
        case 7: return number(below: 2) == 0
        case 8: return Date(timeIntervalSinceReferenceDate: Double.random(in: -1e10...1e10, using: &random))
        case 9: return Library.identifier(1 + number(below: 8))
        case 10: return URL(string: "https://example.org/\(number(below: 3))")
        case 11: return Data((0..<number(below: 5)).map { UInt8($0) })
        case 12: return [1, "a", NSNull(), [2.5]] as [Any]
        case 13: return Set(["a", "b"])
        case 14: return NSOrderedSet(array: ["b", "a", 1])
        case 15: return ["k": 1, "l": "x"] as [String: Any]
        default:
            return one(of: [
                "", "Emma", "classic", "it's", "say \"hi\"", "back\\slash", "line\nbreak", "tab\t", "\u{0}\u{1}\u{7f}",
                "Čapek", "e\u{301}", "🇨🇿👩‍👩‍👧", "%@ $x {1}", "*?", "[a-z]+", "(", "AND",
            ])
        }
    }

    private static let operators: [NSComparisonPredicate.Operator] = [
        .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .matches, .like,
        .beginsWith, .endsWith, .in, .contains, .between,
    ]

    private static let functions = [
        "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:", "add:to:", "from:subtract:",
        "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:", "sqrt:", "log:", "ln:", "exp:", "floor:",
        "ceiling:", "abs:", "trunc:", "random", "randomn:", "now", "bitwiseAnd:with:", "bitwiseOr:with:",
        "bitwiseXor:with:", "leftshift:by:", "rightshift:by:", "onesComplement:", "uppercase:", "lowercase:",
        "canonical:", "length:", "noindex:", "distanceToLocation:fromLocation:", "castObject:toType:",
        "objectFrom:withIndex:",
    ]
}
