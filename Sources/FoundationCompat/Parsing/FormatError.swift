import Foundation

/// Why a format string is no predicate or expression, and where.
public struct FormatError: Error, CustomStringConvertible, Sendable {
    /// The string.
    public let format: String
    /// How many characters into the string the trouble is.
    public let offset: Int
    /// What was expected there.
    public let expectation: String

    /// The string, a caret under the place, and what was expected there.
    public var description: String {
        "Unable to parse the format string:\n\(format)\n\(String(repeating: " ", count: offset))^ \(expectation)"
    }
}
