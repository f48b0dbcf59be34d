import Foundation

/// Parses format strings by precedence climbing.
///
/// Predicates and expressions share one grammar, so that what a parenthesis encloses is known when it closes and
/// nothing is ever read twice. Both the recursion and the depth of the tree are bounded: what was parsed can also be
/// printed, evaluated and released on a thread with a small stack.
struct FormatParser {
    /// How tightly operators bind. Those of bits bind as in C, but more than a comparison, which has no value that they
    /// could take.
    enum Precedence: Int, Comparable {
        case or = 1, and, not, comparison, collection, bitwiseOr, bitwiseXor, bitwiseAnd, shift
        case sum, product, power, prefix, postfix

        static func < (left: Precedence, right: Precedence) -> Bool {
            left.rawValue < right.rawValue
        }

        var next: Precedence {
            Precedence(rawValue: rawValue + 1) ?? self
        }
    }

    /// How deep the parser may recurse.
    ///
    /// A level takes up to 7 KB of stack in a debug build.
    private enum Nesting: Int {
        /// What the caller's stack surely holds: 512 KB are enough.
        case ordinary = 56
        /// For what nests deeper, on a thread with a stack of its own.
        case deep = 256

        static let deepStack = 4 << 20
    }

    /// Says that a format nests deeper than the caller's stack is trusted to hold.
    private struct NestsDeep: Error {}

    /// How deep the tree may be, chains such as `a + b + c` included, which take no recursion to parse, but do to
    /// print and to evaluate, on any thread: up to 3.3 KB of stack a level.
    static let maximumDepth = 120

    private var tokenizer: Tokenizer
    private var arguments: FormatArguments
    private(set) var token = Token.end
    /// Where the current token begins.
    private(set) var start = 0
    private var depth = 0
    private let nesting: Nesting

    private init(_ format: String, _ arguments: [Any], _ nesting: Nesting) throws {
        tokenizer = Tokenizer(format)
        self.arguments = FormatArguments(arguments)
        self.nesting = nesting
        try advance()
    }

    static func predicate(_ format: String, _ arguments: [Any]) throws -> NSPredicate {
        try whole(format, arguments) { parser in
            let node = try parser.node(.or)
            return try parser.predicate(node, from: 0)
        }
    }

    static func expression(_ format: String, _ arguments: [Any]) throws -> NSExpression {
        try whole(format, arguments) { parser in
            let node = try parser.node(.or)
            return try parser.expression(node, from: 0)
        }
    }

    private static func whole<Value>(
        _ format: String, _ arguments: [Any], _ read: @escaping (inout FormatParser) throws -> Value
    ) throws -> Value {
        func parse(_ nesting: Nesting) throws -> Value {
            var parser = try FormatParser(format, arguments, nesting)
            let value = try read(&parser)
            try parser.expectEnd()
            return value
        }
        do {
            return try parse(.ordinary)
        } catch is NestsDeep {
            return try RoomyThread.run(stackSize: Nesting.deepStack) { try parse(.deep) }
        }
    }

    // MARK: Tokens

    mutating func advance() throws {
        start = tokenizer.nextStart()
        token = try tokenizer.next()
    }

    /// The token after the current one.
    func following() -> Token? {
        var ahead = tokenizer
        // What can't be read is met, with its error, when it is reached.
        return try? ahead.next()
    }

    func failure(at offset: Int? = nil, _ expectation: String) -> FormatError {
        tokenizer.error(at: offset ?? start, expected: expectation)
    }

    mutating func consume(_ symbol: Token.Symbol) throws -> Bool {
        guard token == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: Token.Symbol, _ place: String) throws {
        guard try consume(symbol) else { throw failure("expected \"\(symbol.rawValue)\" \(place)") }
    }

    private func expectEnd() throws {
        guard token == .end else { throw failure("expected an operator such as AND, or the end") }
    }

    /// The keyword that the current token is, where keywords count.
    var keyword: Keyword? {
        guard case .word(let word) = token else { return nil }
        return Keyword(word: word)
    }

    mutating func argument(_ placeholder: ArgumentPlaceholder) throws -> NSExpression {
        switch arguments.expression(for: placeholder) {
        case .success(let expression): return expression
        case .failure(let problem): throw failure(problem.expectation)
        }
    }

    // MARK: Nodes

    func predicate(_ node: FormatNode, from offset: Int) throws -> NSPredicate {
        switch node.content {
        case .predicate(let predicate): return predicate
        case .expression:
            throw failure("expected a comparison operator such as == or CONTAINS")
        }
    }

    func expression(_ node: FormatNode, from offset: Int) throws -> NSExpression {
        switch node.content {
        case .expression(let expression): return expression
        case .predicate:
            throw failure(at: offset, "expected a value here, not a condition")
        }
    }

    /// One more level over nodes of this depth.
    func deeper(_ depths: Int...) throws -> Int {
        let depth = (depths.max() ?? 0) + 1
        guard depth <= Self.maximumDepth else { throw tooDeep(Self.maximumDepth) }
        return depth
    }

    private func tooDeep(_ limit: Int) -> FormatError {
        failure("the format nests more than \(limit) levels deep")
    }

