import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSAsynchronousFetchRequestDouble: NSAsynchronousFetchRequest<NSManagedObject> {
    override var completionBlock: ((NSAsynchronousFetchResult<NSManagedObject>) -> Void)? { super.completionBlock }
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var estimatedResultCount: Int {
        get { super.estimatedResultCount }
        set { super.estimatedResultCount = newValue }
    }
    override var fetchRequest: NSFetchRequest<NSManagedObject> { super.fetchRequest }
    override var requestType: NSPersistentStoreRequestType { super.requestType }
}

private final class NSAsynchronousFetchResultDouble: NSAsynchronousFetchResult<NSManagedObject> {
    override var fetchRequest: NSAsynchronousFetchRequest<NSManagedObject> { super.fetchRequest }
    override var finalResult: [NSManagedObject]? { super.finalResult }
}

private final class NSFetchRequestDouble: NSFetchRequest<NSManagedObject> {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override func execute() throws -> [NSManagedObject] {
        try super.execute()
    }
    override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
}

private final class NSFetchRequestExpressionDouble: NSFetchRequestExpression, @unchecked Sendable {
    override var contextExpression: NSExpression { super.contextExpression }
    override var description: String { super.description }
    override class func expression(forFetch fetch: NSExpression, context: NSExpression, countOnly: Bool) -> NSExpression
    {
        super.expression(forFetch: fetch, context: context, countOnly: countOnly)
    }
    override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        super.expressionValue(with: object, context: context)
    }
    override var hash: Int { super.hash }
    override var isCountOnlyRequest: Bool { super.isCountOnlyRequest }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var requestExpression: NSExpression { super.requestExpression }
}
