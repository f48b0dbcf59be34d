/// The names by which a source shows that it needs `import CoreData` on Linux, also where Foundation has them on Apple's
/// platforms.
enum CoreDataNames {
    /// Whether a name is one of Core Data's, or of a class that Foundation lacks on Linux.
    static func contains(_ name: String) -> Bool {
        exact.contains(name) || (name.hasPrefix("NS") && prefixes.contains { name.hasPrefix($0) })
    }

    /// Whether a member of one of Foundation's types is there on Linux where CoreData is imported.
    static func isAdded(_ member: String, to type: String?) -> Bool {
        // The first is written by the tool alone, for any expression that is a bundle; the second is nil in Swift's own library.
        if member == "identifierOfProgram" || member == "_kvcKeyPathString" { return true }
        return switch type {
        case "Bundle": member == "bundlesOfProgram"
        case "URL": folders.contains(member)
        default: false
        }
    }

    private static let folders: Set<String> = [
        "documentsDirectory", "applicationSupportDirectory", "cachesDirectory", "downloadsDirectory",
        "desktopDirectory",
        "libraryDirectory", "moviesDirectory", "musicDirectory", "picturesDirectory",
    ]

    /// What Foundation declares on Apple's platforms, and CoreData on Linux.
    static let ofFoundation: Set<String> = [
        "NSPredicate", "NSCompoundPredicate", "NSComparisonPredicate", "NSExpression", "NSSortDescriptor",
        "UndoManager",
        "ValueTransformer", "NSSecureUnarchiveFromDataTransformer",
    ]

    private static let exact: Set<String> = [
        "NSPredicate", "NSCompoundPredicate", "NSComparisonPredicate", "NSExpression", "NSExpressionDescription",
        "NSSortDescriptor", "NSCoreDataError", "NSPropertyMapping", "NSFetchedPropertyDescription",
        "NSSecureUnarchiveFromDataTransformer", "NSSQLiteStoreType", "NSXMLStoreType", "NSBinaryStoreType",
        "NSInMemoryStoreType", "NSStoreTypeKey", "NSStoreUUIDKey", "NSReadOnlyPersistentStoreOption",
        "NSMigratePersistentStoresAutomaticallyOption", "NSInferMappingModelAutomaticallyOption", "NSSnapshotEventType",
        "NSInsertedObjectsKey", "NSUpdatedObjectsKey", "NSDeletedObjectsKey", "NSRefreshedObjectsKey",
        "NSInvalidatedObjectsKey", "NSInvalidatedAllObjectsKey", "NSErrorMergePolicy", "NSRollbackMergePolicy",
        "NSOverwriteMergePolicy", "NSDetailedErrorsKey", "NSDeleteRule", "NSSaveChangesRequest",
        "NSSQLitePragmasOption",
        "UndoManager", "ValueTransformer", "NSValueTransformerName", "NSKeyValueObservation",
        "NSKeyValueObservedChange", "NSKeyValueObservingOptions", "NSKeyValueChange", "NSKeyValueChangeKey",
        "NSKeyValueSetMutationKind", "NSKeyValueObservingCustomization", "observeValue", "foundationPredicate",
        "willChangeValue",
        "didChangeValue", "Selector", "NSEC_PER_SEC", "NSEC_PER_MSEC", "NSEC_PER_USEC", "USEC_PER_SEC", "MSEC_PER_SEC",
        "kCFBundleNameKey", "kCFBundleIdentifierKey", "kCFBundleVersionKey", "kCFBundleExecutableKey",
        "objc_getAssociatedObject", "objc_setAssociatedObject", "objc_removeAssociatedObjects",
        "objc_AssociationPolicy",
        "objc_sync_enter", "objc_sync_exit", "autoreleasepool", "NSException", "NSSelectorFromString",
        "forSecurityApplicationGroupIdentifier", "ubiquityIdentityToken", "forUbiquityContainerIdentifier",
        "NSUbiquityIdentityDidChange", "libraryOfUser", "AutoreleasingUnsafeMutablePointer",
        "NSFastEnumerationIterator",
    ]

    private static let prefixes = [
        "NSManagedObject", "NSFetchRequest", "NSFetchedResults", "NSFetchIndex", "NSPersistent", "NSEntity",
        "NSAttributeDescription", "NSAttributeType", "NSRelationshipDescription", "NSPropertyDescription",
        "NSDerivedAttributeDescription", "NSCompositeAttributeDescription", "NSBatch", "NSAsynchronousFetch",
        "NSMergePolicy", "NSMergeByProperty", "NSMergeConflict", "NSConstraintConflict", "NSMappingModel",
        "NSMigrationManager", "NSLightweightMigration", "NSCustomMigration", "NSStagedMigration",
        "NSManagedObjectModelReference", "NSIncrementalStore", "NSAtomicStore", "NSQueryGenerationToken",
        "NSCoreDataCoreSpotlight",
    ]
}
