import Foundation

/// Why a pattern of `MATCHES` was given up.
struct PatternTooSlow: Error, LocalizedError, CustomStringConvertible {
    let pattern: String

    var description: String {
        "The pattern \"\(pattern.prefix(200))\" of MATCHES takes too long for one of the texts: repetitions within repetitions, such as "
            + "(a+)+, try every way to divide a text. Write a pattern that can match a text in one way only."
    }

    var errorDescription: String? { description }
}
