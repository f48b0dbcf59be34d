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

    /// Names composed and decomposed.
    private static func forms(_ text: String) -> [String] {
        [text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping]
    }

    @Test("finds a letter with its marks or not at all, unless diacritics are to be ignored")
    func wholeLetters() throws {
        for options: NSComparisonPredicate.Options in [
            .caseInsensitive, .localeSensitive, [.caseInsensitive, .localeSensitive],
        ] {
            for name in Self.forms("äpfelé") {
                for base in ["a", "e"] {
                    #expect(!StringComparison.contains(name, base + "p", options))
                    #expect(!StringComparison.beginsWith(name, base, options))
                    #expect(!StringComparison.endsWith(name, base, options))
                    #expect(!StringComparison.like(name, "*\(base)", options))
                    #expect(!StringComparison.like(name, "\(base)*", options))
                    #expect(!StringComparison.like(name, "\(base)?pfel?", options))
                }
                #expect(!StringComparison.contains(name, "\u{301}", options))
                for part in Self.forms("é") {
                    #expect(StringComparison.contains(name, part, options))
                    #expect(StringComparison.endsWith(name, part, options))
                    #expect(StringComparison.like(name, "?pfel\(part)", options))
                    #expect(try StringComparison.matches(name, ".pfel\(part)", options))
                }
                #expect(StringComparison.like(name, "?pfel?", options))
                #expect(try !StringComparison.matches(name, "a.*", options))
                #expect(StringComparison.contains(name, "", options))
            }
            #expect(!StringComparison.contains("한", "하", options))
            #expect(StringComparison.beginsWith("\u{301}", "", options))
        }
        for options: NSComparisonPredicate.Options in [
            .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
        ] {
            for name in Self.forms("äpfelé") {
                #expect(StringComparison.contains(name, "ap", options))
                #expect(StringComparison.endsWith(name, "e", options))
                #expect(StringComparison.like(name, "a*e", options))
                #expect(try StringComparison.matches(name, "apfel.", options))
            }
        }
    }

    @Test(
        "counts what is read as one character as one, whatever it is composed of",
        arguments: ["é", "한", "が", "กิ", "हि"])
    func oneCharacter(_ text: String) throws {
        for form in Self.forms(text) {
            for options: NSComparisonPredicate.Options in [
                .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
            ] {
                #expect(StringComparison.like(form, "?", options))
                #expect(StringComparison.like("x\(form)y", "x?y", options))
            }
        }
    }

    @Test(
        "compares scalars without options, and with [n]",
        arguments: [[], [.normalized, .caseInsensitive]] as [NSComparisonPredicate.Options])
    func scalars(_ options: NSComparisonPredicate.Options) {
        #expect(StringComparison.contains("cafe\u{301}", "e", options))
        #expect(!StringComparison.contains("café", "e", options))
        #expect(!StringComparison.contains("cafe\u{301}", "é", options))
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
