import Foundation
import FoundationCompat
import ManagedObjectModel

/// The change of one object, as a store's history has it (Apple: NSPersistentHistoryChange).
open class NSPersistentHistoryChange: NSObject, NSCopying {
    /// The number of the change: later ones have higher numbers.
    open private(set) var changeID: Int64
    /// The object, which may be gone.
    open private(set) var changedObjectID: NSManagedObjectID
    /// What was done to it.
    open private(set) var changeType: NSPersistentHistoryChangeType
    /// For a deletion, the values of the attributes that the model preserves; nil for other changes and where there are
    /// none.
    open private(set) var tombstone: [AnyHashable: Any]?
    /// For an update, the properties that were changed; nil for other changes.
    open private(set) var updatedProperties: Set<NSPropertyDescription>?
    /// Nil for a change of a store that isn't Apple's or ours, until a transaction takes it.
    final var header: HistoryTransactionHeader?
    /// The transaction that was read together with its changes. The reference is weak because the transaction retains
    /// this change.
    weak var owner: NSPersistentHistoryTransaction?

    init(
        id: Int64, of object: NSManagedObjectID, _ type: NSPersistentHistoryChangeType,
        in header: HistoryTransactionHeader,
        tombstone: [AnyHashable: Any]? = nil, updatedProperties: Set<NSPropertyDescription>? = nil
    ) {
        changeID = id
        changedObjectID = object
        changeType = type
        self.tombstone = tombstone
        self.updatedProperties = updatedProperties
        self.header = header
        super.init()
    }

    /// Makes an update of no object, as doubles in tests need.
    public override init() {
        changeID = 0
        changedObjectID = NSManagedObjectID()
        changeType = .update
        super.init()
    }

    /// Makes a change that a store of your own has kept, for ``NSPersistentHistoryTransaction``. An addition to Apple's API.
    ///
    /// - Parameters:
    ///   - changeID: higher than those of all earlier changes of the store.
    ///   - tombstone: what is to be known of a deleted object.
    public init(
        changeID: Int64, changedObjectID: NSManagedObjectID, changeType: NSPersistentHistoryChangeType,
        tombstone: [AnyHashable: Any]? = nil, updatedProperties: Set<NSPropertyDescription>? = nil
    ) {
        self.changeID = changeID
        self.changedObjectID = changedObjectID
        self.changeType = changeType
        self.tombstone = tombstone
        self.updatedProperties = updatedProperties
        super.init()
    }

    /// The transaction; without its changes where changes only were asked for.
    open var transaction: NSPersistentHistoryTransaction? { owner ?? header.map { NSPersistentHistoryTransaction($0) } }

    /// The entity to make fetch requests for changes with; nil until a store with history was opened.
    open class var entityDescription: NSEntityDescription? {
        HistoryModel.isInUse ? HistoryModel.shared.change : nil
    }

    /// The entity to make fetch requests for changes with, for a context; nil where none of its stores has history.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        HistoryModel.isKept(in: context) ? HistoryModel.shared.change : nil
    }

    /// A new fetch request for changes, to be given a predicate; nil until a store with history was opened.
    open class var fetchRequest: NSFetchRequest<NSFetchRequestResult>? {
        entityDescription.map { HistoryModel.request(for: $0) }
    }

    /// The object itself, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether both are the same change of the same store.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryChange else { return false }
        return other.changeID == changeID && other.header?.storeIdentifier == header?.storeIdentifier
    }

    /// A hash that equal objects share.
    open override var hash: Int { changeID.hashValue }

    /// The number of the change, its type, and its object.
    open override var description: String {
        "<NSPersistentHistoryChange \(changeID): \(changeType) of \(changedObjectID.uriRepresentation().absoluteString)>"
    }
}

extension NSPersistentHistoryChange: KeyPathCoding {
    /// The type of change as a number, as predicates compare it.
    private var changeTypeNumber: Int { changeType.rawValue }
    private var changedEntity: NSEntityDescription { changedObjectID.entity }

    /// The properties that predicates and key-value coding may name.
    public static var keyPathsByKey: [String: AnyKeyPath] {
        [
            "changeID": \NSPersistentHistoryChange.changeID,
            "changedObjectID": \NSPersistentHistoryChange.changedObjectID,
            "changedEntity": \NSPersistentHistoryChange.changedEntity,
            "changeType": \NSPersistentHistoryChange.changeTypeNumber,
            "tombstone": \NSPersistentHistoryChange.tombstone,
            "updatedProperties": \NSPersistentHistoryChange.updatedProperties,
            "transaction": \NSPersistentHistoryChange.transaction,
        ]
    }
}
