import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate

/// A request that changes rows in a store, without an object for each (Apple: NSBatchUpdateRequest).
///
/// Nothing is validated and no object or context hears of it: merge the updated IDs into contexts, or use history.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    /// The entity of the rows; nil while only its name is known.
    open private(set) var entity: NSEntityDescription?
    /// The name of the entity of the rows.
    open private(set) var entityName: String
    /// What rows have to fulfil; nil for all.
    open var predicate: NSPredicate?
    /// Whether rows of subentities are changed too; true by default.
    open var includesSubentities = true
    /// The new values by property: a name or a property description, and a constant, `NSNull` or an `NSExpression` over
    /// the row as it was. A to-one relationship may be set to an object ID.
    open var propertiesToUpdate: [AnyHashable: Any]?
    /// What the result says; whether it went well by default.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

    /// Makes a request for the entity of that name.
    public init(entityName: String) {
        self.entityName = entityName
        super.init()
    }

    /// Makes a request for an entity.
    public init(entity: NSEntityDescription) {
        self.entity = entity
        entityName = entity.name ?? ""
        super.init()
    }

    /// What the request wants of the stores.
    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    /// A request of its own for the same objects and values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchUpdateRequest(entityName: entityName)
        copy.entity = entity
        copy.predicate = predicate
        copy.includesSubentities = includesSubentities
        copy.propertiesToUpdate = propertiesToUpdate
        copy.resultType = resultType
        copy.affectedStoreObjects = affectedStoreObjects
        return copy
    }
}

/// What a batch update's result says.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// Whether it went well: true.
    case statusOnlyResultType = 0
    /// The IDs of the updated objects.
    case updatedObjectIDsResultType = 1
    /// The number of updated objects.
    case updatedObjectsCountResultType = 2
}

/// What a batch update did (Apple: NSBatchUpdateResult).
open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// What the result is.
    open private(set) var resultType: NSBatchUpdateRequestResultType
    /// A Boolean, object IDs or a number, by ``resultType``.
    open private(set) var result: Any?

    /// Makes a result of nothing, as doubles in tests need.
    public override init() {
        resultType = .statusOnlyResultType
        super.init()
    }

    init(_ result: Any, _ type: NSBatchUpdateRequestResultType) {
        self.result = result
        resultType = type
    }
}

extension NSBatchUpdateRequest: ExecutableRequest {
    func result(from coordinator: NSPersistentStoreCoordinator, for context: NSManagedObjectContext?) throws
        -> NSPersistentStoreResult
    {
        let layout = try BatchExecution.layout(entityName, in: coordinator, request: self)
        let stores = try coordinator.storesForChanging(layout, affected: affectedStores)
        let answers = try coordinator.answers(to: self, from: stores, for: context)
        return NSBatchUpdateResult(
            try BatchExecution.combined(answers, BatchResultKind(rawValue: resultType.rawValue) ?? .status, of: self),
            resultType)
    }
}
