import Foundation

extension NSPredicate {
    /// The predicate that a format string describes, for strings that come from outside the program.
    ///
    /// Throws a `FormatError` that shows the string, a caret under the place, and what was expected there. No string
    /// crashes or hangs. (Our addition: Apple's only way is an exception.)
    public static func parse(_ predicateFormat: String, _ args: Any?...) throws -> NSPredicate {
        try parse(predicateFormat, argumentArray: args.map { $0 ?? NSNull() })
    }

    /// The predicate that a format string describes, with its arguments in an array.
    public static func parse(_ predicateFormat: String, argumentArray arguments: [Any]) throws -> NSPredicate {
        try FormatParser.predicate(predicateFormat, arguments)
    }
}

extension NSExpression {
    /// The expression that a format string describes, for strings that come from outside the program.
    public static func parse(_ expressionFormat: String, _ args: Any?...) throws -> NSExpression {
        try parse(expressionFormat, argumentArray: args.map { $0 ?? NSNull() })
    }

    /// The expression that a format string describes, with its arguments in an array.
    public static func parse(_ expressionFormat: String, argumentArray arguments: [Any]) throws -> NSExpression {
        try FormatParser.expression(expressionFormat, arguments)
    }
}
