import Foundation

// Names that programs mention and that have no effect here; each says why, or what takes its place.

/// The option that has an XML file checked against its description.
///
/// No effect here: every XML store is checked as it is read (our choice).
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// The option with the classes that a binary store may decode.
///
/// No effect here: binary stores decode the value classes of Foundation, and transformable values by their transformers (our
/// choice).
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// The option that lets a binary store decode any class.
///
/// No effect here: there is no such decoding on Linux.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// The metadata key of the checksum of the model that a store was made for, which SQLite stores have.
///
/// To a store's opening it is of no effect: whether a model fits is told by ``NSStoreModelVersionHashesKey``.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

/// The format of external records: XML.
///
/// No effect here: Linux has no Spotlight, for which such records are.
public let NSXMLExternalRecordType = "XML"
/// The format of external records: binary.
///
/// No effect here: Linux has no Spotlight, for which such records are.
public let NSBinaryExternalRecordType = "Binary"
/// The option with the format of external records.
///
/// No effect here: Linux has no Spotlight, for which such records are.
public let NSExternalRecordsFileFormatOption = "NSExternalRecordsFileFormatOption"
/// The option with the folder of external records.
///
/// No effect here: Linux has no Spotlight, for which such records are.
public let NSExternalRecordsDirectoryOption = "NSExternalRecordsDirectoryOption"
/// The option with the extension of external records' files.
///
/// No effect here: Linux has no Spotlight, for which such records are.
public let NSExternalRecordExtensionOption = "NSExternalRecordExtensionOption"
/// The entity's name among what a record's path says.
///
/// No effect here: Linux has no Spotlight, for which such records are.
public let NSEntityNameInPathKey = "NSEntityNameInPathKey"
/// The store's UUID among what a record's path says.
///
/// No effect here: Linux has no Spotlight, for which such records are.
public let NSStoreUUIDInPathKey = "NSStoreUUIDInPathKey"
/// The store's place among what a record's path says.
///
/// No effect here: Linux has no Spotlight, for which such records are.
public let NSStorePathKey = "NSStorePathKey"
/// The model's place among what a record's path says.
///
/// No effect here: Linux has no Spotlight, for which such records are.
public let NSModelPathKey = "NSModelPathKey"
/// The object's URI among what a record's path says.
///
/// No effect here: Linux has no Spotlight, for which such records are.
public let NSObjectURIKey = "NSObjectURIKey"

// iCloud's documents and data ended with iOS 10; Apple's framework keeps the names, too.

/// The option with the name of a store in iCloud.
///
/// No effect here: there are no stores in iCloud on Linux.
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentNameKey"
/// The option with the place of a store's log in iCloud.
///
/// No effect here: there are no stores in iCloud on Linux.
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURLKey"
/// The option with the container of a store in iCloud.
///
/// No effect here: there are no stores in iCloud on Linux.
public let NSPersistentStoreUbiquitousContainerIdentifierKey = "NSPersistentStoreUbiquitousContainerIdentifierKey"
/// The option with the name of a peer in iCloud.
///
/// No effect here: there are no stores in iCloud on Linux.
public let NSPersistentStoreUbiquitousPeerTokenOption = "NSPersistentStoreUbiquitousPeerTokenOption"
/// The option that makes a store anew from iCloud.
///
/// No effect here: there are no stores in iCloud on Linux.
public let NSPersistentStoreRebuildFromUbiquitousContentOption = "NSPersistentStoreRebuildFromUbiquitousContentOption"
/// The option that takes what belongs to iCloud out of a store.
///
/// No effect here: there are no stores in iCloud on Linux.
public let NSPersistentStoreRemoveUbiquitousMetadataOption = "NSPersistentStoreRemoveUbiquitousMetadataOption"
/// The key of what has happened to an account in iCloud, an ``NSPersistentStoreUbiquitousTransitionType``.
///
/// No effect here: there are no stores in iCloud on Linux.
public let NSPersistentStoreUbiquitousTransitionTypeKey = "NSPersistentStoreUbiquitousTransitionTypeKey"

/// What has happened to an account in iCloud, when stores there change.
///
/// No effect here: there are no stores in iCloud on Linux, so nothing gives it.
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
