import Foundation

/// How the string operators of predicates compare: one rule for evaluation in memory and for SQL functions.
///
/// Without options strings compare scalar by scalar, as SQLite's BINARY collation does, so that composed and
/// decomposed characters differ. `[c]` and `[d]` fold case and diacritics and look through composition; without `[d]` a letter is
/// found with its marks or not at all (``LetterBoundary``). `[n]` says that the strings need no such care and switches `[c]` and `[d]` off
/// (Apple: NSComparisonPredicate.Options). `[l]` orders as the current locale does, and looks through composition as well.
package enum StringComparison {
    /// The options that are in force, after `[n]`.
    private static func effective(_ options: NSComparisonPredicate.Options) -> NSComparisonPredicate.Options {
        options.contains(.normalized) ? [] : options
    }

    /// `==`
    package static func equal(_ left: String, _ right: String, _ options: NSComparisonPredicate.Options) -> Bool {
        let options = effective(options)
        if let result = withASCII(
            left, right,
            { left, right in
                let ignoringCase = options.contains(.caseInsensitive)
                return left.count == right.count && ASCIIText.matches(left, right, at: 0, ignoringCase: ignoringCase)
            })
        {
            return result
        }
        let (left, right) = (StringFolding.folded(left, options), StringFolding.folded(right, options))
        return left.utf8.elementsEqual(right.utf8)
    }

    /// `<`, `==` and `>`
    package static func order(
        _ left: String, _ right: String, _ options: NSComparisonPredicate.Options
    ) -> ComparisonResult {
        if options.contains(.localeSensitive) {
            return localeOrder(left, right, options)
        }
        let options = effective(options)
        if let result = withASCII(
            left, right,
            { left, right in
                ASCIIText.order(left, right, ignoringCase: options.contains(.caseInsensitive))
            })
        {
            return result
        }
        return binaryOrder(StringFolding.folded(left, options), StringFolding.folded(right, options))
    }

    /// `BEGINSWITH`; every string begins with the empty one.
    package static func beginsWith(
        _ string: String, _ prefix: String, _ options: NSComparisonPredicate.Options
    ) -> Bool {
        let options = effective(options)
        if let result = withASCII(
            string, prefix,
            { string, prefix in
                prefix.count <= string.count
                    && ASCIIText.matches(string, prefix, at: 0, ignoringCase: options.contains(.caseInsensitive))
            })
        {
            return result
        }
        return finds(prefix, in: string, options) { _ in 0...0 }
    }

    /// `ENDSWITH`; every string ends with the empty one.
    package static func endsWith(
        _ string: String, _ suffix: String, _ options: NSComparisonPredicate.Options
    ) -> Bool {
        let options = effective(options)
        if let result = withASCII(
            string, suffix,
            { string, suffix in
                suffix.count <= string.count
                    && ASCIIText.matches(
                        string, suffix, at: string.count - suffix.count,
                        ignoringCase: options.contains(.caseInsensitive))
            })
        {
            return result
        }
        return finds(suffix, in: string, options) { last in last...last }
    }

    /// `CONTAINS`; every string contains the empty one.
    package static func contains(
        _ string: String, _ part: String, _ options: NSComparisonPredicate.Options
    ) -> Bool {
        let options = effective(options)
        if let result = withASCII(
            string, part,
            { string, part in
                ASCIIText.contains(string, part, ignoringCase: options.contains(.caseInsensitive))
            })
        {
            return result
        }
        return finds(part, in: string, options) { last in 0...last }
    }

    /// Whether the part, folded, is found at one of the offsets, which are chosen by the last one where there is room.
    private static func finds(
        _ part: String, in string: String, _ options: NSComparisonPredicate.Options,
        at offsets: (_ last: Int) -> ClosedRange<Int>
    ) -> Bool {
        var (string, part) = (StringFolding.folded(string, options), StringFolding.folded(part, options))
        return string.withUTF8 { string in
            part.withUTF8 { part in
                guard part.count <= string.count else { return false }
                let findsAnything = part.isEmpty || !StringFolding.keepsLetters(options)
                return offsets(string.count - part.count).contains { offset in
                    ASCIIText.matches(string, part, at: offset, ignoringCase: false)
                        && (findsAnything
                            || LetterBoundary.lies(at: offset, in: string)
                                && LetterBoundary.lies(at: offset + part.count, in: string))
                }
            }
        }
    }

    /// `LIKE`: `?` stands for one character and `*` for any number of them; a backslash takes the meaning away.
    package static func like(
        _ string: String, _ pattern: String, _ options: NSComparisonPredicate.Options
    ) -> Bool {
        WildcardPattern(pattern, effective(options)).matches(string)
    }

    /// `MATCHES`: whether the whole string matches an ICU regular expression. Throws where the pattern is none.
    package static func matches(
        _ string: String, _ pattern: String, _ options: NSComparisonPredicate.Options
    ) throws -> Bool {
        try RegularExpressionCache.expression(pattern, effective(options)).matchesWhole(of: string)
    }

    /// What `canonical:` answers: the string without case and diacritics.
    package static func canonical(_ string: String) -> String {
        StringFolding.folded(string, [.caseInsensitive, .diacriticInsensitive])
    }

    private static func binaryOrder(_ left: String, _ right: String) -> ComparisonResult {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in ASCIIText.order(left, right, ignoringCase: false) }
        }
    }

    private static func localeOrder(
        _ left: String, _ right: String, _ options: NSComparisonPredicate.Options
    ) -> ComparisonResult {
        var compareOptions: String.CompareOptions = []
        if options.contains(.caseInsensitive) { compareOptions.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { compareOptions.insert(.diacriticInsensitive) }
        return left.compare(right, options: compareOptions, range: nil, locale: .current)
    }

    /// Runs a comparison on the bytes, if both strings are stored contiguously and hold only ASCII.
    @inline(__always)
    private static func withASCII<Result>(
        _ left: String, _ right: String,
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        let result = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right -> Result? in
                ASCIIText.isASCII(left) && ASCIIText.isASCII(right) ? body(left, right) : nil
            }
        }
        return (result ?? nil) ?? nil
    }
}
