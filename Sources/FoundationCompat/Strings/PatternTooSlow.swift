import Foundation

/// Why a pattern of `MATCHES` was given up.
struct PatternTooSlow: CustomNSError, LocalizedError, CustomStringConvertible {
    let pattern: String

    var description: String {
        "The pattern \"\(pattern.prefix(200))\" of MATCHES takes too much time or memory for one of the texts: repetitions within "
            + "repetitions, such as (a+)+, try every way to divide a text. Write a pattern that can match a text in one way only."
    }

    var errorDescription: String? { description }

    static var errorDomain: String { NSCocoaErrorDomain }
    /// `NSCoreDataError`, as for whatever else a fetch can't evaluate.
    var errorCode: Int { 134060 }
    var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description, "NSInvalidValue": pattern] }
}

/// The answer of a predicate, or the end of the program with the error's text, where Apple raises an exception. A pattern that takes
/// too long is told, and matches nothing: a predicate that a user has typed can't end the program.
func answerOrStop(_ body: () throws -> Bool) -> Bool {
    do {
        return try body()
    } catch let error as PatternTooSlow {
        FileHandle.standardError.write(Data("CoreData: error: \(error)\n".utf8))
        return false
    } catch {
        fatalError("\(error)")
    }
}
