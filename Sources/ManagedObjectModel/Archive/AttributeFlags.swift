/// The bits of `NSFlagsKey` in archived attributes, as seen in compiled models whose source is known.
struct AttributeFlags: OptionSet {
    let rawValue: Int

    static let allowsExternalBinaryDataStorage = AttributeFlags(rawValue: 0x04)
    static let preservesValueInHistoryOnDeletion = AttributeFlags(rawValue: 0x10)
}
