import Foundation

extension NSError {
    /// Makes an error that says what happened wherever it is printed.
    ///
    /// On Linux the reason stands where `print(error)` shows the description on Apple's platforms, so both are the same text.
    package static func describing(
        _ text: String, domain: String = NSCocoaErrorDomain, code: Int, userInfo: [String: Any]
    )
        -> NSError
    {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = text
        info[NSLocalizedFailureReasonErrorKey] = text
        // Errors are logged; the URL of a server may have a password.
        if let url = info[NSURLErrorKey] as? URL, !url.isFileURL {
            info[NSURLErrorKey] = URL(string: url.withoutSecrets)
        }
        return NSError(domain: domain, code: code, userInfo: info)
    }
}
