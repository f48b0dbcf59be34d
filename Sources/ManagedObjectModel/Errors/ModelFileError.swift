import Foundation

/// Why a model file could not be read or written: what is wrong, in which file, and where in it.
///
/// As an `NSError` it has Foundation's domain and the code of an unreadable or corrupt file.
public struct ModelFileError: Error, LocalizedError, CustomNSError, CustomStringConvertible, Sendable {
    /// The kind of failure.
    public enum Reason: Sendable {
        /// The file is missing or may not be read.
        case unreadable
        /// The file's contents are damaged, or are not what its name says.
        case malformed
        /// The contents go beyond the limits that keep hostile files from exhausting the machine.
        case tooLarge
        /// The contents are sound, but of a kind that is not supported.
        case unsupported
    }

    /// The kind of failure.
    public let reason: Reason
    /// What is wrong.
    public let message: String
    /// Where in the file: an entity and property, an object of an archive, or else a line.
    public var location: String? { place ?? position.map { "line \($0.line)" } }
    /// The same without the line.
    package private(set) var place: String?
    /// The text that it is about, in a file of text.
    package private(set) var position: TextPosition?
    /// The file.
    public private(set) var url: URL?

    package init(
        _ reason: Reason, _ message: String, at place: String? = nil, position: TextPosition? = nil, in url: URL? = nil
    ) {
        self.reason = reason
        self.message = message
        self.place = place
        self.position = position
        self.url = url
    }

    /// The same error with the file and place, where it has none yet.
    package func located(
        at place: String? = nil, position: TextPosition? = nil, in url: URL? = nil
    ) -> ModelFileError {
        var error = self
        error.place = error.place ?? place
        error.position = error.position ?? position
        error.url = error.url ?? url
        return error
    }

    /// File, place and message, as far as they are known.
    public var description: String {
        var text = ""
        if let url { text += "\(url.path): " }
        if let location { text += "\(location): " }
        return text + message
    }

    /// The same text as ``description``, which becomes the error's `localizedDescription`.
    public var errorDescription: String? { description }

    /// `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// Foundation's code for the reason: 260 (no such file), 259 (corrupt file), or 3328 (unsupported feature).
    public var errorCode: Int {
        switch reason {
        case .unreadable: CocoaError.Code.fileReadNoSuchFile.rawValue
        case .malformed, .tooLarge: CocoaError.Code.fileReadCorruptFile.rawValue
        case .unsupported: CocoaError.Code.featureUnsupported.rawValue
        }
    }

    /// The text, and the file's path under `NSFilePathErrorKey`.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let url { info[NSFilePathErrorKey] = url.path }
        return info
    }
}
