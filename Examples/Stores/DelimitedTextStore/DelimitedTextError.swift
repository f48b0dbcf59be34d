import Foundation

/// What is wrong with a file of lines, and where.
public struct DelimitedTextError: LocalizedError, CustomStringConvertible {
    /// The file.
    public let url: URL
    /// Counted from 1.
    public let line: Int
    /// The place of the first character that is wrong (a Unicode scalar), counted from 1.
    public let column: Int
    /// What is wrong there, without a full stop.
    public let reason: String

    /// File, line, column and reason.
    public var description: String { "\(url.path), line \(line), column \(column): \(reason)." }
    /// The same text as ``description``, which becomes the error's `localizedDescription`.
    public var errorDescription: String? { description }
}
