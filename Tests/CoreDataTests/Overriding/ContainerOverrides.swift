import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSPersistentContainerDouble: NSPersistentContainer, @unchecked Sendable {
    override class func defaultDirectoryURL() -> URL {
        super.defaultDirectoryURL()
    }
    override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        super.loadPersistentStores(completionHandler: block)
    }
    override var managedObjectModel: NSManagedObjectModel { super.managedObjectModel }
    override var name: String { super.name }
    override func newBackgroundContext() -> NSManagedObjectContext {
        super.newBackgroundContext()
    }
    override func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        super.performBackgroundTask(block)
    }
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator { super.persistentStoreCoordinator }
    override var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get { super.persistentStoreDescriptions }
        set { super.persistentStoreDescriptions = newValue }
    }
    override var viewContext: NSManagedObjectContext { super.viewContext }
}

private final class NSPersistentStoreDescriptionDouble: NSPersistentStoreDescription {
    override var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions? {
        get { super.cloudKitContainerOptions }
        set { super.cloudKitContainerOptions = newValue }
    }
    override var configuration: String? {
        get { super.configuration }
        set { super.configuration = newValue }
    }
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var description: String { super.description }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var isReadOnly: Bool {
        get { super.isReadOnly }
        set { super.isReadOnly = newValue }
    }
    override var options: [String: NSObject] { super.options }
    override func setOption(_ option: NSObject?, forKey key: String) {
        super.setOption(option, forKey: key)
    }
    override func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        super.setValue(value, forPragmaNamed: name)
    }
    override var shouldAddStoreAsynchronously: Bool {
        get { super.shouldAddStoreAsynchronously }
        set { super.shouldAddStoreAsynchronously = newValue }
    }
    override var shouldInferMappingModelAutomatically: Bool {
        get { super.shouldInferMappingModelAutomatically }
        set { super.shouldInferMappingModelAutomatically = newValue }
    }
    override var shouldMigrateStoreAutomatically: Bool {
        get { super.shouldMigrateStoreAutomatically }
        set { super.shouldMigrateStoreAutomatically = newValue }
    }
    override var sqlitePragmas: [String: NSObject] { super.sqlitePragmas }
    override var timeout: TimeInterval {
        get { super.timeout }
        set { super.timeout = newValue }
    }
    override var type: String {
        get { super.type }
        set { super.type = newValue }
    }
    override var url: URL? {
        get { super.url }
        set { super.url = newValue }
    }
}
