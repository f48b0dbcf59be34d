import Foundation

/// Compiled patterns of the `MATCHES` operator.
enum RegularExpressionCache {
    struct Expression {
        fileprivate let regularExpression: NSRegularExpression
        fileprivate let options: NSComparisonPredicate.Options
        fileprivate let pattern: String

        /// How often the expression may report progress while it looks at one string: once for ten thousand ways that it may have to
        /// come back to. Foundation's own limit counts what the pattern does at each of them, so that a longer pattern has to do with
        /// fewer; it lies above this one (measured: two to ten times), and answers "no match" without a word.
        private var allowedReports: Int { max(20, 2000 / (1 + regularExpression.pattern.utf16.count / 25)) }

        /// Whether the whole string matches, line breaks included.
        ///
        /// - Throws: an error where the pattern takes too much time or memory to say: the same for the same string, whatever else
        ///   the machine does.
        func matchesWhole(of string: String) throws -> Bool {
            let text = StringFolding.composed(string, options)
            let whole = NSRange(location: 0, length: text.utf16.count)
            let allowedReports = allowedReports
            var reports = 0
            var matches = false
            var isTooSlow = false
            // The expression asks from time to time whether it is to go on; a simple one is done before the first time.
            regularExpression.enumerateMatches(
                in: text, options: [.anchored, .reportProgress, .reportCompletion], range: whole
            ) { result, flags, stop in
                if let result {
                    matches = result.range == whole
                    stop.pointee = true
                } else if flags.contains(.internalError) {
                    isTooSlow = true
                } else if flags.contains(.progress) {
                    reports += 1
                    isTooSlow = reports > allowedReports
                    if isTooSlow { stop.pointee = true }
                }
            }
            guard !isTooSlow else { throw PatternTooSlow(pattern: pattern) }
            return matches
        }
    }

    private struct Key: Hashable {
        let pattern: [UInt8]
        let options: UInt
    }

    private static let capacity = 64
    private static let lock = NSLock()
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var expressions: [Key: Expression] = [:]

    static func expression(_ pattern: String, _ options: NSComparisonPredicate.Options) throws -> Expression {
        let key = Key(pattern: Array(pattern.utf8), options: options.rawValue)
        if let known = lock.withLock({ expressions[key] }) { return known }
        let text = StringFolding.composed(pattern, options)
        // The group makes an alternation match as a whole; alone, the pattern shows what is wrong with it.
        _ = try NSRegularExpression(pattern: text)
        let expression = Expression(
            regularExpression: try NSRegularExpression(
                pattern: "(?:\(text))\\z", options: options.contains(.caseInsensitive) ? .caseInsensitive : []),
            options: options, pattern: pattern)
        lock.withLock {
            if expressions.count >= capacity { expressions.removeAll() }
            expressions[key] = expression
        }
        return expression
    }
}
