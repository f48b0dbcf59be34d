import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSPersistentStoreCoordinatorDouble: NSPersistentStoreCoordinator, @unchecked Sendable {
    override func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]?
    ) throws -> NSPersistentStore {
        try super.addPersistentStore(
            ofType: storeType, configurationName: configuration, at: storeURL, options: options)
    }
    override func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String?, at storeURL: URL, options: [AnyHashable: Any]?
    ) throws -> NSPersistentStore {
        try super.addPersistentStore(type: type, configuration: configuration, at: storeURL, options: options)
    }
    override func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        super.addPersistentStore(with: storeDescription, completionHandler: block)
    }
    override class func cachedModelForPersistentStore(at url: URL, options: [AnyHashable: Any]?) throws
        -> NSManagedObjectModel
    {
        try super.cachedModelForPersistentStore(at: url, options: options)
    }
    override func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        super.currentPersistentHistoryToken(fromStores: stores)
    }
    override func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]?) throws {
        try super.destroyPersistentStore(at: url, ofType: storeType, options: options)
    }
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        try super.execute(request, with: context)
    }
    override func finishDeferredLightweightMigration() throws {
        try super.finishDeferredLightweightMigration()
    }
    override func finishDeferredLightweightMigrationTask() throws {
        try super.finishDeferredLightweightMigrationTask()
    }
    override func lock() {
        super.lock()
    }
    override func managedObjectID(for string: String) -> NSManagedObjectID? {
        super.managedObjectID(for: string)
    }
    override func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        super.managedObjectID(forURIRepresentation: url)
    }
    override var managedObjectModel: NSManagedObjectModel { super.managedObjectModel }
    override func metadata(for store: NSPersistentStore) -> [String: Any] {
        super.metadata(for: store)
    }
    override class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String: Any] {
        try super.metadataForPersistentStore(ofType: storeType, at: url)
    }
    override class func metadataForPersistentStore(ofType storeType: String, at url: URL, options: [AnyHashable: Any]?)
        throws -> [String: Any]
    {
        try super.metadataForPersistentStore(ofType: storeType, at: url, options: options)
    }
    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try super.metadataForPersistentStore(with: url)
    }
    override func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]?, withType storeType: String
    ) throws -> NSPersistentStore {
        try super.migratePersistentStore(store, to: storeURL, options: options, withType: storeType)
    }
    override var name: String? {
        get { super.name }
        set { super.name = newValue }
    }
    override func perform(_ block: @escaping () -> Void) {
        super.perform(block)
    }
    override func performAndWait(_ block: () -> Void) {
        super.performAndWait(block)
    }
    override func persistentStore(for url: URL) -> NSPersistentStore? {
        super.persistentStore(for: url)
    }
    override var persistentStores: [NSPersistentStore] { super.persistentStores }
    override class func registerStoreClass(_ storeClass: NSPersistentStore.Type?, forStoreType storeType: String) {
        super.registerStoreClass(storeClass, forStoreType: storeType)
    }
    override class func registerStoreClass(_ storeClass: NSPersistentStore.Type, type: NSPersistentStore.StoreType) {
        super.registerStoreClass(storeClass, type: type)
    }
    override class var registeredStoreTypes: [String: NSPersistentStore.Type] { super.registeredStoreTypes }
    override func remove(_ store: NSPersistentStore) throws {
        try super.remove(store)
    }
    override func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]?, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]?, ofType storeType: String
    ) throws {
        try super.replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: storeType)
    }
    override func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        super.setMetadata(metadata, for: store)
    }
    override class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
    ) throws {
        try super.setMetadata(metadata, forPersistentStoreOfType: storeType, at: url)
    }
    override class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]?
    ) throws {
        try super.setMetadata(metadata, forPersistentStoreOfType: storeType, at: url, options: options)
    }
    override func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        super.setURL(url, for: store)
    }
    override func tryLock() -> Bool {
        super.tryLock()
    }
    override func unlock() {
        super.unlock()
    }
    override func url(for store: NSPersistentStore) -> URL {
        super.url(for: store)
    }
}
