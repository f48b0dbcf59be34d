@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// A request that inserts many rows into a store, without an object for each (Apple: NSBatchInsertRequest).
///
/// Nothing is validated and no object or context hears of it: merge the inserted IDs into contexts, or use history. Where a
/// uniqueness constraint is broken, the executing context's merge policy decides: an error by default; with
/// `mergeByPropertyObjectTrump` the row that is there takes on the new values that aren't nil, defaults included, and with
/// `overwrite` all of them; with the other two it stays as it is.
///
/// For one thread at a time, and not `Sendable`: make it where it is executed. Its handler is called on the thread that executes it.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    /// The entity of the rows; nil while only its name is known.
    open private(set) var entity: NSEntityDescription?
    /// The name of the entity of the rows.
    open private(set) var entityName: String
    /// The rows: values by attribute name. What a row leaves out has its default.
    ///
    /// To-one relationships may be set to the ID of a saved object (our addition).
    open var objectsToInsert: [[String: Any]]?
    /// Fills in one row after the other and returns whether there are no more; the row that it had in hand then isn't
    /// inserted. It is called while the store is locked for others, and mustn't save.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
    /// Fills in one object after the other and returns whether there are no more. It is always the same object, without a
    /// context: it mustn't be kept. Its relationships can't be set.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?
    /// What the result says; whether it went well by default.
    open var resultType: NSBatchInsertRequestResultType = .statusOnly

    /// Makes a request for no entity, which can't be executed.
    @available(*, deprecated, message: "Use an initialiser that names the entity.")
    public override init() {
        entityName = ""
        super.init()
    }

    /// Makes a request that inserts a row for each dictionary.
    public init(entityName: String, objects dictionaries: [[String: Any]]) {
        self.entityName = entityName
        super.init()
        objectsToInsert = dictionaries
    }

    /// Makes a request that inserts a row for each dictionary.
    public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        self.entity = entity
        entityName = entity.name ?? ""
        super.init()
        objectsToInsert = dictionaries
    }

    /// Makes a request that inserts rows until the handler returns true.
    public init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.entityName = entityName
        super.init()
        dictionaryHandler = handler
    }

    /// Makes a request that inserts rows until the handler returns true.
    public init(entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.entity = entity
        entityName = entity.name ?? ""
        super.init()
        dictionaryHandler = handler
    }

    /// Makes a request that inserts rows until the handler returns true.
    public init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.entityName = entityName
        super.init()
        managedObjectHandler = handler
    }

    /// Makes a request that inserts rows until the handler returns true.
    public init(entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.entity = entity
        entityName = entity.name ?? ""
        super.init()
        managedObjectHandler = handler
    }

    /// What the request wants of the stores.
    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    /// A request of its own for the same rows.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(entityName: entityName, objects: [])
        copy.entity = entity
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        copy.affectedStoreObjects = affectedStoreObjects
        return copy
    }
}

/// What a batch insert's result says.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// Whether it went well: true.
    case statusOnly = 0
    /// The IDs of the inserted objects, and of those that took on new values instead.
    case objectIDs = 1
    /// The number of these.
    case count = 2
}

/// What a batch insert did (Apple: NSBatchInsertResult).
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// What the result is.
    open private(set) var resultType: NSBatchInsertRequestResultType
    /// A Boolean, object IDs or a number, by ``resultType``.
    open private(set) var result: Any?

    /// Makes a result of nothing, as doubles in tests need.
    public override init() {
        resultType = .statusOnly
        super.init()
    }

    init(_ result: Any, _ type: NSBatchInsertRequestResultType) {
        self.result = result
        resultType = type
    }
}

extension NSBatchInsertRequest: ExecutableRequest {
    func result(from coordinator: NSPersistentStoreCoordinator, for context: NSManagedObjectContext?) throws
        -> NSPersistentStoreResult
    {
        let layout = try BatchExecution.layout(entityName, in: coordinator, request: self)
        let store = try coordinator.storeForInserting(layout, affected: affectedStores)
        let answers = try coordinator.answers(to: self, from: [store], for: context)
        return NSBatchInsertResult(
            try BatchExecution.combined(answers, BatchResultKind(rawValue: resultType.rawValue) ?? .status, of: self),
            resultType)
    }
}
