import Foundation

extension FormatParser {
    /// An operand with what stands before it, but without what follows it.
    mutating func operand() throws -> FormatNode {
        switch token {
        case .symbol(let symbol): return try operand(symbol)
        case .number(let literal):
            try advance()
            return .expression(NSExpression(forConstantValue: literal.value.number))
        case .string(let text):
            try advance()
            return .expression(NSExpression(forConstantValue: text))
        case .variable(let name):
            try advance()
            return .expression(NSExpression(forVariable: name))
        case .argument(let placeholder):
            let expression = try argument(placeholder)
            try advance()
            return .expression(expression)
        case .key(let key):
            try advance()
            return .expression(NSExpression(form: .keyPath(operand: nil, ParsedKeyPath(keys: [key]))))
        case .word(let word):
            if let keyword = Keyword(word: word), let node = try operand(keyword) { return node }
            return try keyOrFunction(word)
        case .end:
            throw failure("expected a key, a value or a condition before the end")
        }
    }

    private mutating func operand(_ symbol: Token.Symbol) throws -> FormatNode {
        switch symbol {
        case .openParenthesis:
            try advance()
            let inner = try node(.or)
            try expect(.closeParenthesis, "to close the parenthesis")
            return inner
        case .openBrace:
            return try aggregate()
        case .not:
            return try negation()
        case .minus:
            return try negative()
        case .complement:
            return try complement()
        case .plus:
            try advance()
            return try node(.prefix)
        default:
            throw failure("expected a key, a value or a condition before \"\(symbol.rawValue)\"")
        }
    }

    private mutating func operand(_ keyword: Keyword) throws -> FormatNode? {
        if keyword.isFunction {
            return following() == .symbol(.openParenthesis) ? try call(keyword) : nil
        }
        switch keyword {
        case .not: return try negation()
        case .any, .some, .all, .none: return try modified(keyword)
        case .self: return try constant(NSExpression.expressionForEvaluatedObject())
        case .null, .nil: return try constant(NSExpression(forConstantValue: nil))
        case .true, .yes: return try constant(NSExpression(forConstantValue: NSNumber(value: true)))
        case .false, .no: return try constant(NSExpression(forConstantValue: NSNumber(value: false)))
        case .anykey: return try constant(NSExpression.expressionForAnyKey())
        case .truepredicate, .falsepredicate:
            try advance()
            return .predicate(NSPredicate(value: keyword == .truepredicate), depth: 1)
        case .and, .or, .between, .in, .beginswith, .endswith, .contains, .like, .matches, .union, .intersect, .minus:
            let word = keyword.rawValue
            throw failure(
                "expected a key, a value or a condition before the reserved word \(word.uppercased()); "
                    + "a key of that name is written #\(word)")
        case .first, .last, .size, .caseinsensitive, .ci, .subquery, .function, .cast, .ternary, .fetch:
            return nil
        }
    }

    private mutating func constant(_ expression: NSExpression) throws -> FormatNode {
        try advance()
        return .expression(expression)
    }

    /// `NOT` binds less than a comparison, but more than `AND`.
    private mutating func negation() throws -> FormatNode {
        try advance()
        let offset = start
        let operand = try node(.not)
        return .predicate(
            NSCompoundPredicate(notPredicateWithSubpredicate: try predicate(operand, from: offset)),
            depth: try deeper(operand.depth))
    }

    private mutating func negative() throws -> FormatNode {
        try advance()
        let offset = start
        if case .number(let literal) = token, let negated = Arithmetic.negated(literal.value) {
            try advance()
            return .expression(NSExpression(forConstantValue: negated.number))
        }
        let operand = try node(.prefix)
        let zero = NSExpression(forConstantValue: NSNumber(value: 0))
        let form = ExpressionForm.function(
            operand: nil, name: "from:subtract:", arguments: [zero, try expression(operand, from: offset)])
        return .expression(NSExpression(form: form), depth: try deeper(operand.depth))
    }

