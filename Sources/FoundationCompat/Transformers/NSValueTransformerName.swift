import Foundation

/// The name that a value transformer is registered under.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name as a string, as a model file has it.
    public let rawValue: String

    /// Makes a name of a string.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a name of a string.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name that is meant where a model has the name of a constant of Apple's, as
    /// "NSSecureUnarchiveFromDataTransformerName": Xcode's warning about transformers gives that one, and models have it.
    package var asConstant: NSValueTransformerName {
        let suffix = "TransformerName"
        return rawValue.hasSuffix(suffix) ? NSValueTransformerName(String(rawValue.dropLast(suffix.count))) : self
    }

    /// The opposite of a Boolean.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    /// Whether a value is missing.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    /// Whether a value is there.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
    /// Data to object by an archive without keys; such archives can't be read on Linux.
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
    /// Data to object by a keyed archive.
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
    /// Data to object by a keyed archive of allowed classes.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}
