import Foundation

/// Compiled patterns of the `MATCHES` operator.
enum RegularExpressionCache {
    struct Expression {
        fileprivate let regularExpression: NSRegularExpression
        fileprivate let ignoringDiacritics: Bool

        /// Whether the whole string matches, line breaks included.
        func matchesWhole(of string: String) -> Bool {
            let text = ignoringDiacritics ? StringFolding.folded(string, .diacriticInsensitive) : string
            let whole = NSRange(location: 0, length: text.utf16.count)
            return regularExpression.firstMatch(in: text, options: .anchored, range: whole)?.range == whole
        }
    }

    private struct Key: Hashable {
        let pattern: [UInt8]
        let options: UInt
    }

    private static let capacity = 64
    private static let lock = NSLock()
    nonisolated(unsafe) private static var expressions: [Key: Expression] = [:]

    static func expression(_ pattern: String, _ options: NSComparisonPredicate.Options) throws -> Expression {
        let key = Key(pattern: Array(pattern.utf8), options: options.rawValue)
        if let known = lock.withLock({ expressions[key] }) { return known }
        let ignoringDiacritics = options.contains(.diacriticInsensitive)
        let text = ignoringDiacritics ? StringFolding.folded(pattern, .diacriticInsensitive) : pattern
        // The group makes an alternation match as a whole; alone, the pattern shows what is wrong with it.
        _ = try NSRegularExpression(pattern: text)
        let expression = Expression(
            regularExpression: try NSRegularExpression(
                pattern: "(?:\(text))\\z", options: options.contains(.caseInsensitive) ? .caseInsensitive : []),
            ignoringDiacritics: ignoringDiacritics)
        lock.withLock {
            if expressions.count >= capacity { expressions.removeAll() }
            expressions[key] = expression
        }
        return expression
    }
}
