import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSManagedObjectDouble: NSManagedObject {
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
    }
    override func awakeFromInsert() {
        super.awakeFromInsert()
    }
    override func changedValues() -> [String: Any] {
        super.changedValues()
    }
    override func changedValuesForCurrentEvent() -> [String: Any] {
        super.changedValuesForCurrentEvent()
    }
    override func committedValues(forKeys keys: [String]?) -> [String: Any] {
        super.committedValues(forKeys: keys)
    }
    override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool {
        super.contextShouldIgnoreUnmodeledPropertyChanges
    }
    override var description: String { super.description }
    override func didAccessValue(forKey key: String?) {
        super.didAccessValue(forKey: key)
    }
    override func didChangeValue(forKey key: String) {
        super.didChangeValue(forKey: key)
    }
    override func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        super.didChangeValue(forKey: inKey, withSetMutation: inMutationKind, using: inObjects)
    }
    override func didSave() {
        super.didSave()
    }
    override func didTurnIntoFault() {
        super.didTurnIntoFault()
    }
    override var entity: NSEntityDescription { super.entity }
    override class func entity() -> NSEntityDescription {
        super.entity()
    }
    override var faultingState: Int { super.faultingState }
    override class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        super.fetchRequest()
    }
    override var hasChanges: Bool { super.hasChanges }
    override func hasFault(forRelationshipNamed key: String) -> Bool {
        super.hasFault(forRelationshipNamed: key)
    }
    override var hasPersistentChangedValues: Bool { super.hasPersistentChangedValues }
    override var hash: Int { super.hash }
    override var isDeleted: Bool { super.isDeleted }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var isFault: Bool { super.isFault }
    override var isInserted: Bool { super.isInserted }
    override var isUpdated: Bool { super.isUpdated }
    override var managedObjectContext: NSManagedObjectContext? { super.managedObjectContext }
    override var objectID: NSManagedObjectID { super.objectID }
    override func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        super.objectIDs(forRelationshipNamed: key)
    }
    override func prepareForDeletion() {
        super.prepareForDeletion()
    }
    override func primitiveValue(forKey key: String) -> Any? {
        super.primitiveValue(forKey: key)
    }
    override func setPrimitiveValue(_ value: Any?, forKey key: String) {
        super.setPrimitiveValue(value, forKey: key)
    }
    override func setValue(_ value: Any?, forKey key: String) {
        super.setValue(value, forKey: key)
    }
    override func setValue(_ value: Any?, forUndefinedKey key: String) {
        super.setValue(value, forUndefinedKey: key)
    }
    override func validateForDelete() throws {
        try super.validateForDelete()
    }
    override func validateForInsert() throws {
        try super.validateForInsert()
    }
    override func validateForUpdate() throws {
        try super.validateForUpdate()
    }
    override func value(forKey key: String) -> Any? {
        super.value(forKey: key)
    }
    override func value(forUndefinedKey key: String) -> Any? {
        super.value(forUndefinedKey: key)
    }
    override func willAccessValue(forKey key: String?) {
        super.willAccessValue(forKey: key)
    }
    override func willChangeValue(forKey key: String) {
        super.willChangeValue(forKey: key)
    }
    override func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        super.willChangeValue(forKey: inKey, withSetMutation: inMutationKind, using: inObjects)
    }
    override func willSave() {
        super.willSave()
    }
    override func willTurnIntoFault() {
        super.willTurnIntoFault()
    }
}

private final class NSManagedObjectIDDouble: NSManagedObjectID, @unchecked Sendable {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var description: String { super.description }
    override var entity: NSEntityDescription { super.entity }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var isTemporaryID: Bool { super.isTemporaryID }
    override var persistentStore: NSPersistentStore? { super.persistentStore }
    override func uriRepresentation() -> URL {
        super.uriRepresentation()
    }
}
