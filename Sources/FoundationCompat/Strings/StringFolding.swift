import Foundation

/// Takes the differences of case and diacritics out of strings, so that what is left can be compared scalar by scalar.
package enum StringFolding {
    /// Whether there is an option that folds, be it composition alone, which `[l]` looks through as a locale's order does.
    static func folds(_ options: NSComparisonPredicate.Options) -> Bool {
        !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
    }

    /// Whether letters differ from those with marks though composition makes no difference.
    static func keepsLetters(_ options: NSComparisonPredicate.Options) -> Bool {
        folds(options) && !options.contains(.diacriticInsensitive)
    }

    /// The string as it compares under the options. Canonically equivalent strings fold to the same one if there is
    /// any option that folds; with none the string stays as it is.
    package static func folded(_ string: String, _ options: NSComparisonPredicate.Options) -> String {
        let ignoringCase = options.contains(.caseInsensitive)
        let ignoringDiacritics = options.contains(.diacriticInsensitive)
        guard folds(options) else { return string }
        if string.utf8.allSatisfy({ $0 < 0x80 }) {
            return ignoringCase ? string.lowercased() : string
        }
        var scalars = String.UnicodeScalarView()
        // Under a base from this on, a mark is a part of the letter and stays: that is how Foundation folds.
        let firstBaseThatKeepsMarks: Unicode.Scalar = "\u{510}"
        var base: Unicode.Scalar = " "
        for scalar in string.decomposedStringWithCanonicalMapping.unicodeScalars {
            let isMark = scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark
            if !isMark {
                base = scalar
            } else if ignoringDiacritics, base < firstBaseThatKeepsMarks {
                continue
            }
            if ignoringCase, !isMark {
                appendCaseFolded(scalar, to: &scalars, ignoringDiacritics: ignoringDiacritics)
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// The string as a regular expression sees it, whose own option folds case: composed, so that a letter is one character.
    static func composed(_ string: String, _ options: NSComparisonPredicate.Options) -> String {
        guard folds(options), !string.utf8.allSatisfy({ $0 < 0x80 }) else { return string }
        return folded(string, options.intersection(.diacriticInsensitive)).precomposedStringWithCanonicalMapping
    }

    /// Full case folding: what upper and lower case have in common, in lower case, "ß" as "ss".
    private static func appendCaseFolded(
        _ scalar: Unicode.Scalar, to scalars: inout String.UnicodeScalarView, ignoringDiacritics: Bool
    ) {
        if scalar.value < 0x80 {
            let isUpper = scalar.value >= 0x41 && scalar.value <= 0x5A
            scalars.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) + 0x20) : scalar)
        } else if scalar == "ı" {
            // A letter of its own, though its upper case is I.
            scalars.append(scalar)
        } else {
            let folded = scalar.properties.lowercaseMapping.uppercased().lowercased()
            for part in folded.decomposedStringWithCanonicalMapping.unicodeScalars
            where !(ignoringDiacritics && part.properties.generalCategory == .nonspacingMark) {
                // Lower-casing a word makes a final sigma; folding knows only one.
                scalars.append(part == "ς" ? "σ" : part)
            }
        }
    }
}
