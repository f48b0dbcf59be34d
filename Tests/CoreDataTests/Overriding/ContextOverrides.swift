import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSConstraintConflictDouble: NSConstraintConflict {
    override var conflictingObjects: [NSManagedObject] { super.conflictingObjects }
    override var conflictingSnapshots: [[AnyHashable: Any]] { super.conflictingSnapshots }
    override var constraint: [String] { super.constraint }
    override var constraintValues: [String: Any] { super.constraintValues }
    override var databaseObject: NSManagedObject? { super.databaseObject }
    override var databaseSnapshot: [AnyHashable: Any]? { super.databaseSnapshot }
    override var description: String { super.description }
}

private final class NSManagedObjectContextDouble: NSManagedObjectContext, @unchecked Sendable {
    override func assign(_ object: Any, to store: NSPersistentStore) {
        super.assign(object, to: store)
    }
    override var automaticallyMergesChangesFromParent: Bool {
        get { super.automaticallyMergesChangesFromParent }
        set { super.automaticallyMergesChangesFromParent = newValue }
    }
    override var concurrencyType: NSManagedObjectContextConcurrencyType { super.concurrencyType }
    override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        try super.count(for: request)
    }
    override func delete(_ object: NSManagedObject) {
        super.delete(object)
    }
    override var deletedObjects: Set<NSManagedObject> { super.deletedObjects }
    override func detectConflicts(for object: NSManagedObject) {
        super.detectConflicts(for: object)
    }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        try super.execute(request)
    }
    override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try super.existingObject(with: objectID)
    }
    override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try super.fetch(request)
    }
    override var hasChanges: Bool { super.hasChanges }
    override func insert(_ object: NSManagedObject) {
        super.insert(object)
    }
    override var insertedObjects: Set<NSManagedObject> { super.insertedObjects }
    override func mergeChanges(fromContextDidSave notification: Notification) {
        super.mergeChanges(fromContextDidSave: notification)
    }
    override class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        super.mergeChanges(fromRemoteContextSave: changeNotificationData, into: contexts)
    }
    override var mergePolicy: Any {
        get { super.mergePolicy }
        set { super.mergePolicy = newValue }
    }
    override var name: String? {
        get { super.name }
        set { super.name = newValue }
    }
    override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        super.object(with: objectID)
    }
    override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        try super.obtainPermanentIDs(for: objects)
    }
    override var parent: NSManagedObjectContext? {
        get { super.parent }
        set { super.parent = newValue }
    }
    override func perform(_ block: @escaping () -> Void) {
        super.perform(block)
    }
    override func performAndWait(_ block: () -> Void) {
        super.performAndWait(block)
    }
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { super.persistentStoreCoordinator }
        set { super.persistentStoreCoordinator = newValue }
    }
    override func processPendingChanges() {
        super.processPendingChanges()
    }
    override var propagatesDeletesAtEndOfEvent: Bool {
        get { super.propagatesDeletesAtEndOfEvent }
        set { super.propagatesDeletesAtEndOfEvent = newValue }
    }
    override var queryGenerationToken: NSQueryGenerationToken? { super.queryGenerationToken }
    override func redo() {
        super.redo()
    }
    override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        super.refresh(object, mergeChanges: flag)
    }
    override func refreshAllObjects() {
        super.refreshAllObjects()
    }
    override func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        super.registeredObject(for: objectID)
    }
    override var registeredObjects: Set<NSManagedObject> { super.registeredObjects }
    override func reset() {
        super.reset()
    }
    override var retainsRegisteredObjects: Bool {
        get { super.retainsRegisteredObjects }
        set { super.retainsRegisteredObjects = newValue }
    }
    override func rollback() {
        super.rollback()
    }
    override func save() throws {
        try super.save()
    }
    override func setQueryGenerationFrom(_ token: NSQueryGenerationToken?) throws {
        try super.setQueryGenerationFrom(token)
    }
    override var shouldDeleteInaccessibleFaults: Bool {
        get { super.shouldDeleteInaccessibleFaults }
        set { super.shouldDeleteInaccessibleFaults = newValue }
    }
    override func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        super.shouldHandleInaccessibleFault(fault, for: oid, triggeredByProperty: property)
    }
    override var stalenessInterval: TimeInterval {
        get { super.stalenessInterval }
        set { super.stalenessInterval = newValue }
    }
    override var transactionAuthor: String? {
        get { super.transactionAuthor }
        set { super.transactionAuthor = newValue }
    }
    override func undo() {
        super.undo()
    }
    override var undoManager: UndoManager? {
        get { super.undoManager }
        set { super.undoManager = newValue }
    }
    override var updatedObjects: Set<NSManagedObject> { super.updatedObjects }
    override var userInfo: NSMutableDictionary { super.userInfo }
}

private final class NSMergeConflictDouble: NSMergeConflict {
    override var cachedSnapshot: [String: Any]? { super.cachedSnapshot }
    override var description: String { super.description }
    override var newVersionNumber: Int { super.newVersionNumber }
    override var objectSnapshot: [String: Any]? { super.objectSnapshot }
    override var oldVersionNumber: Int { super.oldVersionNumber }
    override var persistedSnapshot: [String: Any]? { super.persistedSnapshot }
    override var sourceObject: NSManagedObject { super.sourceObject }
}

private final class NSMergePolicyDouble: NSMergePolicy, @unchecked Sendable {
    override class var error: NSMergePolicy { super.error }
    override class var mergeByPropertyObjectTrump: NSMergePolicy { super.mergeByPropertyObjectTrump }
    override class var mergeByPropertyStoreTrump: NSMergePolicy { super.mergeByPropertyStoreTrump }
    override var mergeType: NSMergePolicyType { super.mergeType }
    override class var overwrite: NSMergePolicy { super.overwrite }
    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        try super.resolve(constraintConflicts: list)
    }
    override func resolve(mergeConflicts list: [Any]) throws {
        try super.resolve(mergeConflicts: list)
    }
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        try super.resolve(optimisticLockingConflicts: list)
    }
    override class var rollback: NSMergePolicy { super.rollback }
}

private final class NSQueryGenerationTokenDouble: NSQueryGenerationToken, @unchecked Sendable {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override class var current: NSQueryGenerationToken { super.current }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
}
