import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSPersistentStoreDouble: NSPersistentStore {
    override var configurationName: String { super.configurationName }
    override class func destroyPersistentStore(at url: URL, options: [AnyHashable: Any]?) throws {
        try super.destroyPersistentStore(at: url, options: options)
    }
    override func didAdd(to coordinator: NSPersistentStoreCoordinator) {
        super.didAdd(to: coordinator)
    }
    override var identifier: String! {
        get { super.identifier }
        set { super.identifier = newValue }
    }
    override var isReadOnly: Bool {
        get { super.isReadOnly }
        set { super.isReadOnly = newValue }
    }
    override func loadMetadata() throws {
        try super.loadMetadata()
    }
    override var metadata: [String: Any]! {
        get { super.metadata }
        set { super.metadata = newValue }
    }
    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try super.metadataForPersistentStore(with: url)
    }
    override class func migrationManagerClass() -> AnyClass {
        super.migrationManagerClass()
    }
    override class func modelCarried(byStoreAt url: URL) throws -> NSManagedObjectModel? {
        try super.modelCarried(byStoreAt: url)
    }
    override var options: [AnyHashable: Any]? { super.options }
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator? { super.persistentStoreCoordinator }
    override class func replacePersistentStore(
        at url: URL, options: [AnyHashable: Any]?, withPersistentStoreFrom source: URL,
        sourceOptions: [AnyHashable: Any]?
    ) throws {
        try super.replacePersistentStore(
            at: url, options: options, withPersistentStoreFrom: source, sourceOptions: sourceOptions)
    }
    override var savesReferencesAhead: Bool { super.savesReferencesAhead }
    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try super.setMetadata(metadata, forPersistentStoreAt: url)
    }
    override var type: String { super.type }
    override var url: URL? {
        get { super.url }
        set { super.url = newValue }
    }
    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        super.willRemove(from: coordinator)
    }
}
