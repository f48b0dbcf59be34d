/// What may stand behind a complete operand.
enum InfixOperator {
    enum Comparison: Equatable {
        case built(NSComparisonPredicate.Operator)
        /// The name of a method that compares, before a colon.
        case selector(String)
    }

    case logical(NSCompoundPredicate.LogicalType)
    case comparison(Comparison)
    /// An operator that stands for a function of two arguments.
    case function(String, FormatParser.Precedence)
    case collection(ExpressionForm.SetOperation)
    case path
    case index
    case assignment

    /// The operator that a parser is at; nil where it is at something else.
    init?(_ parser: FormatParser) {
        switch parser.token {
        case .symbol(let symbol):
            self.init(symbol)
        case .word(let word):
            if let keyword = Keyword(word: word), let infix = InfixOperator(keyword) {
                self = infix
            } else if parser.following() == .symbol(.colon) {
                self = .comparison(.selector(word))
            } else {
                return nil
            }
        default:
            return nil
        }
    }

    private init?(_ symbol: Token.Symbol) {
        switch symbol {
        case .and: self = .logical(.and)
        case .or: self = .logical(.or)
        case .equal, .equalEqual: self = .comparison(.built(.equalTo))
        case .notEqual, .lessGreater: self = .comparison(.built(.notEqualTo))
        case .less: self = .comparison(.built(.lessThan))
        case .lessEqual, .equalLess: self = .comparison(.built(.lessThanOrEqualTo))
        case .greater: self = .comparison(.built(.greaterThan))
        case .greaterEqual, .equalGreater: self = .comparison(.built(.greaterThanOrEqualTo))
        case .plus: self = .function("add:to:", .sum)
        case .minus: self = .function("from:subtract:", .sum)
        case .times: self = .function("multiply:by:", .product)
        case .divide: self = .function("divide:by:", .product)
        case .power: self = .function("raise:toPower:", .power)
        case .bitwiseAnd: self = .function("bitwiseAnd:with:", .bitwiseAnd)
        case .bitwiseOr: self = .function("bitwiseOr:with:", .bitwiseOr)
        case .bitwiseXor: self = .function("bitwiseXor:with:", .bitwiseXor)
        case .shiftLeft: self = .function("leftshift:by:", .shift)
        case .shiftRight: self = .function("rightshift:by:", .shift)
        case .dot: self = .path
        case .openBracket: self = .index
        case .assign: self = .assignment
        default: return nil
        }
    }

    private init?(_ keyword: Keyword) {
        switch keyword {
        case .and: self = .logical(.and)
        case .or: self = .logical(.or)
        case .union: self = .collection(.union)
        case .intersect: self = .collection(.intersect)
        case .minus: self = .collection(.minus)
        default:
            guard let comparison = keyword.comparison else { return nil }
            self = .comparison(.built(comparison))
        }
    }

    var precedence: FormatParser.Precedence {
        switch self {
        case .logical(.or): return .or
        case .logical: return .and
        case .comparison: return .comparison
        case .function(_, let precedence): return precedence
        case .collection: return .collection
        case .path, .index: return .postfix
        case .assignment: return .comparison
        }
    }
}
