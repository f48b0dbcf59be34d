import Foundation

/// What a printed constant looks like where the format language has no literal for it: a UUID, URL, data, a set.
enum ConstantStyle {
    /// As Apple prints it, by its description, which nothing parses (seen in tests of flapjack and CoreDataStack).
    case described
    /// A `CAST` of a literal, which parses to an equal constant.
    case parsable
}

extension NSPredicate {
    /// The format string that parses to an equal predicate, where the predicate has one: for model files, and for telling rules apart.
    package var parsableFormat: String { FormatPrinter(constants: .parsable).text(of: self) }
}

/// Prints predicates and expressions as format strings.
struct FormatPrinter {
    typealias Precedence = FormatParser.Precedence

    let constants: ConstantStyle

    private var literals: LiteralPrinter { LiteralPrinter(style: constants) }

    // MARK: Predicates

    /// The text of a predicate inside of another one.
    func text(of predicate: NSPredicate) -> String {
        switch (constants, predicate) {
        // By its own property, which a subclass may override.
        case (.described, _): predicate.predicateFormat
        case (.parsable, let comparison as NSComparisonPredicate): text(ofComparison: comparison)
        case (.parsable, let compound as NSCompoundPredicate): text(ofCompound: compound)
        case (.parsable, _): predicate.predicateFormat
        }
    }

    func text(ofComparison predicate: NSComparisonPredicate) -> String {
        let modifier: String
        switch predicate.comparisonPredicateModifier {
        case .direct: modifier = ""
        case .any: modifier = "ANY "
        case .all: modifier = "ALL "
        }
        let left = text(of: predicate.leftExpression, atLeast: .collection)
        let right = text(of: predicate.rightExpression, atLeast: .collection)
        return "\(modifier)\(left) \(operatorText(predicate)) \(right)"
    }

    private func operatorText(_ predicate: NSComparisonPredicate) -> String {
        let name: String
        switch predicate.predicateOperatorType {
        case .lessThan: name = "<"
        case .lessThanOrEqualTo: name = "<="
        case .greaterThan: name = ">"
        case .greaterThanOrEqualTo: name = ">="
        case .equalTo: name = "=="
        case .notEqualTo: name = "!="
        case .matches: name = "MATCHES"
        case .like: name = "LIKE"
        case .beginsWith: name = "BEGINSWITH"
        case .endsWith: name = "ENDSWITH"
        case .in: name = "IN"
        case .contains: name = "CONTAINS"
        case .between: name = "BETWEEN"
        case .customSelector: return predicate.customSelector?.description ?? ""
        }
        var letters = ""
        if predicate.options.contains(.caseInsensitive) { letters += "c" }
        if predicate.options.contains(.diacriticInsensitive) { letters += "d" }
        if predicate.options.contains(.normalized) { letters += "n" }
        if predicate.options.contains(.localeSensitive) { letters += "l" }
        return letters.isEmpty ? name : "\(name)[\(letters)]"
    }

    func text(ofCompound predicate: NSCompoundPredicate) -> String {
        let operands = predicate.subpredicates.map(operandText)
        switch predicate.compoundPredicateType {
        case .not: return "NOT " + operands[0]
        case .and: return operands.isEmpty ? "TRUEPREDICATE" : joined(predicate, operands, " AND ")
        case .or: return operands.isEmpty ? "FALSEPREDICATE" : joined(predicate, operands, " OR ")
        }
    }

    private func joined(_ predicate: NSCompoundPredicate, _ operands: [String], _ separator: String) -> String {
        operands.count == 1 ? text(of: predicate.subpredicates[0]) : operands.joined(separator: separator)
    }

    /// In parentheses, if it is a compound itself, of one condition or with NOT as well (seen in tests of Graph).
    private func operandText(_ predicate: NSPredicate) -> String {
        guard let compound = predicate as? NSCompoundPredicate, !compound.subpredicates.isEmpty else {
            return text(of: predicate)
        }
        return "(\(text(of: compound)))"
    }

    // MARK: Expressions

