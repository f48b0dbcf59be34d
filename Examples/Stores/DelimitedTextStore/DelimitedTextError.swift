import Foundation

/// What is wrong with a file of lines, and where.
public struct DelimitedTextError: LocalizedError, CustomStringConvertible {
    public let url: URL
    /// Counted from 1.
    public let line: Int
    /// The place of the first character that is wrong (a Unicode scalar), counted from 1.
    public let column: Int
    public let reason: String

    public var description: String { "\(url.path), line \(line), column \(column): \(reason)." }
    public var errorDescription: String? { description }
}
