import Foundation

/// A pattern of the `LIKE` operator. Matching takes at most the product of both lengths.
package struct WildcardPattern: Sendable {
    private enum Element: Equatable {
        case scalar(Unicode.Scalar)
        /// `?`
        case any
        /// `*`
        case anyNumber
    }

    private let elements: [Element]
    private let options: NSComparisonPredicate.Options
    /// Whether a question mark stands for a whole character of folded text rather than for a scalar.
    private let countsCharacters: Bool
    /// Whether a wildcard can't begin within a letter.
    private let keepsLetters: Bool

    package init(_ pattern: String, _ options: NSComparisonPredicate.Options) {
        self.options = options
        countsCharacters = StringFolding.folds(options)
        keepsLetters = StringFolding.keepsLetters(options)
        var elements: [Element] = []
        var isEscaped = false
        // Folding keeps the wildcards and the backslash as they are.
        for scalar in StringFolding.folded(pattern, options).unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                elements.append(.scalar(scalar))
                isEscaped = false
            case "\\": isEscaped = true
            case "?": elements.append(.any)
            case "*": if elements.last != .anyNumber { elements.append(.anyNumber) }
            default: elements.append(.scalar(scalar))
            }
        }
        if isEscaped {
            elements.append(.scalar("\\"))
        }
        self.elements = elements
    }

    package func matches(_ string: String) -> Bool {
        let scalars = StringFolding.folded(string, options).unicodeScalars
        var place = scalars.startIndex
        var element = 0
        // Where to go on after a mismatch: behind the last star, which then takes one letter more.
        var retry: (element: Int, place: String.Index)?
        while place < scalars.endIndex {
            if let behind = end(of: element, at: place, in: scalars) {
                if elements[element] == .anyNumber { retry = (element + 1, place) }
                element += 1
                place = behind
            } else if let (starred, from) = retry {
                var next = scalars.index(after: from)
                while next < scalars.endIndex, isWithinLetter(next, of: scalars) {
                    scalars.formIndex(after: &next)
                }
                retry = (starred, next)
                element = starred
                place = next
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { $0 == .anyNumber }
    }

    /// Where an element ends that begins at a place, a star before the first character that it may take; nil where the element
    /// doesn't match. A wildcard begins where a letter does.
    private func end(
        of element: Int, at place: String.Index, in scalars: String.UnicodeScalarView
    ) -> String.Index? {
        guard element < elements.count else { return nil }
        switch elements[element] {
        case .scalar(let scalar): return scalar == scalars[place] ? scalars.index(after: place) : nil
        case .any: return isWithinLetter(place, of: scalars) ? nil : endOfCharacter(at: place, in: scalars)
        case .anyNumber: return isWithinLetter(place, of: scalars) ? nil : place
        }
    }

    private func isWithinLetter(_ place: String.Index, of scalars: String.UnicodeScalarView) -> Bool {
        keepsLetters && place > scalars.startIndex && LetterBoundary.isPartOfLetter(scalars[place])
    }

    private func endOfCharacter(at place: String.Index, in scalars: String.UnicodeScalarView) -> String.Index {
        var end = scalars.index(after: place)
        while countsCharacters, end < scalars.endIndex, LetterBoundary.continuesCharacter(scalars[end]) {
            scalars.formIndex(after: &end)
        }
        return end
    }
}