    /// `~flags`
    private mutating func complement() throws -> FormatNode {
        try advance()
        let offset = start
        let operand = try node(.prefix)
        let form = ExpressionForm.function(
            operand: nil, name: BuiltInFunction.onesComplement.rawValue,
            arguments: [try expression(operand, from: offset)])
        return .expression(NSExpression(form: form), depth: try deeper(operand.depth))
    }

    /// A comparison behind `ANY`, `SOME`, `ALL` or `NONE`.
    private mutating func modified(_ keyword: Keyword) throws -> FormatNode {
        try advance()
        let offset = start
        let left = try node(.collection)
        guard case .comparison(let comparison) = InfixOperator(self), let modifier = keyword.modifier else {
            throw failure("expected a comparison operator such as == or CONTAINS")
        }
        let predicate = try self.comparison(left, comparison, modifier: modifier, from: offset)
        guard keyword == .none else { return predicate }
        return .predicate(
            NSCompoundPredicate(notPredicateWithSubpredicate: try self.predicate(predicate, from: offset)),
            depth: try deeper(predicate.depth))
    }

    private mutating func aggregate() throws -> FormatNode {
        try advance()
        var expressions: [NSExpression] = []
        var depth = 0
        while token != .symbol(.closeBrace) {
            if !expressions.isEmpty {
                try expect(.comma, "or \"}\" after the element")
            }
            let offset = start
            let element = try node(.or)
            expressions.append(try expression(element, from: offset))
            depth = max(depth, element.depth)
        }
        try advance()
        return .expression(NSExpression(form: .aggregate(expressions)), depth: try deeper(depth))
    }

    // MARK: Keys

    private mutating func keyOrFunction(_ word: String) throws -> FormatNode {
        let offset = start
        switch following() {
        case .symbol(.openParenthesis), .symbol(.colon):
            return try function(word, from: offset)
        default:
            try advance()
            return .expression(NSExpression(form: .keyPath(operand: nil, ParsedKeyPath(keys: [word]))))
        }
    }

    /// One more key behind a dot.
    mutating func path(_ left: FormatNode, from offset: Int) throws -> FormatNode {
        let base = try expression(left, from: offset)
        try advance()
        let keys: [String]
        switch token {
        case .word(let key), .key(let key):
            keys = [key]
        case .argument(let placeholder) where placeholder.kind == .keyPath:
            guard case .keyPath(_, let path) = try argument(placeholder).form else {
                throw failure("expected a key after the dot")
            }
            keys = path.keys
        default:
            throw failure("expected a key after the dot")
        }
        try advance()
        if case .keyPath(_, let path) = base.form, path.keys.count + keys.count > Self.maximumDepth {
            throw failure("the key path has more than \(Self.maximumDepth) keys")
        }
        let depth = left.depth + (base.form.hasPath ? 0 : 1)
        return .expression(
            NSExpression(form: base.form.appending(keys, to: base)), depth: try deeper(depth - 1))
    }

    /// `[0]`, `[FIRST]`, `["key"]` behind a collection.
    mutating func index(_ left: FormatNode, from offset: Int) throws -> FormatNode {
        let base = try expression(left, from: offset)
        try advance()
        let indexStart = start
        let place: FormatNode
        if let symbol = keyword.flatMap({ ExpressionForm.Symbol(rawValue: $0.rawValue.uppercased()) }),
            following() == .symbol(.closeBracket)
        {
            try advance()
            place = .expression(NSExpression(form: .symbol(symbol)))
        } else {
            place = try node(.or)
        }
        try expect(.closeBracket, "after the index")
        let form = ExpressionForm.function(
            operand: nil, name: BuiltInFunction.index.rawValue,
            arguments: [base, try expression(place, from: indexStart)])
        return .expression(NSExpression(form: form), depth: try deeper(left.depth, place.depth))
    }
}
