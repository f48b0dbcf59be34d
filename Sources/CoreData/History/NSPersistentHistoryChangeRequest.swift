import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate
@_exported import class FoundationCompat.NSSortDescriptor

/// A request to read or delete the history of stores (Apple: NSPersistentHistoryChangeRequest).
///
/// What is read comes oldest first, unless a fetch request orders it otherwise.
///
/// For one thread at a time, and not `Sendable`: make it where it is executed.
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// Which part of the history is meant.
    final let range: HistoryRange
    /// Whether the part is to be deleted, and not read. An addition for stores of your own.
    public final let isDeletion: Bool
    /// What the result says: transactions with their changes by default, or, of a deletion, whether it went well.
    open var resultType: NSPersistentHistoryResultType
    /// The token from which on history is read, or up to which it is deleted.
    open private(set) var token: NSPersistentHistoryToken?
    private final var filter: AnyFetchRequest?

    /// Makes a request for all transactions, as doubles in tests need.
    public override init() {
        range = .all
        isDeletion = false
        resultType = .transactionsAndChanges
        super.init()
    }

    init(_ range: HistoryRange, isDeletion: Bool, token: NSPersistentHistoryToken?) {
        self.range = range
        self.isDeletion = isDeletion
        self.token = token
        resultType = isDeletion ? .statusOnly : .transactionsAndChanges
        super.init()
    }

    /// Which transactions or changes are read: predicate, order, offset and limit of a request for one of the entities
    /// that ``NSPersistentHistoryTransaction`` and ``NSPersistentHistoryChange`` have.
    open var fetchRequest: NSFetchRequest<NSFetchRequestResult>? {
        get { filter?.erasedCopy() }
        set { filter = newValue }
    }

    /// ``fetchRequest`` itself rather than a copy, for code that doesn't change it.
    final var selection: AnyFetchRequest? { filter }

    /// Whether the request is about a transaction, its fetch request aside. An addition for stores of your own.
    ///
    /// A store that is asked to read answers with the transactions for which this holds, and their changes; the framework
    /// applies the fetch request and the result type. A store that is asked to delete answers with an `NSNumber`, how many
    /// changes it has deleted.
    public final func selects(_ transaction: NSPersistentHistoryTransaction) -> Bool {
        func isBehind(_ numbers: [String: Int64]) -> Bool {
            numbers[transaction.storeID].map { transaction.transactionNumber > $0 } ?? true
        }
        func isBefore(_ numbers: [String: Int64]) -> Bool {
            numbers[transaction.storeID].map { transaction.transactionNumber < $0 } ?? false
        }
        switch range {
        case .all: return true
        case .none: return false
        case .after(let numbers): return isBehind(numbers)
        case .before(let numbers): return isBefore(numbers)
        case .afterDate(let date): return transaction.timestamp > date
        case .beforeDate(let date): return transaction.timestamp < date
        }
    }

    // MARK: Making

    /// A request for the transactions since a date.
    open class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.afterDate(date), isDeletion: false, token: nil)
    }

    /// A request for the transactions behind a token; for all where the token is nil.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(
            token.map { .after($0.transactionNumbers) } ?? .all, isDeletion: false, token: token)
    }

    /// A request for the transactions behind a transaction; for all where it is nil.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?)
        -> NSPersistentHistoryChangeRequest
    {
        NSPersistentHistoryChangeRequest(
            transaction.map { .after($0.token.transactionNumbers) } ?? .all, isDeletion: false,
            token: transaction?.token)
    }

    /// A request for the transactions or changes that a fetch request of any type selects.
    @_disfavoredOverload
    open class func fetchHistory<Result>(withFetch fetchRequest: NSFetchRequest<Result>)
        -> NSPersistentHistoryChangeRequest
    {
        fetchHistory(withFetch: fetchRequest.erasedCopy())
    }

    /// A request for the transactions or changes that a fetch request selects.
    ///
    /// Apple's parameter, from which `NSFetchRequest(entityName: "Transaction")` takes its type.
    open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<NSFetchRequestResult>)
        -> NSPersistentHistoryChangeRequest
    {
        let request = NSPersistentHistoryChangeRequest(.all, isDeletion: false, token: nil)
        request.filter = fetchRequest.erasedCopy()
        return request
    }

    /// A request that deletes the transactions before a date.
    open class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.beforeDate(date), isDeletion: true, token: nil)
    }

    /// A request that deletes the transactions before that of a token, which stays; none where the token is nil (our
    /// choice: a missing token mustn't delete history).
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(
            token.map { .before($0.transactionNumbers) } ?? .none, isDeletion: true, token: token)
    }

    /// A request that deletes the transactions before a transaction, which stays; none where it is nil.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?)
        -> NSPersistentHistoryChangeRequest
    {
        NSPersistentHistoryChangeRequest(
            transaction.map { .before($0.token.transactionNumbers) } ?? .none, isDeletion: true,
            token: transaction?.token)
    }

    /// What the request wants of the stores.
    open override var requestType: NSPersistentStoreRequestType { .persistentHistoryRequestType }

    /// A request of its own for the same part of the history.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentHistoryChangeRequest(range, isDeletion: isDeletion, token: token)
        copy.resultType = resultType
        copy.filter = filter?.erasedCopy()
        copy.affectedStoreObjects = affectedStoreObjects
        return copy
    }
}

/// What a history request's result says.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// Whether it went well: true.
    case statusOnly = 0
    /// The IDs of the changed objects, each once.
    case objectIDs = 1
    /// The number of changes, as Apple's page says; a comment in its header says transactions.
    case count = 2
    /// The transactions, without their changes.
    case transactionsOnly = 3
    /// The changes.
    case changesOnly = 4
    /// The transactions with their changes.
    case transactionsAndChanges = 5
}

/// What a history request gave (Apple: NSPersistentHistoryResult).
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    /// What the result is.
    open private(set) var resultType: NSPersistentHistoryResultType
    /// A Boolean, object IDs, a number, transactions or changes, by ``resultType``.
    open private(set) var result: Any?

    /// Makes a result of nothing, as doubles in tests need.
    public override init() {
        resultType = .statusOnly
        super.init()
    }

    init(_ result: Any, _ type: NSPersistentHistoryResultType) {
        self.result = result
        resultType = type
    }
}
