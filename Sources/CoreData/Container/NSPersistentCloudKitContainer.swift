import Foundation
import ManagedObjectModel
import Synchronization

// Safe: it adds nothing that changes to the class that it inherits from.
/// A container that on Apple's platforms mirrors its stores to CloudKit, and here is a plain one: nothing is synchronised.
///
/// It is there so that code which names it compiles and keeps its data where it is. The first of a process to load stores says
/// on standard error that they aren't mirrored. Stores keep persistent history, as on Apple's platforms those of this class do,
/// so that another program may go on with them there.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
    private static let hasWarned = Atomic<Bool>(false)

    /// Opens the stores; SQLite ones keep persistent history, unless their description says otherwise.
    open override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions where description.type == NSSQLiteStoreType {
            guard description.options[NSPersistentHistoryTrackingKey] == nil else { continue }
            description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        }
        if !Self.hasWarned.exchange(true, ordering: .relaxed) {
            CoreDataLog.warn(
                "there is no CloudKit on Linux: NSPersistentCloudKitContainer '\(name)' keeps its stores here and "
                    + "synchronises nothing.")
        }
        super.loadPersistentStores(completionHandler: block)
    }

    /// Does nothing, and never throws: there is no schema to make in CloudKit.
    open func initializeCloudKitSchema(options: NSPersistentCloudKitContainerSchemaInitializationOptions = []) throws {}

    /// Whether an object may be changed: always, as no server says otherwise.
    open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

    /// Whether an object may be deleted: always, as no server says otherwise.
    open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

    /// Whether objects may be inserted into a store and changed there: where it isn't read-only.
    open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { !store.isReadOnly }

    /// Posted on Apple's platforms when a store is set up, imported to or exported from; never here.
    public static let eventChangedNotification = Notification.Name(
        "NSPersistentCloudKitContainerEventChangedNotification")

    /// The key of the event in the user info of ``eventChangedNotification``.
    public static let eventNotificationUserInfoKey = "event"
}

/// What ``NSPersistentCloudKitContainer/initializeCloudKitSchema(options:)`` is to do.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
    /// Apple's bits for the options.
    public let rawValue: UInt

    /// Makes a set of options of Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Nothing is uploaded.
    public static let dryRun = Self(rawValue: 1 << 1)
    /// The schema is printed.
    public static let printSchema = Self(rawValue: 1 << 2)
}
