import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression

/// The expressions of derived attributes, from and to the text that version hashes are made of.
package enum DerivationExpression {
    /// Reads the expression as Xcode writes it. A collection operator at the end, as in `pages.@count` or
    /// `pages.@sum.words`, becomes a function, as in compiled models.
    package static func parse(_ text: String) throws -> NSExpression {
        let parts = text.trimmed.split(separator: ".", omittingEmptySubsequences: false)
        if let position = parts.firstIndex(where: { $0.hasPrefix("@") }), position > 0,
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isKeyCharacter) })
        {
            let path = parts[..<position] + parts[(position + 1)...]
            let argument = NSExpression(forKeyPath: path.joined(separator: "."))
            return NSExpression(forFunction: "\(parts[position].dropFirst()):", arguments: [argument])
        }
        do {
            return try NSExpression.parse(text, argumentArray: [])
        } catch {
            throw ModelFileError(.malformed, "the derivation \"\(text)\" cannot be understood: \(error)")
        }
    }

    /// The text of the expression in Apple's spelling: a key path as it is, a function as `count:(pages)`.
    package static func text(of expression: NSExpression) -> String {
        switch expression.form {
        case .keyPath(nil, let path): path.string
        case .function(nil, let name, let arguments):
            "\(name)(\(arguments.map(text(of:)).joined(separator: ", ")))"
        default: expression.description
        }
    }

    private static func isKeyCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "@"
    }
}
