@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate

/// A request that deletes rows from a store, without an object for each (Apple: NSBatchDeleteRequest).
///
/// The delete rules nullify and cascade are followed in the store; where a relationship with the rule deny has destinations,
/// or nullifying would empty a to-one that isn't optional, the request fails. Nothing else is validated, and no object or
/// context hears of it: merge the deleted IDs into contexts, or use history.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    /// What is deleted: the results of this request, within its limit and behind its offset.
    open private(set) var fetchRequest: NSFetchRequest<NSFetchRequestResult>
    /// What the result says; whether it went well by default.
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

    /// Makes a request that deletes what a fetch request finds. The request is copied.
    ///
    /// Apple's parameter, from which `NSFetchRequest(entityName: "Book")` takes its type.
    public init(fetchRequest fetch: NSFetchRequest<NSFetchRequestResult>) {
        fetchRequest = fetch.erasedCopy()
        super.init()
    }

    /// Makes a request that deletes what a fetch request of any type finds. The request is copied.
    @_disfavoredOverload
    public init(fetchRequest fetch: AnyFetchRequest) {
        fetchRequest = fetch.erasedCopy()
        super.init()
    }

    /// Makes a request that deletes the objects with these IDs, which have to be of one entity or its subentities.
    public convenience init(objectIDs objects: [NSManagedObjectID]) {
        let fetch = NSFetchRequest<NSFetchRequestResult>()
        if let first = objects.first {
            guard let common = Self.commonEntity(of: objects, from: first.layout) else {
                fatalError("mismatched objectIDs in batch delete initializer")
            }
            fetch.entity = common.entity
        }
        fetch.predicate = NSPredicate(format: "self IN %@", objects)
        self.init(fetchRequest: fetch)
    }

    /// The entity that all the objects are of; nil where there is none.
    private static func commonEntity(of objects: [NSManagedObjectID], from first: EntityLayout) -> EntityLayout? {
        var common = first
        for object in objects where object.layout !== common {
            while !object.layout.isKind(of: common) || object.layout.model !== common.model {
                guard let above = common.superlayout else { return nil }
                common = above
            }
        }
        return common
    }

    /// What the request wants of the stores.
    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    /// A request of its own for the same objects.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchDeleteRequest(fetchRequest: fetchRequest)
        copy.resultType = resultType
        copy.affectedStoreObjects = affectedStoreObjects
        return copy
    }
}

/// What a batch delete's result says.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// Whether it went well: true.
    case resultTypeStatusOnly = 0
    /// The IDs of the deleted objects that were asked for, without those that a delete rule took along.
    case resultTypeObjectIDs = 1
    /// The number of these.
    case resultTypeCount = 2
}

/// What a batch delete did (Apple: NSBatchDeleteResult).
open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// What the result is.
    open private(set) var resultType: NSBatchDeleteRequestResultType
    /// A Boolean, object IDs or a number, by ``resultType``.
    open private(set) var result: Any?

    /// Makes a result of nothing, as doubles in tests need.
    public override init() {
        resultType = .resultTypeStatusOnly
        super.init()
    }

    init(_ result: Any, _ type: NSBatchDeleteRequestResultType) {
        self.result = result
        resultType = type
    }
}

extension NSBatchDeleteRequest: ExecutableRequest {
    func result(from coordinator: NSPersistentStoreCoordinator, for context: NSManagedObjectContext?) throws
        -> NSPersistentStoreResult
    {
        let kind = BatchResultKind(rawValue: resultType.rawValue) ?? .status
        guard let name = fetchRequest.entityName else {
            // No objects were named, so no entity either.
            return NSBatchDeleteResult(try BatchExecution.combined([], kind, of: self), resultType)
        }
        let layout = try BatchExecution.layout(name, in: coordinator, request: self)
        let affected = affectedStores ?? fetchRequest.affectedStores
        let stores = try coordinator.storesForChanging(layout, affected: affected)
        let answers = try coordinator.answers(to: self, from: stores, for: context)
        return NSBatchDeleteResult(try BatchExecution.combined(answers, kind, of: self), resultType)
    }
}
