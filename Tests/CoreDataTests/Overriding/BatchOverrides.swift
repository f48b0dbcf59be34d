import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSBatchDeleteRequestDouble: NSBatchDeleteRequest {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { super.fetchRequest }
    override var requestType: NSPersistentStoreRequestType { super.requestType }
    override var resultType: NSBatchDeleteRequestResultType {
        get { super.resultType }
        set { super.resultType = newValue }
    }
}

private final class NSBatchDeleteResultDouble: NSBatchDeleteResult {
    override var result: Any? { super.result }
    override var resultType: NSBatchDeleteRequestResultType { super.resultType }
}

private final class NSBatchInsertRequestDouble: NSBatchInsertRequest {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var dictionaryHandler: ((NSMutableDictionary) -> Bool)? {
        get { super.dictionaryHandler }
        set { super.dictionaryHandler = newValue }
    }
    override var entity: NSEntityDescription? { super.entity }
    override var entityName: String { super.entityName }
    override var managedObjectHandler: ((NSManagedObject) -> Bool)? {
        get { super.managedObjectHandler }
        set { super.managedObjectHandler = newValue }
    }
    override var objectsToInsert: [[String: Any]]? {
        get { super.objectsToInsert }
        set { super.objectsToInsert = newValue }
    }
    override var requestType: NSPersistentStoreRequestType { super.requestType }
    override var resultType: NSBatchInsertRequestResultType {
        get { super.resultType }
        set { super.resultType = newValue }
    }
}

private final class NSBatchInsertResultDouble: NSBatchInsertResult {
    override var result: Any? { super.result }
    override var resultType: NSBatchInsertRequestResultType { super.resultType }
}

private final class NSBatchUpdateRequestDouble: NSBatchUpdateRequest {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var entity: NSEntityDescription? { super.entity }
    override var entityName: String { super.entityName }
    override var includesSubentities: Bool {
        get { super.includesSubentities }
        set { super.includesSubentities = newValue }
    }
    override var predicate: NSPredicate? {
        get { super.predicate }
        set { super.predicate = newValue }
    }
    override var propertiesToUpdate: [AnyHashable: Any]? {
        get { super.propertiesToUpdate }
        set { super.propertiesToUpdate = newValue }
    }
    override var requestType: NSPersistentStoreRequestType { super.requestType }
    override var resultType: NSBatchUpdateRequestResultType {
        get { super.resultType }
        set { super.resultType = newValue }
    }
}

private final class NSBatchUpdateResultDouble: NSBatchUpdateResult {
    override var result: Any? { super.result }
    override var resultType: NSBatchUpdateRequestResultType { super.resultType }
}
