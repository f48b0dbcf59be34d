import CoreData

/// Words for an error, from all that it carries: an `NSError` keeps its causes in several places.
enum FailureText {
    static func describe(_ error: any Error) -> String {
        if let failure = error as? CommandFailure {
            return failure.message
        }
        // Errors of pure Swift have words of their own, which a conversion to NSError would lose.
        guard error is any LocalizedError || error is any CustomNSError || type(of: error) is NSError.Type else {
            return String(describing: error)
        }
        let error = error as NSError
        var lines = [summary(of: error)]
        if let details = error.userInfo[NSDetailedErrorsKey] as? [any Error] {
            lines += details.map { "  " + describe($0) }
        }
        if let underlying = error.userInfo[NSUnderlyingErrorKey] as? any Error {
            lines.append("  caused by: " + describe(underlying))
        }
        return lines.joined(separator: "\n")
    }

    private static func summary(of error: NSError) -> String {
        var text = error.localizedDescription
        // "reason" is where Core Data itself puts the cause of many errors.
        let reasons = [NSLocalizedFailureReasonErrorKey, "reason"].compactMap { error.userInfo[$0] as? String }
        for reason in reasons where !text.contains(reason) {
            text += (text.hasSuffix(".") ? " " : ": ") + reason
        }
        return "\(text) (\(error.domain) \(error.code))"
    }
}
