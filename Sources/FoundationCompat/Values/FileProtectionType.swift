import Foundation

/// How a file is protected while a device is locked (Apple: FileProtectionType). Linux protects none; stores accept it.
///
/// A class, unlike Foundation's structure of that name: an option of a store is an `NSObject`, and
/// `FileProtectionType.complete as NSObject` compiles as on Apple's platforms, where a structure bridges.
public final class FileProtectionType: NSObject, RawRepresentable, Sendable {
    /// Apple's string for the type.
    public let rawValue: String

    /// Makes a type of Apple's string for it.
    public init(rawValue: String) {
        self.rawValue = rawValue
        super.init()
    }

    /// Not at all.
    public static let none = FileProtectionType(rawValue: "NSFileProtectionNone")
    /// Whenever the device is locked.
    public static let complete = FileProtectionType(rawValue: "NSFileProtectionComplete")
    /// Whenever the device is locked, but for files that are open then.
    public static let completeUnlessOpen = FileProtectionType(rawValue: "NSFileProtectionCompleteUnlessOpen")
    /// Until the device is unlocked for the first time.
    public static let completeUntilFirstUserAuthentication = FileProtectionType(
        rawValue: "NSFileProtectionCompleteUntilFirstUserAuthentication")

    /// Whether both are the same protection.
    public override func isEqual(_ object: Any?) -> Bool { (object as? FileProtectionType)?.rawValue == rawValue }
    /// A hash that equal objects share.
    public override var hash: Int { rawValue.hashValue }
}
