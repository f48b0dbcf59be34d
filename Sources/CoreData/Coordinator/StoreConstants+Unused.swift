import Foundation

// Names that programs mention and that have no effect here; what takes their place is said with each.

/// The option that has an XML file checked against its description. Our choice: every XML store is checked as it is read.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// The option with the classes that a binary store may decode. Our choice: binary stores decode the value classes of
/// Foundation, and transformable values by their transformers.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// The option that lets a binary store decode any class. There is no such decoding on Linux.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// The metadata key of the checksum of the model that a store was made for.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

// External records are for Spotlight, which Linux doesn't have.

/// The format of external records: XML.
public let NSXMLExternalRecordType = "XML"
/// The format of external records: binary.
public let NSBinaryExternalRecordType = "Binary"
/// The option with the format of external records.
public let NSExternalRecordsFileFormatOption = "NSExternalRecordsFileFormatOption"
/// The option with the folder of external records.
public let NSExternalRecordsDirectoryOption = "NSExternalRecordsDirectoryOption"
/// The option with the extension of external records' files.
public let NSExternalRecordExtensionOption = "NSExternalRecordExtensionOption"
/// The entity's name among what a record's path says.
public let NSEntityNameInPathKey = "NSEntityNameInPathKey"
/// The store's UUID among what a record's path says.
public let NSStoreUUIDInPathKey = "NSStoreUUIDInPathKey"
/// The store's place among what a record's path says.
public let NSStorePathKey = "NSStorePathKey"
/// The model's place among what a record's path says.
public let NSModelPathKey = "NSModelPathKey"
/// The object's URI among what a record's path says.
public let NSObjectURIKey = "NSObjectURIKey"

// iCloud's documents and data ended with iOS 10; Apple's framework keeps the names, too.

/// The option with the name of a store in iCloud.
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentNameKey"
/// The option with the place of a store's log in iCloud.
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURLKey"
/// The option with the container of a store in iCloud.
public let NSPersistentStoreUbiquitousContainerIdentifierKey = "NSPersistentStoreUbiquitousContainerIdentifierKey"
/// The option with the name of a peer in iCloud.
public let NSPersistentStoreUbiquitousPeerTokenOption = "NSPersistentStoreUbiquitousPeerTokenOption"
/// The option that makes a store anew from iCloud.
public let NSPersistentStoreRebuildFromUbiquitousContentOption = "NSPersistentStoreRebuildFromUbiquitousContentOption"
/// The option that takes what belongs to iCloud out of a store.
public let NSPersistentStoreRemoveUbiquitousMetadataOption = "NSPersistentStoreRemoveUbiquitousMetadataOption"
/// The key of what has happened to an account in iCloud, an ``NSPersistentStoreUbiquitousTransitionType``.
public let NSPersistentStoreUbiquitousTransitionTypeKey = "NSPersistentStoreUbiquitousTransitionTypeKey"

/// What has happened to an account in iCloud, when stores there change.
public enum NSPersistentStoreUbiquitousTransitionType: UInt, Sendable {
    /// An account was added.
    case accountAdded = 1
    /// The account was removed.
    case accountRemoved
    /// The contents were removed.
    case contentRemoved
    /// The first import from iCloud is done.
    case initialImportCompleted
}

extension Notification.Name {
    /// Posted when changes came from iCloud: never on Linux.
    public static let NSPersistentStoreDidImportUbiquitousContentChanges = Notification.Name(
        "com.apple.coredata.ubiquity.importer.didfinishimport")
}