    /// What follows, up to an operator that binds less than the given precedence.
    mutating func node(_ minimum: Precedence) throws -> FormatNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= nesting.rawValue else {
            throw nesting == .ordinary ? NestsDeep() : tooDeep(nesting.rawValue) as any Error
        }
        let offset = start
        var left = try operand()
        while let infix = InfixOperator(self), infix.precedence >= minimum {
            left = try combined(left, infix, from: offset)
        }
        return left
    }

    private mutating func combined(
        _ left: FormatNode, _ infix: InfixOperator, from offset: Int
    ) throws -> FormatNode {
        switch infix {
        case .logical(let type):
            return try compound(left, type, infix.precedence, from: offset)
        case .comparison(let comparison):
            return try self.comparison(left, comparison, modifier: .direct, from: offset)
        case .function(let name, _):
            return try arithmetic(left, name, infix, from: offset)
        case .collection(let operation):
            try advance()
            let rightStart = start
            let right = try node(infix.precedence.next)
            let form = ExpressionForm.setOperation(
                operation, try expression(left, from: offset), try expression(right, from: rightStart))
            return .expression(NSExpression(form: form), depth: try deeper(left.depth, right.depth))
        case .path:
            return try path(left, from: offset)
        case .index:
            return try index(left, from: offset)
        case .assignment:
            return try assignment(left, from: offset)
        }
    }

    /// `a AND b AND c`, as one compound of three; `(a AND b) AND c`, too, as Apple's parser makes it (seen in tests of
    /// Graph). What is nested at the right stays so.
    private mutating func compound(
        _ left: FormatNode, _ type: NSCompoundPredicate.LogicalType, _ precedence: Precedence, from offset: Int
    ) throws -> FormatNode {
        let first = try predicate(left, from: offset)
        var predicates = [first]
        var depth = left.depth
        if let compound = first as? NSCompoundPredicate, compound.compoundPredicateType == type {
            predicates = compound.subpredicates
            depth -= 1
        }
        while case .logical(type) = InfixOperator(self) {
            try advance()
            let rightStart = start
            let right = try node(precedence.next)
            predicates.append(try predicate(right, from: rightStart))
            depth = max(depth, right.depth)
        }
        return .predicate(
            NSCompoundPredicate(type: type, subpredicates: predicates), depth: try deeper(depth))
    }

    private mutating func arithmetic(
        _ left: FormatNode, _ name: String, _ infix: InfixOperator, from offset: Int
    ) throws -> FormatNode {
        try advance()
        let rightStart = start
        let right = try node(infix.precedence.next)
        let operands = [try expression(left, from: offset), try expression(right, from: rightStart)]
        return .expression(
            NSExpression(form: .function(operand: nil, name: name, arguments: operands)),
            depth: try deeper(left.depth, right.depth))
    }

    private mutating func assignment(_ left: FormatNode, from offset: Int) throws -> FormatNode {
        guard case .expression(let target) = left.content, case .variable(let name) = target.form else {
            throw failure(at: offset, "expected a variable before \":=\"")
        }
        try advance()
        let rightStart = start
        let right = try node(.collection)
        return .expression(
            NSExpression(form: .assignment(variable: name, try expression(right, from: rightStart))),
            depth: try deeper(right.depth))
    }

    // MARK: Comparisons

    /// A comparison behind its left side; the current token is the operator.
    mutating func comparison(
        _ left: FormatNode, _ comparison: InfixOperator.Comparison,
        modifier: NSComparisonPredicate.Modifier, from offset: Int
    ) throws -> FormatNode {
        let leftExpression = try expression(left, from: offset)
        try advance()
        if case .selector(let name) = comparison {
            try expect(.colon, "after the name of the comparison")
            let rightStart = start
            let right = try node(.collection)
            return .predicate(
                NSComparisonPredicate(
                    leftExpression: leftExpression, rightExpression: try expression(right, from: rightStart),
                    customSelector: Selector(name + ":")),
                depth: try deeper(left.depth, right.depth))
        }
        guard case .built(let type) = comparison else { throw failure("expected a comparison operator") }
        let options = try comparisonOptions()
        let rightStart = start
        let right = try node(.collection)
        let rightExpression = try expression(right, from: rightStart)
        if type == .between, case .aggregate(let bounds) = rightExpression.form, bounds.count != 2 {
            throw failure(at: rightStart, "expected a lower and an upper bound, such as {1, 10}")
        }
        return .predicate(
            NSComparisonPredicate(
                leftExpression: leftExpression, rightExpression: rightExpression, modifier: modifier, type: type,
                options: options),
            depth: try deeper(left.depth, right.depth))
    }

    /// `[cd]` behind an operator.
    private mutating func comparisonOptions() throws -> NSComparisonPredicate.Options {
        guard try consume(.openBracket) else { return [] }
        guard case .word(let letters) = token else { throw failure("expected options such as c or cd") }
        var options: NSComparisonPredicate.Options = []
        for letter in letters {
            switch letter {
            case "c", "C": options.insert(.caseInsensitive)
            case "d", "D": options.insert(.diacriticInsensitive)
            case "n", "N": options.insert(.normalized)
            case "l", "L": options.insert(.localeSensitive)
            default: throw failure("there is no option \(letter); expected c, d, n or l")
            }
        }
        try advance()
        try expect(.closeBracket, "after the options")
        return options
    }
}
