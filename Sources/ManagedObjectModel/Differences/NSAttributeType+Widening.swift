extension NSAttributeType {
    /// Whether values become values of another type of number by themselves when a store is migrated.
    ///
    /// Apple's page on lightweight migration doesn't speak of types. Apps were shipped that rely on 16 to 32, 16 to 64 and 32
    /// to 64 bits, and on 64 bits to double. The rest is our choice: each value has to have a counterpart that is equal.
    /// `Documentation/Migration.md` has the table.
    package func widens(to other: NSAttributeType) -> Bool {
        switch (self, other) {
        case (.integer16AttributeType, .integer32AttributeType), (.integer16AttributeType, .integer64AttributeType),
            (.integer32AttributeType, .integer64AttributeType), (.integer64AttributeType, .doubleAttributeType):
            true
        case (.integer16AttributeType, .floatAttributeType), (.integer16AttributeType, .doubleAttributeType),
            (.integer32AttributeType, .doubleAttributeType), (.floatAttributeType, .doubleAttributeType):
            true
        case (.integer16AttributeType, .decimalAttributeType), (.integer32AttributeType, .decimalAttributeType),
            (.integer64AttributeType, .decimalAttributeType):
            true
        case (.booleanAttributeType, .integer16AttributeType), (.booleanAttributeType, .integer32AttributeType),
            (.booleanAttributeType, .integer64AttributeType):
            true
        default: false
        }
    }
}
