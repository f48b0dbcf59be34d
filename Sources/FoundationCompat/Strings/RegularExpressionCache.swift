import Foundation

/// Compiled patterns of the `MATCHES` operator.
enum RegularExpressionCache {
    struct Expression {
        fileprivate let regularExpression: NSRegularExpression
        fileprivate let ignoringDiacritics: Bool
        fileprivate let pattern: String

        /// For how long one string may be looked at. A pattern such as `(a+)+b` would take longer than a life for a short text.
        private static let longestTime = 1.0

        /// Whether the whole string matches, line breaks included.
        ///
        /// - Throws: an error where the pattern takes too long to say.
        func matchesWhole(of string: String) throws -> Bool {
            let text = ignoringDiacritics ? StringFolding.folded(string, .diacriticInsensitive) : string
            let whole = NSRange(location: 0, length: text.utf16.count)
            var deadline: Double?
            var matches = false
            var isTooSlow = false
            // The expression asks from time to time whether it is to go on; a simple one is done before the first time.
            regularExpression.enumerateMatches(in: text, options: [.anchored, .reportProgress], range: whole) {
                result, _, stop in
                if let result {
                    matches = result.range == whole
                    stop.pointee = true
                    return
                }
                let now = ProcessInfo.processInfo.systemUptime
                if let deadline, now > deadline {
                    isTooSlow = true
                    stop.pointee = true
                } else if deadline == nil {
                    deadline = now + Self.longestTime
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
    // Safe: the lock beside it is held by whoever reads or writes.
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
            ignoringDiacritics: ignoringDiacritics, pattern: pattern)
        lock.withLock {
            if expressions.count >= capacity { expressions.removeAll() }
            expressions[key] = expression
        }
        return expression
    }
}
