import FoundationCompat
import Testing

@Suite("String comparison")
struct StringComparisonTests {
    private static let texts = [
        "", "a", "A", "ab", "Ab", "é", "e\u{301}", "É", "ß", "SS", "ss", "ẞ", "Σ", "σ", "ς", "İ", "ı", "I", "i", "ñ",
        "N",
        "Å", "å", "が", "か", "🇨🇿", "ﬁ", "fi", "Straße", "STRASSE", "Čapek", "capek", "Ω", "Ω", "ό", "й", "и", "ǆ",
    ]

    private static let options: [NSComparisonPredicate.Options] = [
        [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
    ]

    /// Foundation's own folding is Apple's; ours has to find the same strings equal.
    @Test("folds as Foundation folds")
    func folding() {
        for left in Self.texts {
            for right in Self.texts {
                for (ours, theirs) in [
                    (NSComparisonPredicate.Options.caseInsensitive, String.CompareOptions.caseInsensitive),
                    (.diacriticInsensitive, .diacriticInsensitive),
                    ([.caseInsensitive, .diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive]),
                ] {
                    let expected =
                        left.folding(options: theirs, locale: nil) == right.folding(options: theirs, locale: nil)
                    #expect(StringComparison.equal(left, right, ours) == expected, "\(left) \(right) \(ours)")
                }
            }
        }
    }

    @Test("agrees with itself: equal strings have no order, and begin with, end with and contain each other")
    func consistency() {
        for left in Self.texts {
            for right in Self.texts {
                for options in Self.options {
                    let equal = StringComparison.equal(left, right, options)
                    #expect((StringComparison.order(left, right, options) == .orderedSame) == equal)
                    let order = StringComparison.order(left, right, options)
                    #expect(StringComparison.order(right, left, options) == order.opposite)
                    let both = left + right
                    #expect(StringComparison.beginsWith(both, left, options), "\(left) \(right) \(options)")
                    #expect(StringComparison.contains(both, left, options), "\(left) \(right) \(options)")
                    if equal {
                        #expect(StringComparison.beginsWith(left, right, options))
                        #expect(StringComparison.endsWith(left, right, options))
                        #expect(StringComparison.contains(left, right, options))
                    }
                }
            }
        }
    }

    @Test("matches wildcards in time that many stars don't blow up")
    func wildcards() {
        let text = String(repeating: "a", count: 2_000)
        let pattern = String(repeating: "*a", count: 500) + "*b"
        #expect(!StringComparison.like(text, pattern, []))
        #expect(StringComparison.like(text, String(repeating: "*a", count: 500), []))
        #expect(StringComparison.like("a?c", "a\\?c", []) && !StringComparison.like("abc", "a\\?c", []))
        #expect(StringComparison.like("a\\", "a\\", []))
    }
}
