import Foundation

/// Gives `NSExpression` initialisers that answer the fitting subclass; see `PredicateFactory`.
public protocol ExpressionFactory {}

extension ExpressionFactory where Self: NSExpression {
    /// The expression that a format string describes, with an argument for each `%@`, `%K`, `%d` and so on.
    ///
    /// A bad format stops the program and says where it went wrong; Apple raises an exception. A string that comes
    /// from outside belongs into `NSExpression.parse(_:_:)`.
    public init(format expressionFormat: String, _ args: Any?...) {
        self.init(format: expressionFormat, argumentArray: args.map { $0 ?? NSNull() })
    }

    /// The expression that a format string describes, with its arguments in an array.
    ///
    /// A bad format stops the program and says where it went wrong; Apple raises an exception.
    public init(format expressionFormat: String, argumentArray arguments: [Any]) {
        do {
            let expression = try NSExpression.parse(expressionFormat, argumentArray: arguments)
            guard let own = expression as? Self else {
                fatalError("The format \"\(expressionFormat)\" makes a \(type(of: expression)), not a \(Self.self)")
            }
            self = own
        } catch {
            fatalError("\(error)")
        }
    }
}
