import Foundation

// Safe: nothing of it changes once it is made.
/// What Apple's frameworks raise where a program is wrong. (Apple: NSException.)
///
/// Swift can't catch it on any platform: raising one stops the program.
open class NSException: NSObject, @unchecked Sendable {
    /// What kind of mistake.
    public let name: NSExceptionName
    /// What went wrong, for a person.
    public let reason: String?
    /// What else is known.
    public let userInfo: [AnyHashable: Any]?

    /// Makes an exception; nothing happens until ``raise()`` is called.
    public init(name aName: NSExceptionName, reason aReason: String?, userInfo aUserInfo: [AnyHashable: Any]? = nil) {
        name = aName
        reason = aReason
        userInfo = aUserInfo
        super.init()
    }

    /// Stops the program with the name and the reason.
    open func raise() {
        fatalError("\(name.rawValue): \(reason ?? "")")
    }
}

extension NSExceptionName {
    /// A key that an object has no value for.
    public static let undefinedKeyException = NSExceptionName("NSUnknownKeyException")
    /// Anything that has no name of its own.
    public static let genericException = NSExceptionName("NSGenericException")
    /// An argument that isn't acceptable.
    public static let invalidArgumentException = NSExceptionName("NSInvalidArgumentException")
    /// A state that the program's own logic rules out.
    public static let internalInconsistencyException = NSExceptionName("NSInternalInconsistencyException")
    /// A place outside of what there is.
    public static let rangeException = NSExceptionName("NSRangeException")
    /// An object that was sent a message which it doesn't take at this time.
    public static let objectInaccessibleException = NSExceptionName("NSObjectInaccessibleException")
    /// Memory that can't be had.
    public static let mallocException = NSExceptionName("NSMallocException")
    /// An object that can't be reached any more.
    public static let objectNotAvailableException = NSExceptionName("NSObjectNotAvailableException")
    /// Data that can't be parsed.
    public static let parseErrorException = NSExceptionName("NSParseErrorException")
}