    func text(of expression: NSExpression) -> String {
        switch CastTarget.simplified(expression).form {
        // As Apple prints it, which nothing parses; a literal nil is "nil" (seen in tests of QueryKit).
        case .constant(is NSNull): return "<null>"
        case .constant(let value): return literals.text(of: value)
        case .evaluatedObject: return "SELF"
        case .variable(let name): return "$" + name
        case .keyPath(let operand, let path): return text(ofPath: path, of: operand)
        case .keyPathSpecifier(let path): return path.string
        case .function(let operand?, let name, let arguments):
            return "FUNCTION("
                + ([text(of: operand), LiteralPrinter.quoted(name)] + arguments.map(text))
                .joined(separator: ", ") + ")"
        case .function(nil, let name, let arguments): return text(ofFunction: name, arguments)
        case .aggregate(let expressions): return "{" + list(expressions) + "}"
        case .setOperation(let operation, let left, let right):
            let name: String
            switch operation {
            case .union: name = "UNION"
            case .intersect: name = "INTERSECT"
            case .minus: name = "MINUS"
            }
            return "\(text(of: left, atLeast: .collection)) \(name) \(text(of: right, atLeast: .sum))"
        case .subquery(let collection, let variable, let predicate):
            return "SUBQUERY(\(text(of: collection)), $\(variable), \(text(of: predicate)))"
        case .conditional(let predicate, let first, let second):
            return "TERNARY(\(text(of: predicate)), \(text(of: first)), \(text(of: second)))"
        case .block(_, let arguments): return "BLOCK(" + list(arguments) + ")"
        case .anyKey: return "ANYKEY"
        case .symbol(let symbol): return symbol.rawValue
        case .assignment(let variable, let value):
            return "$\(variable) := \(text(of: value, atLeast: .collection))"
        case .subclass: return expression.description
        }
    }

    private func list(_ expressions: [NSExpression]) -> String {
        expressions.map(text).joined(separator: ", ")
    }

    /// In parentheses, if it binds less than its surroundings ask for.
    private func text(of expression: NSExpression, atLeast minimum: Precedence) -> String {
        let text = text(of: expression)
        return precedence(of: expression) < minimum ? "(\(text))" : text
    }

    private func precedence(of expression: NSExpression) -> Precedence {
        switch expression.form {
        case .setOperation: return .collection
        case .assignment: return .comparison
        case .function(nil, let name, _):
            return BuiltInFunction(rawValue: name)?.infix.flatMap { Precedence(rawValue: $0.precedence) } ?? .postfix
        default: return .postfix
        }
    }

    private func text(ofFunction name: String, _ arguments: [NSExpression]) -> String {
        if let infix = BuiltInFunction(rawValue: name)?.infix, arguments.count == 2,
            let precedence = Precedence(rawValue: infix.precedence)
        {
            let left = text(of: arguments[0], atLeast: precedence)
            return "\(left) \(infix.symbol) \(text(of: arguments[1], atLeast: precedence.next))"
        }
        switch (BuiltInFunction(rawValue: name), arguments.count) {
        case (.index, 2):
            return "\(text(of: arguments[0], atLeast: .postfix))[\(text(of: arguments[1]))]"
        case (.cast, 2): return "CAST(" + list(arguments) + ")"
        default: return "\(name)(\(list(arguments)))"
        }
    }

    private func text(ofPath path: ParsedKeyPath, of operand: NSExpression?) -> String {
        let keys = path.keys.map(KeyPrinter.text)
        guard !keys.contains(nil) else {
            // A key that no format can spell.
            let target = operand.map(text) ?? "SELF"
            let selector = path.isSingleKey ? "valueForKey:" : "valueForKeyPath:"
            return "FUNCTION(\(target), \"\(selector)\", \(LiteralPrinter.quoted(path.string)))"
        }
        let text = keys.compactMap { $0 }.joined(separator: ".")
        return operand.map { "\(self.text(of: $0, atLeast: .postfix)).\(text)" } ?? text
    }
}

/// Prints keys as a format string can have them.
enum KeyPrinter {
    /// With a `#` before a reserved word; nil for a key that isn't made like a word.
    static func text(of key: String) -> String? {
        let isOperator = key.hasPrefix("@")
        let word = isOperator ? String(key.dropFirst()) : key
        guard let first = word.unicodeScalars.first, Tokenizer.startsWord(first),
            word.unicodeScalars.allSatisfy(Tokenizer.continuesWord)
        else { return nil }
        return !isOperator && Keyword(word: word) != nil ? "#" + key : key
    }
}
