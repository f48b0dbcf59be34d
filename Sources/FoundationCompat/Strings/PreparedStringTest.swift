import Foundation

/// A string operator with its right side made ready, to be asked about many strings.
///
/// It says what ``StringComparison`` says; folding, and compiling of patterns, happens once.
package final class PreparedStringTest: Sendable {
    package enum Operator: Sendable {
        /// The order of the string and the other one, as -1, 0 or 1.
        case order
        case beginsWith, endsWith, contains, like, matches
    }

    private let testOperator: Operator
    private let options: NSComparisonPredicate.Options
    /// The right side as it was given.
    private let operand: String
    /// The right side, folded; in ASCII when ``isASCII``.
    private let folded: [UInt8]
    private let isASCII: Bool
    private let pattern: WildcardPattern?

    package init(_ testOperator: Operator, _ operand: String, _ options: NSComparisonPredicate.Options) {
        self.testOperator = testOperator
        self.operand = operand
        self.options = options
        let effective = options.contains(.normalized) ? [] : options
        isASCII = operand.utf8.allSatisfy { $0 < 0x80 } && !options.contains(.localeSensitive)
        folded = Array((isASCII ? operand : StringFolding.folded(operand, effective)).utf8)
        pattern = testOperator == .like ? WildcardPattern(operand, effective) : nil
    }

    /// The result for a string in UTF-8: 0 or 1, or an order.
    ///
    /// - Throws: what is wrong with the pattern of `MATCHES`.
    package func result(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Int {
        if let pattern { return pattern.matches(String(decoding: bytes, as: UTF8.self)) ? 1 : 0 }
        if testOperator == .matches {
            return try StringComparison.matches(String(decoding: bytes, as: UTF8.self), operand, options) ? 1 : 0
        }
        let ignoringCase = options.contains(.caseInsensitive) && !options.contains(.normalized)
        if isASCII, ASCIIText.isASCII(bytes) {
            return folded.withUnsafeBufferPointer { asciiResult(bytes, $0, ignoringCase: ignoringCase) }
        }
        let string = String(decoding: bytes, as: UTF8.self)
        switch testOperator {
        case .order: return StringComparison.order(string, operand, options).rawValue
        case .beginsWith: return StringComparison.beginsWith(string, operand, options) ? 1 : 0
        case .endsWith: return StringComparison.endsWith(string, operand, options) ? 1 : 0
        default: return StringComparison.contains(string, operand, options) ? 1 : 0
        }
    }

    private func asciiResult(_ bytes: ASCIIText.Bytes, _ other: ASCIIText.Bytes, ignoringCase: Bool) -> Int {
        switch testOperator {
        case .order: return ASCIIText.order(bytes, other, ignoringCase: ignoringCase).rawValue
        case .beginsWith:
            return other.count <= bytes.count
                && ASCIIText.matches(bytes, other, at: 0, ignoringCase: ignoringCase) ? 1 : 0
        case .endsWith:
            return other.count <= bytes.count
                && ASCIIText.matches(bytes, other, at: bytes.count - other.count, ignoringCase: ignoringCase) ? 1 : 0
        default: return ASCIIText.contains(bytes, other, ignoringCase: ignoringCase) ? 1 : 0
        }
    }
}
