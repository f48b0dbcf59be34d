import Foundation

extension Notification.Name {
    /// Posted by a coordinator, on no particular thread, when something was written to a store that was opened with
    /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`, by this process or another.
    ///
    /// The user info has the store's UUID, its URL and, where it keeps history, a token that stands behind the last
    /// transaction. Several writes in quick succession may be posted as one (Apple: NSPersistentStoreRemoteChange).
    public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
}

/// The key of the store's URL in a remote-change notification.
public let NSPersistentStoreURLKey = "storeURL"
/// The key of the history token in a remote-change notification.
public let NSPersistentHistoryTokenKey = "historyToken"

/// Posts that something was written to a store.
enum RemoteChange {
    /// - Parameter transactionNumber: the last one in the store's history; nil where it keeps none.
    static func post(
        _ store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator, transactionNumber: Int64?
    ) {
        var info: [AnyHashable: Any] = [:]
        info[NSStoreUUIDKey] = store.identifier
        info[NSPersistentStoreURLKey] = store.url
        if let transactionNumber, let identifier = store.identifier {
            info[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken([identifier: transactionNumber])
        }
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: info)
    }
}
