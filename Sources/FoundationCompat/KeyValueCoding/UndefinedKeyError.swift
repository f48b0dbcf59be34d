import Foundation

/// An object was asked for a key that it doesn't have.
public struct UndefinedKeyError: LocalizedError, CustomStringConvertible, Sendable {
    /// The class or type of the object.
    public let typeName: String
    /// The key.
    public let key: String

    package init(_ object: Any, key: String) {
        typeName = "\(type(of: object))"
        self.key = key
    }

    /// Apple's wording of its exception.
    public var description: String {
        "[<\(typeName)> valueForUndefinedKey:]: this class is not key value coding-compliant for the key \(key)."
    }

    /// The same, for those who show an error to people.
    public var errorDescription: String? { description }
}
