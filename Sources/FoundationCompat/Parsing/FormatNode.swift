/// What a part of a format string says, with how deep it nests: a predicate or an expression.
struct FormatNode {
    enum Content {
        case predicate(NSPredicate)
        case expression(NSExpression)
    }

    let content: Content
    let depth: Int

    static func predicate(_ predicate: NSPredicate, depth: Int) -> FormatNode {
        FormatNode(content: .predicate(predicate), depth: depth)
    }

    static func expression(_ expression: NSExpression, depth: Int = 1) -> FormatNode {
        FormatNode(content: .expression(expression), depth: depth)
    }
}
