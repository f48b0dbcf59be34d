/// What names of entities and properties may be.
enum ModelNames {
    /// Members of `NSObject` and `NSManagedObject` without parameters: a property of such a name would hide them (Apple:
    /// `NSPropertyDescription`).
    static let reserved: Set<String> = [
        "accessibilityElement", "autorelease", "awakeFromFetch", "awakeFromInsert", "changedValues",
        "changedValuesForCurrentEvent", "class", "classForArchiver", "classForCoder", "classForKeyedArchiver",
        "copy", "dealloc", "debugDescription", "description", "didSave", "didTurnIntoFault", "entity",
        "faultingState", "finalize", "hasChanges", "hasPersistentChangedValues", "hash", "init", "isDeleted",
        "isFault", "isInserted", "isProxy", "isUpdated", "managedObjectContext", "mutableCopy", "objectID",
        "observationInfo", "prepareForDeletion", "release", "retain", "retainCount", "self", "superclass", "willSave",
        "willTurnIntoFault", "zone",
    ]

    /// Whether the name is made of letters, digits and underscores and does not begin with a digit.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
