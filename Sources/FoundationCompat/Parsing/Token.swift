/// A piece of a format string.
enum Token: Equatable {
    /// A word that may be a keyword or a key.
    case word(String)
    /// A word that can't be a keyword, because of a `#` before it; or a key-path operator with its `@`.
    case key(String)
    /// `$NAME`, without the `$`.
    case variable(String)
    case string(String)
    /// The text of a number literal.
    case number(NumberLiteral)
    /// `%@`, `%K`, `%d`: takes an argument.
    case argument(ArgumentPlaceholder)
    /// An operator or a bracket.
    case symbol(Symbol)
    case end

    enum Symbol: String, CaseIterable {
        case assign = ":="
        case power = "**"
        case shiftLeft = "<<"
        case shiftRight = ">>"
        case equalEqual = "=="
        case greaterEqual = ">="
        case equalGreater = "=>"
        case lessEqual = "<="
        case equalLess = "=<"
        case notEqual = "!="
        case lessGreater = "<>"
        case and = "&&"
        case or = "||"
        case equal = "="
        case greater = ">"
        case less = "<"
        case not = "!"
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divide = "/"
        case bitwiseAnd = "&"
        case bitwiseOr = "|"
        case bitwiseXor = "^"
        case complement = "~"
        case openParenthesis = "("
        case closeParenthesis = ")"
        case openBracket = "["
        case closeBracket = "]"
        case openBrace = "{"
        case closeBrace = "}"
        case comma = ","
        case dot = "."
        case colon = ":"
    }
}

/// A number in a format string.
struct NumberLiteral: Equatable {
    /// Negative for a literal with a sign only.
    let value: NumericValue

    static func == (left: NumberLiteral, right: NumberLiteral) -> Bool {
        NumericValue.order(left.value, right.value) == .orderedSame
    }
}

/// A place for an argument in a format string.
struct ArgumentPlaceholder: Equatable {
    enum Kind: Equatable {
        /// `%@`
        case object
        /// `%K`
        case keyPath
        /// `%d`, `%lu`, `%f` and so on.
        case number
        /// `%s`
        case cString
        /// `%c`
        case character
    }

    let kind: Kind
    /// As it is written.
    let text: String
    /// The one-based place among the arguments in `%2$@`; nil means the next one.
    let position: Int?
}
