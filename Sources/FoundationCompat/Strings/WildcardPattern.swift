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

    package init(_ pattern: String, _ options: NSComparisonPredicate.Options) {
        self.options = options
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
        // Where to go on after a mismatch: behind the last star, which then takes one scalar more.
        var retry: (element: Int, place: String.Index)?
        while place < scalars.endIndex {
            if element < elements.count, elements[element] == .anyNumber {
                element += 1
                retry = (element, place)
            } else if element < elements.count,
                elements[element] == .any || elements[element] == .scalar(scalars[place])
            {
                element += 1
                scalars.formIndex(after: &place)
            } else if let (starred, from) = retry {
                let next = scalars.index(after: from)
                retry = (starred, next)
                element = starred
                place = next
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { $0 == .anyNumber }
    }
}
