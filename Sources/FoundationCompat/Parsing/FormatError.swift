import Foundation

/// Why a format string is no predicate or expression, and where.
public struct FormatError: Error, CustomStringConvertible, Sendable {
    /// The string.
    public let format: String
    /// How many characters into the string the trouble is.
    public let offset: Int
    /// What was expected there.
    public let expectation: String

    init(format: String, scalarOffset: Int, expectation: String) {
        self.format = format
        let prefix = format.unicodeScalars.prefix(scalarOffset)
        offset = String(prefix).count
        self.expectation = expectation
    }

    /// The string, a caret under the place, and what was expected there.
    ///
    /// Line breaks show as spaces, and of a long string only the neighbourhood shows, so that the caret stands right.
    public var description: String {
        let shown = 100
        let characters = format.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        let start = max(0, offset - shown / 2)
        let end = min(characters.count, start + shown)
        let before = start > 0 ? "…" : ""
        let line = before + String(characters[start..<end]) + (end < characters.count ? "…" : "")
        let caret = String(repeating: " ", count: offset - start + before.count) + "^"
        return "Unable to parse the format string at character \(offset + 1):\n\(line)\n\(caret) \(expectation)"
    }
}
