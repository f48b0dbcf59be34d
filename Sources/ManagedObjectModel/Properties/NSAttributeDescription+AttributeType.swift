extension NSAttributeDescription {
    /// The type of an attribute's values, as `NSAttributeDescription.type` has it.
    public struct AttributeType: RawRepresentable, Hashable, Sendable {
        /// The same type in its older spelling.
        public var rawValue: NSAttributeType

        /// Makes the type of the same meaning.
        public init(rawValue: NSAttributeType) {
            self.rawValue = rawValue
        }

        /// No type yet; allowed for transient attributes only.
        public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
        /// A 16-bit signed integer.
        public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
        /// A 32-bit signed integer.
        public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
        /// A 64-bit signed integer.
        public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
        /// A `Decimal`.
        public static let decimal = AttributeType(rawValue: .decimalAttributeType)
        /// A `Double`.
        public static let double = AttributeType(rawValue: .doubleAttributeType)
        /// A `Float`.
        public static let float = AttributeType(rawValue: .floatAttributeType)
        /// A `String`.
        public static let string = AttributeType(rawValue: .stringAttributeType)
        /// A `Bool`.
        public static let boolean = AttributeType(rawValue: .booleanAttributeType)
        /// A `Date`.
        public static let date = AttributeType(rawValue: .dateAttributeType)
        /// `Data`.
        public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
        /// A `UUID`.
        public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
        /// A `URL`.
        public static let uri = AttributeType(rawValue: .URIAttributeType)
        /// Any value that a value transformer turns into data.
        public static let transformable = AttributeType(rawValue: .transformableAttributeType)
        /// An `NSManagedObjectID`; only for the results of expressions.
        public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
        /// A dictionary of other attributes.
        public static let composite = AttributeType(rawValue: .compositeAttributeType)
    }
}
