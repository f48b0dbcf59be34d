import Foundation
import FoundationCompat
import ManagedObjectModel

/// One save or batch request, as a store's history has it (Apple: NSPersistentHistoryTransaction).
open class NSPersistentHistoryTransaction: NSObject, NSCopying {
    let header: HistoryTransactionHeader

    init(_ header: HistoryTransactionHeader, changes: [NSPersistentHistoryChange]? = nil) {
        self.header = header
        self.changes = changes
        super.init()
        for change in changes ?? [] { change.owner = self }
    }

    /// Makes a transaction of no store, as doubles in tests need.
    public override init() {
        header = HistoryTransactionHeader(
            number: 0, timestamp: Date(), storeIdentifier: "", bundleIdentifier: "", processName: "")
        super.init()
    }

    /// Makes a transaction that a store of your own has kept: what an `NSIncrementalStore` answers to an
    /// ``NSPersistentHistoryChangeRequest`` is an array of these, oldest first. An addition to Apple's API.
    ///
    /// - Parameters:
    ///   - number: higher than those of all earlier transactions of the store.
    ///   - changes: what was changed, in order. A change belongs to one transaction.
    public convenience init(
        number: Int64, timestamp: Date, store: NSPersistentStore, changes: [NSPersistentHistoryChange],
        author: String? = nil, contextName: String? = nil, bundleID: String? = nil, processID: String? = nil
    ) {
        let process = ProcessInfo.processInfo.processName
        let header = HistoryTransactionHeader(
            number: number, timestamp: timestamp, storeIdentifier: store.identifier,
            bundleIdentifier: bundleID ?? Bundle.main.bundleIdentifier ?? process, processName: processID ?? process,
            contextName: contextName, author: author)
        for change in changes { change.header = header }
        self.init(header, changes: changes)
    }

    /// When it was.
    open var timestamp: Date { header.timestamp }
    /// What was changed, in order; nil where the request asked for transactions only.
    open private(set) var changes: [NSPersistentHistoryChange]?
    /// The number of the transaction: later ones have higher numbers.
    open var transactionNumber: Int64 { header.number }
    /// The identifier of the store.
    open var storeID: String { header.storeIdentifier }
    /// The identifier of the program's bundle, or its name where it has none.
    open var bundleID: String { header.bundleIdentifier }
    /// The name of the process.
    open var processID: String { header.processName }
    /// The name of the context, if it had one.
    open var contextName: String? { header.contextName }
    /// The context's `transactionAuthor`, if it had one.
    open var author: String? { header.author }
    /// The place behind this transaction.
    open var token: NSPersistentHistoryToken { NSPersistentHistoryToken([header.storeIdentifier: header.number]) }

    /// The changes as a context's notification has them, for `mergeChanges(fromContextDidSave:)`.
    open func objectIDNotification() -> Notification {
        var info: [AnyHashable: Any] = [:]
        func add(_ type: NSPersistentHistoryChangeType, _ key: NSManagedObjectContext.NotificationKey) {
            let ids = Set((changes ?? []).filter { $0.changeType == type }.map(\.changedObjectID))
            if !ids.isEmpty { info[key.rawValue] = ids }
        }
        add(.insert, .insertedObjectIDs)
        add(.update, .updatedObjectIDs)
        add(.delete, .deletedObjectIDs)
        return Notification(name: NSManagedObjectContext.didSaveObjectIDsNotification, object: nil, userInfo: info)
    }

    /// The entity to make fetch requests for transactions with; nil until a store with history was opened.
    open class var entityDescription: NSEntityDescription? {
        HistoryModel.isInUse ? HistoryModel.shared.transaction : nil
    }

    /// The entity to make fetch requests for transactions with, for a context; nil where none of its stores has history.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        HistoryModel.isKept(in: context) ? HistoryModel.shared.transaction : nil
    }

    /// A new fetch request for transactions, to be given a predicate; nil until a store with history was opened.
    open class var fetchRequest: NSFetchRequest<NSFetchRequestResult>? {
        entityDescription.map { HistoryModel.request(for: $0) }
    }

    /// The object itself, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether both are the same transaction of the same store.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryTransaction else { return false }
        return other.transactionNumber == transactionNumber && other.storeID == storeID
    }

    /// A hash that equal objects share.
    open override var hash: Int { transactionNumber.hashValue }

    /// Number, store, time and author, and how many changes it has.
    open override var description: String {
        "<NSPersistentHistoryTransaction \(transactionNumber) of \(storeID) at \(timestamp): author \(author ?? "(null)"), "
            + "context \(contextName ?? "(null)"), process \(processID), "
            + "\(changes.map { "\($0.count)" } ?? "unread") changes>"
    }
}

extension NSPersistentHistoryTransaction: KeyPathCoding {
    /// The properties that predicates and key-value coding may name.
    public static var keyPathsByKey: [String: AnyKeyPath] {
        [
            "timestamp": \NSPersistentHistoryTransaction.timestamp,
            "changes": \NSPersistentHistoryTransaction.changes,
            "transactionNumber": \NSPersistentHistoryTransaction.transactionNumber,
            "storeID": \NSPersistentHistoryTransaction.storeID,
            "bundleID": \NSPersistentHistoryTransaction.bundleID,
            "processID": \NSPersistentHistoryTransaction.processID,
            "contextName": \NSPersistentHistoryTransaction.contextName,
            "author": \NSPersistentHistoryTransaction.author,
            "token": \NSPersistentHistoryTransaction.token,
        ]
    }
}
