import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSPersistentHistoryChangeDouble: NSPersistentHistoryChange {
    override var changeID: Int64 { super.changeID }
    override var changeType: NSPersistentHistoryChangeType { super.changeType }
    override var changedObjectID: NSManagedObjectID { super.changedObjectID }
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var description: String { super.description }
    override class var entityDescription: NSEntityDescription? { super.entityDescription }
    override class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        super.entityDescription(with: context)
    }
    override class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { super.fetchRequest }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var tombstone: [AnyHashable: Any]? { super.tombstone }
    override var transaction: NSPersistentHistoryTransaction? { super.transaction }
    override var updatedProperties: Set<NSPropertyDescription>? { super.updatedProperties }
}

private final class NSPersistentHistoryChangeRequestDouble: NSPersistentHistoryChangeRequest {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
        super.deleteHistory(before: date)
    }
    override class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        super.deleteHistory(before: token)
    }
    override class func deleteHistory(before transaction: NSPersistentHistoryTransaction?)
        -> NSPersistentHistoryChangeRequest
    {
        super.deleteHistory(before: transaction)
    }
    override class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
        super.fetchHistory(after: date)
    }
    override class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        super.fetchHistory(after: token)
    }
    override class func fetchHistory(after transaction: NSPersistentHistoryTransaction?)
        -> NSPersistentHistoryChangeRequest
    {
        super.fetchHistory(after: transaction)
    }
    override class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>)
        -> NSPersistentHistoryChangeRequest
    {
        super.fetchHistory(withFetch: fetchRequest)
    }
    override class func fetchHistory<Result>(withFetch fetchRequest: NSFetchRequest<Result>)
        -> NSPersistentHistoryChangeRequest
    {
        super.fetchHistory(withFetch: fetchRequest)
    }
    override var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get { super.fetchRequest }
        set { super.fetchRequest = newValue }
    }
    override var requestType: NSPersistentStoreRequestType { super.requestType }
    override var resultType: NSPersistentHistoryResultType {
        get { super.resultType }
        set { super.resultType = newValue }
    }
    override var token: NSPersistentHistoryToken? { super.token }
}

private final class NSPersistentHistoryResultDouble: NSPersistentHistoryResult {
    override var result: Any? { super.result }
    override var resultType: NSPersistentHistoryResultType { super.resultType }
}

private final class NSPersistentHistoryTokenDouble: NSPersistentHistoryToken, @unchecked Sendable {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var description: String { super.description }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
}

private final class NSPersistentHistoryTransactionDouble: NSPersistentHistoryTransaction {
    override var author: String? { super.author }
    override var bundleID: String { super.bundleID }
    override var changes: [NSPersistentHistoryChange]? { super.changes }
    override var contextName: String? { super.contextName }
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var description: String { super.description }
    override class var entityDescription: NSEntityDescription? { super.entityDescription }
    override class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        super.entityDescription(with: context)
    }
    override class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { super.fetchRequest }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override func objectIDNotification() -> Notification {
        super.objectIDNotification()
    }
    override var processID: String { super.processID }
    override var storeID: String { super.storeID }
    override var timestamp: Date { super.timestamp }
    override var token: NSPersistentHistoryToken { super.token }
    override var transactionNumber: Int64 { super.transactionNumber }
}
