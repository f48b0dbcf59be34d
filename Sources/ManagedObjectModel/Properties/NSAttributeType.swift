/// The type of an attribute's values, with the raw values that model files use.
public enum NSAttributeType: UInt, Sendable {
    /// No type yet; allowed for transient attributes only.
    case undefinedAttributeType = 0
    /// A 16-bit signed integer.
    case integer16AttributeType = 100
    /// A 32-bit signed integer.
    case integer32AttributeType = 200
    /// A 64-bit signed integer.
    case integer64AttributeType = 300
    /// A `Decimal`.
    case decimalAttributeType = 400
    /// A `Double`.
    case doubleAttributeType = 500
    /// A `Float`.
    case floatAttributeType = 600
    /// A `String`.
    case stringAttributeType = 700
    /// A `Bool`.
    case booleanAttributeType = 800
    /// A `Date`.
    case dateAttributeType = 900
    /// `Data`.
    case binaryDataAttributeType = 1000
    /// A `UUID`.
    case UUIDAttributeType = 1100
    /// A `URL`.
    case URIAttributeType = 1200
    /// Any value that a value transformer turns into data.
    case transformableAttributeType = 1800
    /// An `NSManagedObjectID`; only for the results of expressions.
    case objectIDAttributeType = 2000
    /// A dictionary of other attributes.
    case compositeAttributeType = 2100
}
